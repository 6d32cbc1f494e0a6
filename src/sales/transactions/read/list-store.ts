import type { Context } from '../../../platform/context.ts'
import type { BooksDb } from '../../../platform/database/databases.ts'
import { rowsOf } from '../../../platform/database/results.ts'
import { fieldError } from '../../../platform/errors.ts'
import { endOfDay, startOfDay } from '../../../platform/kit/time-zone.ts'
import type { StoredTransaction, TransactionRow } from '../sale/rows.ts'
import type { TransactionFilter } from '../sale/schemas.ts'
import { hasStatus } from '../sums/status-store.ts'
import { refuseInexact } from '../sums/sums.ts'
import { sealed } from '../../sealed/with-sealed.ts'
import { TRANSACTION_ROW, withDetails } from '../sale/store.ts'

/** How many rows a page may read for the filters that no index answers. */
export const SCANNED_ROWS_MAX = 2_000

/** How many external ids may begin with `external_id_prefix`. */
export const PREFIXED_ROWS_MAX = 1_000

/** How many rows the sums of a list may read. */
const SUMMED_ROWS_MAX = 10_000

/** The place of a row in the list. The next page begins after it. */
type ListPlace = Pick<TransactionRow, 'transaction_date' | 'currency' | 'total' | 'id'>

/** `ids`: only these sales, which a search found. */
type ListFilter = TransactionFilter & { ids?: readonly string[] | undefined }

type ListedAccount = Pick<Context['principal'], 'account_id' | 'time_zone'>
type RowsSelection = { sql: `${string}FROM transactions ${string}`; values: string[] }

const BY_DATE = '(transaction_date, id)'
const BY_AMOUNT = '(currency, total, id)'
const ORDERS = {
  newest: { newest: true, by: BY_DATE, order: 'ORDER BY transaction_date DESC, id DESC', after: '<' },
  oldest: { newest: false, by: BY_DATE, order: 'ORDER BY transaction_date, id', after: '>' },
  largest: { newest: true, by: BY_AMOUNT, order: 'ORDER BY currency DESC, total DESC, id DESC', after: '<' },
  smallest: { newest: false, by: BY_AMOUNT, order: 'ORDER BY currency, total, id', after: '>' },
} as const

function orderOf({ sort = 'newest' }: TransactionFilter): (typeof ORDERS)[keyof typeof ORDERS] {
  return ORDERS[sort]
}

/** Whether a list is in the order of amounts: by currency, then total. */
export function isByAmount(filter: TransactionFilter): boolean {
  return orderOf(filter).by === BY_AMOUNT
}

/** The cursor of a place in a list. */
export function cursorOf(filter: TransactionFilter, place: ListPlace): string {
  const { transaction_date, currency, total, id } = place
  return isByAmount(filter) ? `${currency}~${total}~${id}` : `${transaction_date}~${id}`
}

/**
 * A page of transactions in the order that is asked for. `next` is null on the last page. An index answers
 * every filter but currency, product type, reason, certificate and those of no tax and of own sales; in the
 * order of amounts, only the currency. With the others, a page reads at most 2,000 rows and may therefore
 * have fewer rows than `limit`, although more follow. Throws invalid_request if too many external ids begin
 * with the prefix, because they have to be sorted.
 */
export async function listTransactions(
  context: Context,
  filter: ListFilter,
  limit: number,
  offset: number,
): Promise<{ sales: StoredTransaction[]; next: ListPlace | null }> {
  if (filter.external_id_prefix !== undefined) await refuseManyPrefixed(context, filter.external_id_prefix)
  if (context.env.CHESTS !== undefined) return listWithSealed(context, filter, limit, offset)
  const found = await readRows(context, filter, limit, offset)
  const shown = found.rows.slice(0, limit)
  const next = found.rows.length > limit ? (shown.at(-1) ?? null) : found.end
  return { sales: await withDetails(context, shown), next }
}

/**
 * A page of what is in the books and what is sealed. What is sealed has no index on amounts, and no rows are
 * skipped in it.
 */
async function listWithSealed(context: Context, filter: ListFilter, limit: number, offset: number) {
  const { everywhereOfIds, hasSealed, pageEverywhere, RUNS_OF_PAGE } = await sealed.load()
  const read = async (books: BooksDb) => {
    const source = { ...context, books }
    const { rows, end } = await readRows(source, filter, limit + 1, offset)
    return { rows: await withDetails(source, rows), end: end === null ? null : placeOf(end) }
  }
  const range = rangeOf(filter, context.principal.time_zone)
  const { newest } = orderOf(filter)
  const placeOfSale = ({ row }: StoredTransaction) => placeOf(row)
  if (filter.ids !== undefined) {
    const found = (
      await everywhereOfIds(context, filter.ids, async (books) => (await read(books)).rows)
    ).flat()
    const sales = found.toSorted(inOrderOf(filter))
    return {
      sales: sales.slice(0, limit),
      next: sales.length > limit ? (sales[limit - 1]?.row ?? null) : null,
    }
  }
  if ((isByAmount(filter) || offset > 0) && (await hasSealed(context, range)))
    throw fieldError('invalid_request', offset > 0 ? 'offset' : 'sort', SEALED)
  const order = { newest, limit: limit + 1, placeOf: placeOfSale, runs_max: RUNS_OF_PAGE }
  const { rows, end } = await pageEverywhere(context, range, order, read)
  const sales = rows.slice(0, limit)
  const last = rows.length > limit ? (sales.at(-1)?.row ?? null) : placeAt(end)
  return { sales, next: last }
}

const SEALED =
  'is not possible, because older sales of these dates are sealed: give from_date, or leave it out'

function placeOf({ transaction_date, id }: ListPlace): readonly [string, string] {
  return [transaction_date, id]
}

function placeAt(end: readonly [string, string] | null): ListPlace | null {
  return end === null ? null : { transaction_date: end[0], id: end[1], currency: '', total: 0 }
}

/** The moments that a list looks at, and where it goes on. */
function rangeOf(filter: TransactionFilter, zone: string) {
  const [date = '', id = ''] = isByAmount(filter) ? [] : (filter.cursor?.split('~') ?? [])
  return {
    from: filter.from_date === undefined ? '' : startOfDay(zone, filter.from_date),
    before: filter.to_date === undefined ? '~' : endOfDay(zone, filter.to_date),
    past: date === '' ? null : ([date, id] as const),
  }
}

function inOrderOf(filter: TransactionFilter) {
  const { newest } = orderOf(filter)
  const keyOf = ({ row: { transaction_date, currency, total, id } }: StoredTransaction) =>
    isByAmount(filter) ? ([currency, total, id] as const) : ([transaction_date, 0, id] as const)
  return (one: StoredTransaction, other: StoredTransaction): number => {
    const [a, b] = newest ? [keyOf(other), keyOf(one)] : [keyOf(one), keyOf(other)]
    const index = [0, 1, 2].find((each) => a[each] !== b[each]) ?? 2
    return (a[index] ?? 0) < (b[index] ?? 0) ? -1 : 1
  }
}

async function readRows(
  context: Context,
  filter: ListFilter,
  limit: number,
  offset: number,
): Promise<FoundRows> {
  return conditionsOf(filter, context.principal.time_zone).scanned.length === 0
    ? readIndexed(context, filter, limit, offset)
    : readScanned(context, filter, limit)
}

type FoundRows = { rows: TransactionRow[]; end: ListPlace | null }

async function readIndexed(
  { books, principal }: Context,
  filter: ListFilter,
  limit: number,
  offset: number,
): Promise<FoundRows> {
  const { sql, values } = listStatement(principal, filter)
  const statement = books.prepare(sql).bind(...values, limit + 1, offset)
  return { rows: (await statement.all<TransactionRow>()).results, end: null }
}

/** `end` is the last row that was read, if the list may go on after it. */
async function readScanned(
  { books, principal }: Context,
  filter: ListFilter,
  limit: number,
): Promise<FoundRows> {
  const list = listStatement(principal, filter)
  const { sql, values } = indexedRows(principal, filter)
  const place = `SELECT transaction_date, currency, total, id ${sql}` as const
  const [rows, end] = await books.batch([
    books.prepare(list.sql).bind(...list.values, limit + 1, 0),
    books.prepare(`${place} ${orderOf(filter).order} LIMIT 1 OFFSET ${SCANNED_ROWS_MAX - 1}`).bind(...values),
  ])
  return { rows: rowsOf<TransactionRow>(rows), end: rowsOf<ListPlace>(end)[0] ?? null }
}

/** The statement of a page; bind a limit and an offset after `values`. Exported for the test of its plan. */
export function listStatement(principal: ListedAccount, filter: ListFilter): RowsSelection {
  const { sql, values } = indexedRows(principal, filter)
  const { scanned } = conditionsOf(filter, principal.time_zone)
  const { order } = orderOf(filter)
  const page = `${order} LIMIT ? OFFSET ?` as const
  if (scanned.length === 0) return { sql: `SELECT ${TRANSACTION_ROW} ${sql} ${page}`, values }
  return {
    sql: `SELECT ${TRANSACTION_ROW} FROM (SELECT * ${sql} ${order} LIMIT ${SCANNED_ROWS_MAX}) sale
      WHERE ${scanned.map(([condition]) => condition).join(' AND ')} ${page}`,
    values: [...values, ...scanned.flatMap(([, ...bound]) => bound)],
  }
}

/** Sums of the sales of a list in one currency, in minor units. */
type ListSums = {
  currency: string
  transactions: number
  subtotal: number
  tax_amount: number
  total: number
  amount_refunded: number
  tax_refunded: number
}

const SUMMED_COLUMNS = ['subtotal', 'tax_amount', 'total', 'amount_refunded', 'tax_refunded'] as const

/**
 * The sums of all sales that a filter finds, by currency, whatever the page; null if more than 10,000 would
 * have to be read, or if some are sealed. Without a status, only those that count: completed and refunded
 * ones. Sales of other sellers are added up only if the filter asks for them. Throws amount_out_of_range.
 */
export async function sumTransactions(context: Context, filter: ListFilter): Promise<ListSums[] | null> {
  const { env, books, principal } = context
  if (env.CHESTS !== undefined && filter.ids === undefined && filter.of_other_seller !== 'true') {
    const { hasSealed } = await sealed.load()
    if (await hasSealed(context, { ...rangeOf(filter, principal.time_zone), past: null })) return null
  }
  const { read, sums, values, scanned } = sumsStatements(principal, filter)
  const [count, rows] = await books.batch([
    books.prepare(read).bind(...values),
    books.prepare(sums).bind(...values, ...scanned),
  ])
  if ((rowsOf<{ read: number }>(count)[0]?.read ?? 0) > SUMMED_ROWS_MAX) return null
  return rowsOf<ListSums>(rows).map((row) => {
    for (const name of SUMMED_COLUMNS) refuseInexact(row[name])
    return row
  })
}

/** The statements of the sums; `scanned` are the last values of the second. Exported for their plans. */
export function sumsStatements(principal: ListedAccount, filter: ListFilter) {
  const all = { ...filter, sort: undefined, cursor: undefined }
  const { sql, values } = indexedRows(principal, all)
  const { scanned } = conditionsOf(all, principal.time_zone)
  const counted = [
    ...(filter.status === undefined ? ["status IN ('completed', 'refunded')"] : []),
    ...(filter.of_other_seller === undefined ? ['of_other_seller = 0'] : []),
  ]
  const where = [...counted, ...scanned.map(([condition]) => condition)].join(' AND ')
  const columns = `id, account_id, currency, status, of_other_seller, facts, tax_variance,
    ${SUMMED_COLUMNS.join(', ')}`
  return {
    read: `SELECT count(*) AS read FROM (SELECT 1 ${sql} LIMIT ${SUMMED_ROWS_MAX + 1})` as const,
    sums: `SELECT currency, count(*) AS transactions,
        ${SUMMED_COLUMNS.map((name) => `sum(${name}) AS ${name}`).join(', ')}
      FROM (SELECT ${columns} ${sql} LIMIT ${SUMMED_ROWS_MAX}) sale
      ${where === '' ? '' : `WHERE ${where}`} GROUP BY currency ORDER BY currency` as const,
    values,
    scanned: scanned.flatMap(([, ...bound]) => bound),
  }
}

async function refuseManyPrefixed({ books, principal }: Context, prefix: string): Promise<void> {
  const row = await books
    .prepare(
      `SELECT count(*) AS begun FROM (SELECT 1 FROM transactions
       WHERE account_id = ? AND external_id >= ? AND external_id < ? LIMIT ${PREFIXED_ROWS_MAX + 1})`,
    )
    .bind(principal.account_id, ...prefixBounds(prefix))
    .first<{ begun: number }>()
  if ((row?.begun ?? 0) > PREFIXED_ROWS_MAX)
    throw fieldError(
      'invalid_request',
      'external_id_prefix',
      `more than ${PREFIXED_ROWS_MAX.toLocaleString('en')} transactions begin with it: give more characters`,
    )
}

/** The rows of the filters that an index answers, as FROM and WHERE, with their values. */
function indexedRows(principal: ListedAccount, filter: ListFilter): RowsSelection {
  const { indexed } = conditionsOf(filter, principal.time_zone)
  // A search has found few sales: without the plus, SQLite would read all of the account in their order.
  const account = filter.ids === undefined ? 'account_id = ?' : '+account_id = ?'
  const where = [account, ...indexed.map(([sql]) => sql)].join(' AND ')
  return {
    sql: `FROM transactions ${indexHint(filter)} WHERE ${where}`,
    values: [principal.account_id, ...indexed.flatMap(([, ...values]) => values)],
  }
}

/** SQLite would prefer an index in the order of dates, and read all transactions of the account. */
function indexHint(filter: ListFilter): string {
  if (filter.ids !== undefined) return ''
  if (isByAmount(filter)) return 'INDEXED BY transactions_by_amount'
  if (filter.external_id_prefix !== undefined) return 'INDEXED BY transactions_by_external_id'
  return filter.of_other_seller === 'true' ? 'INDEXED BY transactions_of_other_sellers' : ''
}

type ListCondition = [sql: string, ...values: string[]]

/** `indexed` are answered by an index in the order of the list, `scanned` row by row. */
function conditionsOf(
  filter: ListFilter,
  zone: string,
): { indexed: ListCondition[]; scanned: ListCondition[] } {
  const currency: ListCondition[] = filter.currency === undefined ? [] : [['currency = ?', filter.currency]]
  const lines = lineConditions(filter)
  const own = ownConditions(filter, zone)
  const place = [...searchConditions(filter), ...cursorConditions(filter)]
  return isByAmount(filter) && filter.ids === undefined
    ? { indexed: [...currency, ...place], scanned: [...own, ...lines] }
    : { indexed: [...own, ...place], scanned: [...currency, ...lines] }
}

function ownConditions(filter: ListFilter, zone: string): ListCondition[] {
  const conditions: ListCondition[] = []
  if (filter.from_date !== undefined)
    conditions.push(['transaction_date >= ?', startOfDay(zone, filter.from_date)])
  if (filter.to_date !== undefined) conditions.push(['transaction_date < ?', endOfDay(zone, filter.to_date)])
  if (filter.jurisdiction_id !== undefined) conditions.push(['jurisdiction_id = ?', filter.jurisdiction_id])
  if (filter.status !== undefined) conditions.push(hasStatus(filter.status))
  if (filter.of_other_seller === 'true') conditions.push(['of_other_seller = 1'])
  if (filter.customer_id !== undefined) conditions.push(['customer_id = ?', filter.customer_id])
  if (filter.external_id_prefix !== undefined)
    conditions.push(['external_id >= ? AND external_id < ?', ...prefixBounds(filter.external_id_prefix)])
  return conditions
}

function searchConditions({ ids }: ListFilter): ListCondition[] {
  return ids === undefined ? [] : [['id IN (SELECT value FROM json_each(?))', JSON.stringify(ids)]]
}

/** Throws invalid_request for the cursor of another order. */
function cursorConditions(filter: ListFilter): ListCondition[] {
  if (filter.cursor === undefined) return []
  const { by, after } = orderOf(filter)
  const parts = filter.cursor.split('~')
  if (parts.length !== (by === BY_AMOUNT ? 3 : 2))
    throw fieldError('invalid_request', 'cursor', 'is of a list in another order')
  return [[`${by} ${after} (${by === BY_AMOUNT ? '?, CAST(? AS INTEGER), ?' : '?, ?'})`, ...parts]]
}

function lineConditions({
  product_type,
  no_tax,
  variance,
  reason,
  exemption_id,
  of_other_seller,
}: TransactionFilter): ListCondition[] {
  const conditions: ListCondition[] = []
  if (of_other_seller === 'false') conditions.push(['of_other_seller = 0'])
  if (no_tax !== undefined) conditions.push(['tax_amount = 0'])
  if (variance !== undefined) conditions.push(['tax_variance <> 0'])
  if (reason !== undefined) conditions.push([hasLine('taxability_reason'), reason])
  if (product_type !== undefined) conditions.push([hasLine('product_type'), product_type])
  if (exemption_id === 'none') conditions.push([`NOT EXISTS (SELECT 1 FROM ${CERTIFICATES})`])
  else if (exemption_id !== undefined)
    conditions.push([
      `EXISTS (SELECT 1 FROM ${CERTIFICATES} WHERE value ->> '$.exemption_id' = ?)`,
      exemption_id,
    ])
  return conditions
}

/** The certificates that a sale rests on, as rows. Sales of earlier releases have no list. */
const CERTIFICATES = "json_each(coalesce(sale.facts -> '$.certificates', '[]'))"

function hasLine(column: 'taxability_reason' | 'product_type'): string {
  return `EXISTS (SELECT 1 FROM transaction_lines line WHERE line.account_id = sale.account_id
    AND line.transaction_id = sale.id AND line.${column} = ?)`
}

/** Texts from the first bound on, and before the second, begin with the prefix. */
export function prefixBounds(prefix: string): [from: string, before: string] {
  return [prefix, `${prefix}\u{10ffff}`]
}
