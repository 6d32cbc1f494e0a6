import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plainSale } from '../../scripts/plain-sale.ts'
import { readFacts } from '../../scripts/read-facts.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import { openRateBook } from '../../src/engine/book/rate-book.ts'
import type { SaleLine } from '../../src/engine/sale/sale.ts'

const facts = readFacts()
const MADE_OF = [
  { name: 'One tax', rate: 0.055 },
  { name: 'Second tax', rate: 0.0125 },
  { name: 'Third tax', rate: 0.0125 },
]
/** The 8 % of Malaysia, as if it were made of three taxes. */
const book = openRateBook({
  ...facts,
  rates: facts.rates.map((rate) =>
    rate.jurisdiction_id === 'MY' && rate.effective_to === null
      ? { ...rate, made_of: JSON.stringify(MADE_OF) }
      : rate,
  ),
})

const seller = {
  address: { country: 'US', region: 'NY' },
  registrations: ['MY'],
  over_eu_threshold: false,
  small_business: false,
}
const soldTo = (country: string, lines: readonly Partial<SaleLine>[], rounding: 'line' | 'document') => {
  const sale = plainSale(
    { currency: 'MYR', day: '2026-06-15', seller, to: { country } },
    { amount: 1, product_type: 'streaming' },
  )
  const [line] = sale.lines
  if (line === undefined) throw new Error('the sale has a line')
  return assessSale({ ...sale, rounding, lines: lines.map((each) => ({ ...line, ...each })) }, book)
}
const sumOf = (parts: readonly { tax_amount: number }[]) =>
  parts.reduce((sum, { tax_amount }) => sum + tax_amount, 0)

it('a rate of several taxes tells what each of them has', () => {
  const { lines, tax_breakdown } = soldTo('MY', [{ amount: 10_000 }, { amount: 999 }], 'line')
  const amounts = (parts: readonly { tax_amount: number }[] = []) => parts.map((part) => part.tax_amount)
  expect(lines.map((line) => amounts(line.tax_breakdown[0]?.components))).toEqual([
    [550, 125, 125],
    [55, 13, 12],
  ])
  expect(amounts(tax_breakdown[0]?.components)).toEqual([605, 138, 137])
  expect(tax_breakdown[0]?.components?.[1]).toEqual({ name: 'Second tax', rate: 0.0125, tax_amount: 138 })
})

it('a rate that is one tax has none', () => {
  const [line] = soldTo('TW', [{ amount: 10_000 }], 'line').lines
  expect(line?.tax_breakdown.every((entry) => !('components' in entry))).toBe(true)
})

it('the taxes of a rate always add up to the tax of the line, and of the sale', () => {
  const line = fc.record({
    amount: fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }),
    tax_behavior: fc.constantFrom('exclusive' as const, 'inclusive' as const),
  })
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('line' as const, 'document' as const),
      (lines, rounding) => {
        const assessed = soldTo('MY', lines, rounding)
        for (const { tax_amount, tax_breakdown } of [...assessed.lines, assessed]) {
          const components = tax_breakdown.flatMap((entry) => entry.components ?? [])
          expect(sumOf(components)).toBe(tax_amount)
          if (lines.length > 1) continue
          for (const part of components)
            expect(part.tax_amount * Math.sign(tax_amount)).toBeGreaterThanOrEqual(0)
        }
      },
    ),
    { numRuns: 2_000 },
  )
})
