import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import jurisdictions from '../../../data/jurisdictions.json'
import { PRODUCT_TYPE_IDS } from '../../../src/engine/book/product-types.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount({ tier: 'enterprise' })

const DAY = '2026-06-15'

type Rates = {
  combined_rate: number | null
  rates: { jurisdiction_id: string; tax_type: string; rate: number }[]
  notes: string[]
}
type Line = {
  taxability_reason: string | null
  tax_breakdown: { jurisdiction_id: string; tax_type: string; rate: number; taxable_amount: number }[]
}

async function ratesOf(jurisdiction: string, product_type: string): Promise<Rates> {
  const path = `/v1/rates?jurisdiction=${jurisdiction}&product_type=${product_type}&date=${DAY}`
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as Rates
}

/** The line of one item sold within a place, by a seller who is registered there. */
async function soldIn(id: string, product_type: string, amount: number): Promise<Line> {
  const [country = '', region] = id.split('-')
  const address = region === undefined ? { country } : { country, region }
  const body = {
    currency: CURRENCY[country] ?? 'EUR',
    transaction_date: DAY,
    seller: { ...address, registrations: country === 'CA' ? [id, 'CA'] : [id] },
    customer: { address },
    line_items: [{ amount, product_type }],
  }
  const answer = await call('POST', '/v1/calculate', { key, body })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as { line_items: [Line] }).line_items[0]
}

const CURRENCY: Readonly<Record<string, string>> = {
  US: 'USD',
  CA: 'CAD',
  GB: 'GBP',
  AU: 'AUD',
  NZ: 'NZD',
  CH: 'CHF',
}

/** The places of a law that covers all products. */
const PLACES = jurisdictions
  .map(({ id }) => id)
  .filter((id) => /^(US|CA)-[A-Z]{2}$/.test(id) || /^(DE|FR|IE|PL|GB|AU|NZ|CH)$/.test(id))

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0)

describe('the rate of a product', () => {
  it('is what a calculation takes, with its basis, its limits and what is no supply', async () => {
    const pair = fc.tuple(fc.constantFrom(...PLACES), fc.constantFrom(...PRODUCT_TYPE_IDS))
    await fc.assert(
      fc.asyncProperty(pair, async ([place, product_type]) => {
        const { combined_rate, rates, notes } = await ratesOf(place, product_type)
        if (combined_rate === null) return
        const said = notes.join(' ')
        const [cheap, dear] = [
          await soldIn(place, product_type, 2_000),
          await soldIn(place, product_type, 2_000_000),
        ]
        const taxes = dear.tax_breakdown.filter(
          ({ jurisdiction_id: at }) => at === place || place.startsWith(`${at}-`),
        )
        if (dear.taxability_reason === 'not_a_supply') {
          expect(combined_rate).toBe(0)
          expect(said).toContain('is not a supply')
          return
        }
        const by_price =
          sumOf(cheap.tax_breakdown.map(({ rate }) => rate)) !==
          sumOf(dear.tax_breakdown.map(({ rate }) => rate))
        if (by_price) {
          expect(said).toMatch(/an item|items|price/)
          return
        }
        expect(sumOf(taxes.map(({ rate }) => rate))).toBeCloseTo(combined_rate, 9)
        expect(sumOf(rates.filter(({ rate }) => rate > 0).map(({ rate }) => rate))).toBeCloseTo(
          combined_rate,
          9,
        )
        if (taxes.some(({ taxable_amount }) => taxable_amount < 2_000_000)) expect(said).toContain('price')
      }),
      // What is not a supply is one type of many, so chance alone seldom asks for it.
      {
        numRuns: 60,
        examples: ['FR', 'DE', 'US-NY', 'CA-ON', 'AU', 'CH'].map((place) => [[place, 'gift_card']]),
      },
    )
  })
})
