import type { Context } from '../context.ts'
import { rowsOf } from '../database/results.ts'
import { fieldError } from '../errors.ts'
import { endOfDay, startOfDay } from '../time-zone.ts'
import type { StoredTransaction, TransactionRow } from './rows.ts'
import type { TransactionFilter } from './schemas.ts'
import { hasStatus } from './status-store.ts'
import { TRANSACTION_ROW, withDetails } from './store.ts'

/** How many rows a page may read for the filters that no index answers. */
export const SCANNED_ROWS_MAX = 2_000

/** How many external ids may begin with `external_id_prefix`. */
export const PREFIXED_ROWS_MAX = 1_000

/** The place of a row in the list. The next page begins after it. */
export type ListPlace = Pick<TransactionRow, 'transaction_date' | 'id'>

type ListedAccount = Pick<Context['principal'], 'account_id' | 'time_zone'>
type RowsSelection = { sql: `${string}FROM transactions ${string}`; values: string[] }

const NEWEST_FIRST = 'ORDER BY transaction_date DESC, id DESC'

/**
 * A page of transactions, newest first by date, then id. `next` is null on the last page. An index answers
 * every filter but currency and product type. With these, a page reads at most 2,000 rows and may therefore
 * have fewer rows than `limit`, although more follow. Throws invalid_request if too many external ids begin
 * with the prefix, because they have to be sorted.
 */
export async function listTransactions(
  context: Context,
  filter: TransactionFilter,
  limit: number,
  offset: number,
): Promise<{ sales: StoredTransaction[]; next: ListPlace | null }> {
  if (filter.external_id_prefix !== undefined) await refuseManyPrefixed(context, filter.external_id_prefix)
  const found = await (scannedConditions(filter).length === 0
    ? readIndexed(context, filter, limit, offset)
    : readScanned(context, filter, limit))
  const shown = found.rows.slice(0, limit)
  const next = found.rows.length > limit ? (shown.at(-1) ?? null) : found.end
  return { sales: await withDetails(context, shown), next }
}

type FoundRows = { rows: TransactionRow[]; end: ListPlace | null }

async function readIndexed(
  { books, principal }: Context,
  filter: TransactionFilter,
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
  filter: TransactionFilter,
  limit: number,
): Promise<FoundRows> {
  const list = listStatement(principal, filter)
  const { sql, values } = indexedRows(principal, filter)
  const [rows, end] = await books.batch([
    books.prepare(list.sql).bind(...list.values, limit + 1, 0),
    books
      .prepare(`SELECT transaction_date, id ${sql} ${NEWEST_FIRST} LIMIT 1 OFFSET ${SCANNED_ROWS_MAX - 1}`)
      .bind(...values),
  ])
  return { rows: rowsOf<TransactionRow>(rows), end: rowsOf<ListPlace>(end)[0] ?? null }
}

/** The statement of a page; bind a limit and an offset after `values`. Exported for the test of its plan. */
export function listStatement(principal: ListedAccount, filter: TransactionFilter): RowsSelection {
  const { sql, values } = indexedRows(principal, filter)
  const scanned = scannedConditions(filter)
  const page = `${NEWEST_FIRST} LIMIT ? OFFSET ?`
  if (scanned.length === 0) return { sql: `SELECT ${TRANSACTION_ROW} ${sql} ${page}`, values }
  return {
    sql: `SELECT ${TRANSACTION_ROW} FROM (SELECT * ${sql} ${NEWEST_FIRST} LIMIT ${SCANNED_ROWS_MAX}) sale
      WHERE ${scanned.map(([condition]) => condition).join(' AND ')} ${page}`,
    values: [...values, ...scanned.flatMap(([, ...bound]) => bound)],
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
function indexedRows(principal: ListedAccount, filter: TransactionFilter): RowsSelection {
  const conditions = indexedConditions(filter, principal.time_zone)
  const where = ['account_id = ?', ...conditions.map(([sql]) => sql)].join(' AND ')
  // SQLite would prefer an index in the order of the list, and read all transactions of the account.
  const index = filter.external_id_prefix === undefined ? '' : 'INDEXED BY transactions_by_external_id'
  return {
    sql: `FROM transactions ${index} WHERE ${where}`,
    values: [principal.account_id, ...conditions.flatMap(([, ...values]) => values)],
  }
}

type ListCondition = [sql: string, ...values: string[]]

function indexedConditions(filter: TransactionFilter, zone: string): ListCondition[] {
  const conditions: ListCondition[] = []
  if (filter.from_date !== undefined)
    conditions.push(['transaction_date >= ?', startOfDay(zone, filter.from_date)])
  if (filter.to_date !== undefined) conditions.push(['transaction_date < ?', endOfDay(zone, filter.to_date)])
  if (filter.jurisdiction_id !== undefined) conditions.push(['jurisdiction_id = ?', filter.jurisdiction_id])
  if (filter.status !== undefined) conditions.push(hasStatus(filter.status))
  if (filter.customer_id !== undefined) conditions.push(['customer_id = ?', filter.customer_id])
  if (filter.external_id_prefix !== undefined)
    conditions.push(['external_id >= ? AND external_id < ?', ...prefixBounds(filter.external_id_prefix)])
  if (filter.cursor !== undefined) {
    const [date = '', id = ''] = filter.cursor.split('~')
    conditions.push(['(transaction_date, id) < (?, ?)', date, id])
  }
  return conditions
}

function scannedConditions({ currency, product_type }: TransactionFilter): ListCondition[] {
  const conditions: ListCondition[] = []
  if (currency !== undefined) conditions.push(['currency = ?', currency])
  if (product_type !== undefined)
    conditions.push([
      `EXISTS (SELECT 1 FROM transaction_lines line WHERE line.account_id = sale.account_id
         AND line.transaction_id = sale.id AND line.product_type = ?)`,
      product_type,
    ])
  return conditions
}

/** Texts from the first bound on, and before the second, begin with the prefix. */
export function prefixBounds(prefix: string): [from: string, before: string] {
  return [prefix, `${prefix}\u{10ffff}`]
}
