import type { BooksDb } from '../../../platform/database/databases.ts'
import { REFUNDED_PART, REFUNDED_PARTS, SOLD_IN, SOLD_PART, SOLD_PARTS } from './line-parts-store.ts'

/** The columns of the key that a part of a line has. */
const PART_KEY = [
  'place_of_supply',
  'scheme',
  'currency',
  'product_type',
  'tax_rate',
  'reason',
  'exemption',
] as const
const KEY = ['account_id', 'span', 'period', 'sold_in', 'jurisdiction_id', 'exported_to', ...PART_KEY].join(
  ', ',
)
const GROUP = KEY.split(',')
  .map((_, index) => index + 1)
  .join(', ')
/** A row of the day, and one of its month: `length` is that of the period. */
export const SPANS = "(SELECT 'day' AS span, 10 AS length UNION ALL SELECT 'month', 7)"

export const SOLD_SUMS = [
  'transactions',
  'product_transactions',
  'net_amount',
  'taxable_amount',
  'uncollected_amount',
  'tax_amount',
  'provincial_tax_amount',
] as const
export const REFUNDED_SUMS = [
  'refunds',
  'product_refunds',
  'refunded_net_amount',
  'refunded_taxable_amount',
  'refunded_tax_amount',
  'refunded_provincial_tax_amount',
] as const

const partKeyOf = (part: typeof SOLD_PART | typeof REFUNDED_PART) =>
  PART_KEY.map((name) => part[name]).join(', ')

const adding = (columns: readonly string[]) =>
  `ON CONFLICT DO UPDATE SET ${columns.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`

/** 1 adds to the totals, -1 takes away from them. */
export type Sign = 1 | -1

/** In the SQL, because a bound number would turn the sums into floats. */
export const minusIf = (sign: Sign) => (sign === 1 ? '' : '-')

/**
 * Adds sales to the totals of their day and month, or takes them away. The statement sums the stored lines of
 * completed sales, so that totals and transactions always agree. Put it after the inserts, in the same batch.
 */
export function addSalesToTotals(
  books: BooksDb,
  account_id: string,
  ids: readonly string[],
  sign: Sign = 1,
): D1PreparedStatement {
  return books
    .prepare(
      `INSERT INTO tax_totals (${KEY}, ${SOLD_SUMS.join(', ')})
       SELECT sale.account_id, span, substr(sale.day, 1, length), ${SOLD_IN}, sale.jurisdiction_id,
         sale.exported_to, ${partKeyOf(SOLD_PART)},
         ${SOLD_SUMS.map((name) => `${minusIf(sign)} sum(${SOLD_PART[name]})`).join(', ')}
       FROM ${SOLD_PARTS}, ${SPANS}
       WHERE +sale.account_id = ?1 AND sale.id IN (SELECT value FROM json_each(?2))
         AND sale.status IN ('completed', 'refunded')
       GROUP BY ${GROUP} ${adding(SOLD_SUMS)}`,
    )
    .bind(account_id, JSON.stringify(ids))
}

/**
 * Adds a stored refund to the totals of its day and month, or takes it away. Put it where the row exists, in
 * the same batch.
 */
export function addRefundToTotals(
  books: BooksDb,
  account_id: string,
  refund_id: string,
  sign: Sign = 1,
): D1PreparedStatement {
  return addRefunds(books, 'refund.id = ?2', account_id, refund_id, sign)
}

/** Adds all refunds of some transactions to the totals, or takes them away. */
export function addRefundsOfSales(
  books: BooksDb,
  account_id: string,
  ids: readonly string[],
  sign: Sign,
): D1PreparedStatement {
  const among = 'refund.transaction_id IN (SELECT value FROM json_each(?2))'
  return addRefunds(books, among, account_id, JSON.stringify(ids), sign)
}

function addRefunds(
  books: BooksDb,
  which: string,
  account_id: string,
  value: string,
  sign: Sign,
): D1PreparedStatement {
  return books
    .prepare(
      `INSERT INTO tax_totals (${KEY}, ${REFUNDED_SUMS.join(', ')})
       SELECT refund.account_id, span, substr(refund.day, 1, length), ${SOLD_IN}, sale.jurisdiction_id,
         sale.exported_to, ${partKeyOf(REFUNDED_PART)},
         ${REFUNDED_SUMS.map((name) => `${minusIf(sign)} sum(${REFUNDED_PART[name]})`).join(', ')}
       FROM ${REFUNDED_PARTS}, ${SPANS}
       WHERE refund.account_id = ?1 AND ${which}
       GROUP BY ${GROUP} ${adding(REFUNDED_SUMS)}`,
    )
    .bind(account_id, value)
}
