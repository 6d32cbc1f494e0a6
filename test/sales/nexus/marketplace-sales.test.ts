import { expect, it } from 'vitest'
import { countSales, type SoldRow } from '../../../src/sales/nexus/counted-sales.ts'
import type { Threshold } from '../../../src/engine/book/facts.ts'
import { invariant } from '../../../src/engine/ground/invariant.ts'
import { openRateBook } from '../../../src/engine/book/rate-book.ts'
import { testFacts } from '../../support/service-data.ts'

const book = openRateBook(testFacts())

const sold = (reason: string): SoldRow => ({
  jurisdiction_id: 'US-CA',
  exported_to: '',
  currency: 'USD',
  product_type: 'physical_goods',
  reason,
  exemption: '',
  scheme: '',
  place_of_supply: 'US-CA',
  transactions: 1,
  net_amount: 10_000,
  taxable_amount: 0,
  uncollected_amount: 0,
})

/** A threshold of the data that counts, or does not count, the sales of marketplaces. */
const thresholdThat = (counted: boolean, included_sales: Threshold['included_sales']): Threshold => ({
  ...invariant(
    book.facts.thresholds.find(({ threshold_type }) => threshold_type === 'REMOTE_SELLER_NEXUS') ?? null,
    'a threshold',
  ),
  marketplace_sales_counted: counted,
  included_sales,
})

it.each([
  ['gross', true, 10_000, 1],
  ['taxable', true, 10_000, 1],
  ['gross', false, 0, 0],
] as const)('sales of a marketplace count by the record: %s, counted %s', (basis, counted, amount, count) => {
  const rows = [sold('marketplace_collects')]
  expect(countSales(book, thresholdThat(counted, basis), rows)).toMatchObject({
    amount,
    transaction_count: count,
  })
})
