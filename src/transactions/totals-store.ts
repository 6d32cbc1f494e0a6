import type { BooksDb } from '../database/databases.ts'
import type { Context } from '../context.ts'
import type { StoredTax } from './line-taxes.ts'
import { conditionOf, piecesOf } from './pieces.ts'
import { SHOWN_STATUS } from './status-store.ts'

/**
 * The part of a refund for one group of lines, with the columns of its row in tax_totals. Amounts in minor
 * units.
 */
export type RefundPart = {
  /** The position of its line; missing in refunds that were recorded by groups of lines. */
  position?: number
  /** Counts the rates of a line with several. */
  portion?: number
  /** The number of articles given back, if the refund named it. */
  quantity?: number
  place_of_supply: string
  scheme: string
  product_type: string
  /** Millionths. */
  tax_rate: number
  /** The taxability reason, '' for none. */
  reason: string
  /** The type of the customer's certificate for the line, '' for none. */
  exemption: string
  /** 1 for the group that counts the refund for its product type. */
  opens_product: number
  net_amount: number
  taxable_amount: number
  tax_amount: number
  provincial_tax_amount: number
  /** By jurisdiction, if returns of the place list them. Missing in refunds of earlier releases. */
  taxes?: StoredTax[]
}

export type CountChange = { day: string; jurisdiction_id: string; status: string; change: number }

/** The columns of the key that a part of a line has. */
export const PART_KEY = 'place_of_supply, scheme, currency, product_type, tax_rate, reason, exemption'
const KEY = `account_id, span, period, sold_in, jurisdiction_id, exported_to, ${PART_KEY}`
const GROUP = KEY.split(',')
  .map((_, index) => index + 1)
  .join(', ')
const SPANS = "(SELECT 'day' AS span, 10 AS length UNION ALL SELECT 'month', 7)"

const SOLD = [
  'transactions',
  'product_transactions',
  'net_amount',
  'taxable_amount',
  'uncollected_amount',
  'tax_amount',
  'provincial_tax_amount',
] as const
const REFUNDED = [
  'refunds',
  'product_refunds',
  'refunded_net_amount',
  'refunded_taxable_amount',
  'refunded_tax_amount',
  'refunded_provincial_tax_amount',
] as const

/**
 * The month of the sale. A credit note that names its sale belongs to the month of that sale. `sale` is the
 * row of the transaction.
 */
export const SOLD_IN = 'substr(coalesce(sale.credited_day, sale.day), 1, 7)'

/**
 * The parts of sold lines: one for each line, or for each rate of a line with several. Columns: those of
 * transactions as `sale`, of transaction_lines as `line`, and the part as `portion`, null for a whole line.
 */
export const SOLD_PARTS = `transactions sale
  JOIN transaction_lines line ON line.account_id = sale.account_id AND line.transaction_id = sale.id
  LEFT JOIN json_each(line.portions) portion`

const ofPortion = (name: string) => `coalesce(portion.value ->> '${name}', line.${name})`
const onceOfLine = (name: string) => `iif(coalesce(portion.key, 0) = 0, ${name}, 0)`

/** The columns of a part in tax_totals, by name, in terms of SOLD_PARTS. */
export const SOLD_PART = {
  place_of_supply: 'line.place_of_supply',
  scheme: 'line.scheme',
  currency: 'sale.currency',
  product_type: 'line.product_type',
  tax_rate: ofPortion('tax_rate'),
  reason: "coalesce(portion.value ->> 'reason', line.taxability_reason, '')",
  exemption: 'line.exemption',
  transactions: 'line.position = 0 AND coalesce(portion.key, 0) = 0',
  product_transactions: onceOfLine('line.opens_product'),
  net_amount: ofPortion('net_amount'),
  taxable_amount: ofPortion('taxable_amount'),
  uncollected_amount: onceOfLine('line.uncollected_amount'),
  tax_amount: ofPortion('tax_amount'),
  provincial_tax_amount: onceOfLine('line.provincial_tax_amount'),
} as const

/** The parts of refunds: rows of refunds as `refund`, of transactions as `sale`, and the part as `part`. */
export const REFUNDED_PARTS = `refunds refund
  JOIN transactions sale ON sale.account_id = refund.account_id AND sale.id = refund.transaction_id,
  json_each(refund.parts) part`

const ofPart = (name: string) => `part.value ->> '${name}'`

/** The columns of a refunded part in tax_totals, by name, in terms of REFUNDED_PARTS. */
export const REFUNDED_PART = {
  place_of_supply: ofPart('place_of_supply'),
  scheme: ofPart('scheme'),
  currency: 'sale.currency',
  product_type: ofPart('product_type'),
  tax_rate: ofPart('tax_rate'),
  reason: ofPart('reason'),
  exemption: `coalesce(${ofPart('exemption')}, '')`,
  refunds: 'part.key = 0',
  product_refunds: ofPart('opens_product'),
  refunded_net_amount: ofPart('net_amount'),
  refunded_taxable_amount: ofPart('taxable_amount'),
  refunded_tax_amount: ofPart('tax_amount'),
  refunded_provincial_tax_amount: ofPart('provincial_tax_amount'),
} as const

const partKeyOf = (part: typeof SOLD_PART | typeof REFUNDED_PART) =>
  [
    part.place_of_supply,
    part.scheme,
    part.currency,
    part.product_type,
    part.tax_rate,
    part.reason,
    part.exemption,
  ].join(', ')

const adding = (columns: readonly string[]) =>
  `ON CONFLICT DO UPDATE SET ${columns.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`

/** 1 adds to the totals, -1 takes away from them. */
type Sign = 1 | -1

/** In the SQL, because a bound number would turn the sums into floats. */
const minusIf = (sign: Sign) => (sign === 1 ? '' : '-')

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
      `INSERT INTO tax_totals (${KEY}, ${SOLD.join(', ')})
       SELECT sale.account_id, span, substr(sale.day, 1, length), ${SOLD_IN}, sale.jurisdiction_id,
         sale.exported_to, ${partKeyOf(SOLD_PART)},
         ${SOLD.map((name) => `${minusIf(sign)} sum(${SOLD_PART[name]})`).join(', ')}
       FROM ${SOLD_PARTS}, ${SPANS}
       WHERE sale.account_id = ?1 AND sale.id IN (SELECT value FROM json_each(?2))
         AND sale.status IN ('completed', 'refunded')
       GROUP BY ${GROUP} ${adding(SOLD)}`,
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
      `INSERT INTO tax_totals (${KEY}, ${REFUNDED.join(', ')})
       SELECT refund.account_id, span, substr(refund.day, 1, length), ${SOLD_IN}, sale.jurisdiction_id,
         sale.exported_to, ${partKeyOf(REFUNDED_PART)},
         ${REFUNDED.map((name) => `${minusIf(sign)} sum(${REFUNDED_PART[name]})`).join(', ')}
       FROM ${REFUNDED_PARTS}, ${SPANS}
       WHERE refund.account_id = ?1 AND ${which}
       GROUP BY ${GROUP} ${adding(REFUNDED)}`,
    )
    .bind(account_id, value)
}

/** Changes the counts of transactions. A change of status is -1 for the old status and +1 for the new one. */
export function countTransactions(
  books: BooksDb,
  account_id: string,
  changes: readonly CountChange[],
): D1PreparedStatement {
  return books
    .prepare(
      `INSERT INTO transaction_counts (account_id, span, period, jurisdiction_id, status, transactions)
       SELECT ?1, span, substr(value ->> 'day', 1, length), value ->> 'jurisdiction_id', value ->> 'status',
         sum(value ->> 'change')
       FROM json_each(?2), ${SPANS} WHERE true
       GROUP BY 2, 3, 4, 5
       ON CONFLICT DO UPDATE SET transactions = transactions + excluded.transactions`,
    )
    .bind(account_id, JSON.stringify(changes))
}

/** Adds stored transactions to the counts of their day and month, or takes them away. */
export function countStored(
  books: BooksDb,
  account_id: string,
  ids: readonly string[],
  sign: Sign,
): D1PreparedStatement {
  return books
    .prepare(
      `INSERT INTO transaction_counts (account_id, span, period, jurisdiction_id, status, transactions)
       SELECT account_id, span, substr(day, 1, length), jurisdiction_id, ${SHOWN_STATUS},
         ${minusIf(sign)} count(*)
       FROM transactions, ${SPANS}
       WHERE account_id = ?1 AND id IN (SELECT value FROM json_each(?2))
       GROUP BY 2, 3, 4, 5
       ON CONFLICT DO UPDATE SET transactions = transactions + excluded.transactions`,
    )
    .bind(account_id, JSON.stringify(ids))
}

type CountFilter = {
  from_date?: string | undefined
  to_date?: string | undefined
  jurisdiction_id?: string | undefined
  status?: string | undefined
}

/** How many transactions match a filter, from the counts of whole months and of the days at both ends. */
export async function readTransactionCount(
  { books, principal }: Context,
  filter: CountFilter,
): Promise<number> {
  const { from_date = '0000-01-01', to_date = '9999-12-31', jurisdiction_id = null, status = null } = filter
  const within = conditionOf(piecesOf(from_date, to_date))
  const row = await books
    .prepare(
      `SELECT coalesce(sum(transactions), 0) AS total FROM transaction_counts
     WHERE account_id = ?1 AND (?2 IS NULL OR jurisdiction_id = ?2) AND (?3 IS NULL OR status = ?3)
       AND ${within.sql}`,
    )
    .bind(principal.account_id, jurisdiction_id, status, ...within.values)
    .first<{ total: number }>()
  return row?.total ?? 0
}
