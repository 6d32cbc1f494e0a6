import { expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import { openRateBook } from '../../src/engine/book/rate-book.ts'
import type { Customer } from '../../src/engine/sale/sale.ts'
import { saleOf } from './sale.ts'

const facts = readFacts()
const book = openRateBook(facts)
const DAY = '2026-11-20'

/** Places and products with a rule of their own for businesses, or for others. */
const BY_BUYER = [
  ...new Set(
    facts.product_rules
      .filter(({ customer_type }) => customer_type !== 'all')
      .map(({ jurisdiction_id, product_type }) => `${jurisdiction_id} ${product_type}`),
  ),
].map((each) => each.split(' ') as [place: string, product_type: string])

function lineOf(place: string, product_type: string, type: Customer['type']) {
  const [country = '', region] = place.split('-')
  const to = { country, ...(region !== undefined && { region }) }
  const seller = { country: 'US', region: 'DE' }
  const sale = saleOf({
    from: seller,
    to,
    day: DAY,
    currency: 'USD',
    lines: [{ amount: 10_000, product_type }],
    registrations: [place],
  })
  const [line] = assessSale({ ...sale, customer: { ...sale.customer, type } }, book).lines
  if (line === undefined) throw new Error('the sale has a line')
  return line
}

it('has rules that differ by the kind of customer', () => {
  expect(BY_BUYER.length).toBeGreaterThan(5)
})

it.each(BY_BUYER)('tells in %s that the tax on %s depends on the customer', (place, product_type) => {
  const business = lineOf(place, product_type, 'business')
  const individual = lineOf(place, product_type, 'individual')
  const unknown = lineOf(place, product_type, null)
  expect(unknown.tax_amount).toBe(individual.tax_amount)
  const differs = business.tax_amount !== individual.tax_amount
  expect(unknown.conditions.length > 0).toBe(differs)
  expect(unknown.rule === 'specific' && differs).toBe(false)
  expect([business.conditions, individual.conditions]).toEqual([[], []])
  if (differs) expect(unknown.notes.join()).toContain('Send customer.type')
})

/** Products of which a business at home accounts for the tax. */
const REVERSED = facts.jurisdictions.flatMap(({ id, domestic_reverse_charge }) =>
  (JSON.parse(domestic_reverse_charge ?? '[]') as { product_type: string }[]).map(
    ({ product_type }) => [id, product_type] as const,
  ),
)

it.each(REVERSED)('tells in %s that a business may owe the tax on %s', (country, product_type) => {
  const sale = saleOf({
    from: { country },
    to: { country },
    day: DAY,
    currency: 'EUR',
    lines: [{ amount: 10_000, product_type }],
    registrations: [country],
  })
  const vat_id = { country, good: true, invalid: false }
  const toBusiness = { ...sale, customer: { ...sale.customer, type: 'business' as const, vat_id } }
  const [ofBusiness] = assessSale(toBusiness, book).lines
  const [ofConsumer] = assessSale(sale, book).lines
  expect(ofBusiness).toMatchObject({ conditions: [{ fact: 'product', rate_millionths: 0 }] })
  expect(ofBusiness?.rule).not.toBe('specific')
  expect(ofBusiness?.tax_amount).toBe(ofConsumer?.tax_amount)
  expect(ofConsumer?.conditions).toEqual([])
})

it('ends the rules of article 199a on their last day', () => {
  const until = facts.jurisdictions.flatMap(
    ({ domestic_reverse_charge }) =>
      JSON.parse(domestic_reverse_charge ?? '[]') as { product_type: string; effective_to: string | null }[],
  )
  const limited = until.filter(({ effective_to }) => effective_to !== null)
  expect(new Set(limited.map(({ effective_to }) => effective_to))).toEqual(new Set(['2026-12-31']))
})
