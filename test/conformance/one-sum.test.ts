import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCases, runCase } from '../../scripts/arithmetic-cases.ts'
import { readLocalData } from '../../scripts/read-local-data.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import type { AssessedLine } from '../../src/engine/found/assessment.ts'
import { openLocalBook } from '../../src/engine/regimes/us-local/local-book.ts'
import { book, saleOf } from '../engine/sale.ts'

const local = openLocalBook(readLocalData('test'))
const MILLION = 1_000_000n
const LINES_A_SALE = 2_000

/** What rules 2, 4 and 8 of docs/rounding.md say of one line, in whole numbers. */
function asThePageSays(amount: number, rates: readonly number[]): { tax: number; parts: number[] } {
  const sign = amount < 0 ? -1 : 1
  const exact = rates.map((rate) => BigInt(Math.abs(amount)) * BigInt(rate))
  const whole = exact.map((part) => Number(part / MILLION))
  const tax = Number((exact.reduce((a, b) => a + b, 0n) + MILLION / 2n) / MILLION)
  const byRemainder = exact
    .map((part, index) => ({ remainder: part % MILLION, index }))
    .toSorted((a, b) => Number(b.remainder - a.remainder) || a.index - b.index)
  const left = tax - whole.reduce((a, b) => a + b, 0)
  const up = new Set(byRemainder.slice(0, left).map(({ index }) => index))
  const signed = (units: number) => (units === 0 ? 0 : units * sign)
  return { tax: signed(tax), parts: whole.map((part, index) => signed(part + (up.has(index) ? 1 : 0))) }
}

function asTheEngineSays(zip: string, region: string, amounts: readonly number[]): AssessedLine[] {
  const sale = saleOf({
    from: { country: 'US', region: 'DE' },
    seller_registered: true,
    to: { country: 'US', region, postal_code: zip },
    currency: 'USD',
    day: '2026-07-01',
    lines: amounts.map((amount) => ({ amount })),
  })
  return assessSale(sale, book, local).lines
}

function asTheCasesSay(amounts: readonly number[], rates: readonly number[]) {
  const texts = rates.map((rate) => `0.${String(rate).padStart(6, '0')}`)
  const lines = amounts.map((amount) => ({ amount, rates: texts, one_sum: true }))
  const [parsed] = parseCases(JSON.stringify({ cases: [{ id: 'A', lines }] }))
  if (parsed === undefined) throw new Error('there is a case')
  return runCase(parsed)
}

describe('state and local taxes of one place', () => {
  it.each([
    ['New York City', 'NY', '10001'],
    ['Minneapolis', 'MN', '55401'],
  ])('have one answer for 100,000 amounts in %s: page, cases and engine', (_, region, zip) => {
    const [first] = asTheEngineSays(zip, region, [100])
    const rates = (first?.tax_breakdown ?? []).map(({ rate_millionths }) => rate_millionths)
    expect(rates.length).toBeGreaterThan(1)
    const wrong: number[] = []
    for (let start = 0; start < 100_000; start += LINES_A_SALE) {
      const amounts = Array.from({ length: LINES_A_SALE }, (__, index) => start + index + 1)
      const cases = asTheCasesSay(amounts, rates)
      for (const [index, line] of asTheEngineSays(zip, region, amounts).entries()) {
        const amount = start + index + 1
        const page = JSON.stringify(asThePageSays(amount, rates))
        const engine = { tax: line.tax_amount, parts: line.tax_breakdown.map((each) => each.tax_amount) }
        const ran = { tax: cases.line_tax[index], parts: cases.line_parts?.[index] }
        if (page !== JSON.stringify(engine) || page !== JSON.stringify(ran)) wrong.push(amount)
      }
    }
    expect(wrong).toEqual([])
  })

  it('are 17.66 USD of 199.00 in New York City', () => {
    expect(asTheEngineSays('10001', 'NY', [19_900])[0]?.tax_amount).toBe(1_766)
    expect(asThePageSays(19_900, [40_000, 45_000, 3_750])).toEqual({ tax: 1_766, parts: [796, 895, 75] })
  })

  it('have one answer for any rates and amounts, credits too', () => {
    const rates = fc.array(fc.integer({ min: 1, max: 120_000 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(rates, fc.integer({ min: -1e12, max: 1e12 }), (given, amount) => {
        const { line_tax, line_parts } = asTheCasesSay([amount], given)
        const { tax, parts } = asThePageSays(amount, given)
        expect({ line_tax, line_parts }).toEqual({ line_tax: [tax], line_parts: [parts] })
      }),
      { numRuns: 2_000 },
    )
  })
})

it('the examples of the page come to what it says', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/rounding.md'), 'utf8')
  const [, json = ''] = /^```json\n(.*?)^```$/ms.exec(page) ?? []
  const results = parseCases(json).map(runCase)
  expect(results.length).toBeGreaterThan(1)
  for (const { id, ok } of results) expect(ok, id).toBe(true)
})
