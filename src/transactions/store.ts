import { invariant } from '../tax/invariant.ts'
import { rowsOf } from '../database/results.ts'
import type { Context } from '../context.ts'
import { guarded } from '../database/guard.ts'
import { endOfDay, startOfDay } from '../time-zone.ts'
import { ApiError } from '../errors.ts'
import type { LineRow, RefundRow, StoredTransaction, TransactionRow } from './rows.ts'
import type { TransactionFilter } from './schemas.ts'

const ROW = `id, external_id, customer_id, customer_country, customer_region, customer_postal_code,
  customer_vat_id, currency, subtotal, tax_amount, total, tax_rate, tax_source, tax_variance, jurisdiction_id,
  seller_registered, reverse_charge, status, amount_refunded, tax_refunded, data_version, transaction_date,
  completed_at, voided_at, created_at, updated_at, exported_to, day, credited_day, facts`
const LINE = `transaction_id, position, id, amount, quantity, product_type, description, taxable, net_amount,
  taxable_amount, uncollected_amount, tax_rate, tax_amount, provincial_tax_amount, taxability_reason,
  reason_detail, place_of_supply, scheme, tax_breakdown, opens_product, exemption, portions`
const REFUND = `id, transaction_id, amount, tax_amount, reason, parts, refunded_at, day, recorded_at, by_line,
  external_id, credit_note_number`

/** One transaction with its lines and refunds, in one round trip. Throws not_found. */
export async function findTransaction(
  context: Context,
  by: { id: string } | { external_id: string },
): Promise<StoredTransaction> {
  const { books, principal } = context
  const [column, value] = 'id' in by ? ['id', by.id] : ['external_id', by.external_id]
  const ids = `SELECT id FROM transactions WHERE account_id = ?1 AND ${column} = ?2`
  const select = (sql: string) => books.prepare(sql).bind(principal.account_id, value)
  const [rows, lines, refunds] = await books.batch([
    select(`SELECT ${ROW} FROM transactions WHERE account_id = ?1 AND ${column} = ?2`),
    select(
      `SELECT ${LINE} FROM transaction_lines WHERE account_id = ?1 AND transaction_id = (${ids})
       ORDER BY position`,
    ),
    select(`SELECT ${REFUND} FROM refunds WHERE account_id = ?1 AND transaction_id = (${ids}) ORDER BY id`),
  ])
  const [row] = rowsOf<TransactionRow>(rows)
  if (row === undefined) throw new ApiError('not_found')
  return { row, lines: rowsOf<LineRow>(lines), refunds: rowsOf<RefundRow>(refunds) }
}

/** A page of transactions, newest first by date, then id. */
export async function listTransactions(
  context: Context,
  filter: TransactionFilter,
  limit: number,
  offset: number,
): Promise<StoredTransaction[]> {
  const { books, principal } = context
  const conditions = conditionsOf(filter, principal.time_zone)
  const where = ['account_id = ?', ...conditions.map(([sql]) => sql)].join(' AND ')
  const { results } = await books
    .prepare(
      `SELECT ${ROW} FROM transactions WHERE ${where}
     ORDER BY transaction_date DESC, id DESC LIMIT ? OFFSET ?`,
    )
    .bind(principal.account_id, ...conditions.flatMap(([, ...values]) => values), limit, offset)
    .all<TransactionRow>()
  return withDetails(context, results)
}

/** Which of these external ids the account has used. */
export async function findTakenExternalIds(
  context: Context,
  external_ids: readonly string[],
): Promise<Set<string>> {
  const { results } = await context.books
    .prepare(
      `SELECT external_id FROM transactions
     WHERE account_id = ? AND external_id IN (SELECT value FROM json_each(?))`,
    )
    .bind(context.principal.account_id, JSON.stringify(external_ids))
    .all<{ external_id: string }>()
  return new Set(results.map((row) => row.external_id))
}

/** Moves a pending transaction. If two requests move it at once, one fails with transaction_not_pending. */
export function movePending(context: Context, id: string, to: 'completed' | 'voided'): D1PreparedStatement[] {
  const { books, principal } = context
  const now = context.now.toISOString()
  const update = books
    .prepare(
      `UPDATE transactions SET status = ?, ${to}_at = ?, updated_at = ?
     WHERE account_id = ? AND id = ? AND status = 'pending'`,
    )
    .bind(to, now, now, principal.account_id, id)
  return guarded(books, update, 'transaction_not_pending')
}

/**
 * Subtracts a refund from the amount not refunded yet. Fails with concurrent_change if the row changed since
 * it was read, because the tax part depends on it.
 */
export function takeFromRemaining(
  context: Context,
  read: TransactionRow,
  after: { amount_refunded: number; tax_refunded: number },
): D1PreparedStatement[] {
  const { books, principal, now } = context
  const update = books
    .prepare(
      `UPDATE transactions SET status = 'refunded', amount_refunded = ?, tax_refunded = ?, updated_at = ?
     WHERE account_id = ? AND id = ? AND status = ? AND amount_refunded = ?`,
    )
    .bind(
      after.amount_refunded,
      after.tax_refunded,
      now.toISOString(),
      principal.account_id,
      read.id,
      read.status,
      read.amount_refunded,
    )
  return guarded(books, update, 'concurrent_change')
}

async function withDetails(
  { books, principal }: Context,
  rows: readonly TransactionRow[],
): Promise<StoredTransaction[]> {
  if (rows.length === 0) return []
  const select = (sql: string) =>
    books.prepare(sql).bind(principal.account_id, JSON.stringify(rows.map((row) => row.id)))
  const among = 'account_id = ? AND transaction_id IN (SELECT value FROM json_each(?))'
  const [lines, refunds] = await books.batch([
    select(`SELECT ${LINE} FROM transaction_lines WHERE ${among} ORDER BY transaction_id, position`),
    select(`SELECT ${REFUND} FROM refunds WHERE ${among} ORDER BY id`),
  ])
  const linesOf = Map.groupBy(rowsOf<LineRow>(lines), (line) => line.transaction_id)
  const refundsOf = Map.groupBy(rowsOf<RefundRow>(refunds), (refund) => refund.transaction_id)
  return rows.map((row) => ({
    row,
    lines: invariant(linesOf.get(row.id), 'a transaction has lines'),
    refunds: refundsOf.get(row.id) ?? [],
  }))
}

type ListCondition = [sql: string, ...values: string[]]

function conditionsOf(filter: TransactionFilter, zone: string): ListCondition[] {
  const conditions: ListCondition[] = []
  if (filter.from_date !== undefined)
    conditions.push(['transaction_date >= ?', startOfDay(zone, filter.from_date)])
  if (filter.to_date !== undefined) conditions.push(['transaction_date < ?', endOfDay(zone, filter.to_date)])
  if (filter.jurisdiction_id !== undefined) conditions.push(['jurisdiction_id = ?', filter.jurisdiction_id])
  if (filter.status !== undefined) conditions.push(['status = ?', filter.status])
  if (filter.cursor !== undefined) {
    const [date = '', id = ''] = filter.cursor.split('~')
    conditions.push(['(transaction_date, id) < (?, ?)', date, id])
  }
  return conditions
}
