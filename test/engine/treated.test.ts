import { describe, expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import type { ProductRule, Rate } from '../../src/engine/book/facts.ts'
import { openRateBook, type RateBook } from '../../src/engine/book/rate-book.ts'
import { saleOf, type SaleInWords } from './sale.ts'

/** What the law says of a product is found once for each book, place and day, and kept. */

const facts = readFacts()
const withRates = (change: (rate: Rate) => Rate) =>
  openRateBook({ ...facts, rates: facts.rates.map(change), version: 'later' })
const withRules = (change: (rule: ProductRule) => ProductRule) =>
  openRateBook({ ...facts, product_rules: facts.product_rules.map(change), version: 'later' })

function sold(book: RateBook, words: Partial<SaleInWords> = {}) {
  const estonia = { country: 'EE' }
  const lines = [{ amount: 10_000, product_type: 'physical_goods' }]
  return assessSale(saleOf({ from: estonia, to: estonia, lines, ...words }), book)
}

describe('what the law says of a product', () => {
  it('is that of the book of the sale, if a new one is published between two sales', () => {
    const before = openRateBook(facts)
    const after = withRates((rate) =>
      rate.jurisdiction_id === 'EE' && rate.rate_millionths === 240_000
        ? { ...rate, rate_millionths: 260_000 }
        : rate,
    )
    const taxes = [before, after, before, after].map((book) => sold(book).tax_amount)
    expect(taxes).toEqual([2_400, 2_600, 2_400, 2_600])
  })

  it('has the notes of that book, too', () => {
    const doubtful = withRules((rule) =>
      rule.jurisdiction_id === 'EE' && rule.product_type === 'physical_goods'
        ? { ...rule, confidence: 'low', notes: 'A later book doubts it.' }
        : rule,
    )
    const lines = [{ amount: 10_000, product_type: 'physical_goods' }]
    const shipping = { amount: 500 }
    const said = [openRateBook(facts), doubtful, openRateBook(facts)].map((book) =>
      sold(book, { lines, shipping }).lines.flatMap(({ rule, notes }) => [rule, ...notes]),
    )
    expect(said[0]).toEqual(['specific'])
    expect(said[1]?.join()).toContain('A later book doubts it')
    expect(said[2]).toEqual(said[0])
  })

  it('is that of the day of the sale, however many days were asked for before', () => {
    const book = openRateBook(facts)
    const days = Array.from({ length: 30 }, (_, index) => `2025-06-${String(index + 1).padStart(2, '0')}`)
    const months = [...days, ...days.map((day) => day.replace('-06-', '-07-'))]
    const taxes = [...months, ...months].map((day) => sold(book, { day }).tax_amount)
    const expected = months.map((day) => (day < '2025-07-01' ? 2_200 : 2_400))
    expect(taxes).toEqual([...expected, ...expected])
  })

  it('is that of the place of the sale', () => {
    const book = openRateBook(facts)
    const rateIn = (country: string) => sold(book, { from: { country }, to: { country } }).rate_millionths
    expect(['EE', 'LV', 'EE', 'LV'].map(rateIn)).toEqual([240_000, 210_000, 240_000, 210_000])
  })

  it('is that for the kind of customer: Ohio taxes software as a service for businesses alone', () => {
    const book = openRateBook(facts)
    const ohio = { country: 'US', region: 'OH' }
    const lines = [{ amount: 10_000, product_type: 'saas' }]
    const taxFor = (type: 'business' | 'individual') =>
      sold(book, { from: ohio, to: ohio, lines, customer: { address: ohio, type, vat_id: null } }).tax_amount
    const [first, ...others] = (['business', 'individual', 'business'] as const).map(taxFor)
    expect(first).toBeGreaterThan(0)
    expect(others).toEqual([0, first])
  })
})
