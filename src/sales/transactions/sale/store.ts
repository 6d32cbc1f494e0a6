import { allColumnsOf } from '../../../platform/database/column-list.ts'
import type { BooksDb } from '../../../platform/database/databases.ts'
import { invariant } from '../../../engine/ground/invariant.ts'
import { rowsOf } from '../../../platform/database/results.ts'
import type { Context } from '../../../platform/context.ts'
import { guarded, required } from '../../../platform/database/guard.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { LineRow, NoteOnSale, RefundRow, StoredTransaction, TransactionRow, WholeSale } from './rows.ts'
import { wholeFacts } from './words-store.ts'
import type { NamedSales } from '../../sealed/chest.ts'
import type { EntryOfSale } from '../../sealed/sealed-returns.ts'
import { rowsOfIds, sealed, sealedReturns, thawing } from '../../sealed/with-sealed.ts'
import { findSealed } from '../../sealed/sealed-names-store.ts'
import { readSettlements, type SettlementRead, settlementsOf } from './settled-sales-store.ts'

export const TRANSACTION_ROW = `${allColumnsOf<
  Omit<TransactionRow, 'facts'>
>()(`id, external_id, customer_id, customer_country, customer_region,
  customer_postal_code, customer_vat_id, currency, subtotal, tax_amount, total, tax_rate, tax_source,
  tax_variance, jurisdiction_id, seller_registered, reverse_charge, status, amount_refunded,
  tax_refunded, data_version, transaction_date, completed_at, voided_at, created_at, updated_at,
  exported_to, day, credited_day, superseded_at, superseded_by, credited_sale,
  of_other_seller`)}, ${wholeFacts('facts')} AS facts` as const
const LINE = allColumnsOf<LineRow>()(`transaction_id, position, id, amount, quantity,
  product_type, description, taxable, net_amount, taxable_amount, uncollected_amount, tax_rate,
  tax_amount, provincial_tax_amount, taxability_reason, reason_detail, place_of_supply, scheme,
  tax_breakdown, opens_product, exemption, portions`)
const NOTE = allColumnsOf<Omit<NoteOnSale, 'credits'>>()('id, subtotal, tax_amount, total, status')
const REFUND = allColumnsOf<RefundRow>()(`id, transaction_id, amount, tax_amount, reason, parts, refunded_at,
  day, recorded_at, by_line, external_id, credit_note_number`)

type NamedSale = { id: string } | { external_id: string }

/**
 * One transaction with all that takes from it, in one round trip, as a write needs it: a sealed one comes
 * back into the books. Throws not_found.
 */
export async function findTransaction(context: Context, by: NamedSale): Promise<WholeSale> {
  const [found] = await findTransactions(context, namesOf(by))
  if (found === undefined) throw new ApiError('not_found')
  return found
}

/** One transaction with all that takes from it, as a reader sees it. Throws not_found. */
export async function readTransaction(context: Context, by: NamedSale): Promise<WholeSale> {
  const named = namesOf(by)
  const [live] = await findInBooks(context, named)
  if (live !== undefined) return live
  if (context.env.CHESTS === undefined) throw new ApiError('not_found')
  const { booksOfSales } = await sealed.load()
  // Last the books again: the sale may have been brought back meanwhile.
  for (const books of [...(await booksOfSales(context, named)), context.books]) {
    const [found] = await findInBooks({ ...context, books }, named)
    if (found !== undefined) return found
  }
  throw new ApiError('not_found')
}

function namesOf(by: NamedSale): NamedSales {
  return 'id' in by ? { ids: [by.id], external_ids: [] } : { ids: [], external_ids: [by.external_id] }
}

/**
 * The transactions with these ids, with all that takes from them, in one round trip. Sealed ones come back
 * into the books.
 */
export async function findTransactions(context: Context, named: NamedSales): Promise<WholeSale[]> {
  const found = await findInBooks(context, named)
  const missing = found.length < named.ids.length + named.external_ids.length
  if (!missing || context.env.CHESTS === undefined) return found
  const { thawSales } = await thawing.load()
  await thawSales(context, named)
  return findInBooks(context, named)
}

async function findInBooks(
  { books, principal }: Context,
  { ids, external_ids }: NamedSales,
): Promise<WholeSale[]> {
  if (ids.length + external_ids.length === 0) return []
  // Without the plus, SQLite reads all sales of the account for a list of ids.
  const named = `SELECT id FROM transactions
    WHERE +account_id = ?1 AND id IN (SELECT value FROM json_each(?2))
    UNION SELECT id FROM transactions
    WHERE account_id = ?1 AND external_id IN (SELECT value FROM json_each(?3))` as const
  const reads = [
    books.prepare(`SELECT ${TRANSACTION_ROW} FROM transactions WHERE +account_id = ?1 AND id IN (${named})`),
    books.prepare(
      `SELECT ${LINE} FROM transaction_lines WHERE account_id = ?1 AND transaction_id IN (${named})
       ORDER BY transaction_id, position`,
    ),
    books.prepare(
      `SELECT ${REFUND} FROM refunds WHERE account_id = ?1 AND transaction_id IN (${named}) ORDER BY id`,
    ),
    books.prepare(
      `SELECT credited_sale, ${NOTE}, facts ->> '$.credits' AS credits FROM transactions
       WHERE account_id = ?1 AND credited_sale IN (${named}) AND status <> 'voided' ORDER BY id`,
    ),
    books.prepare(readSettlements(named)),
  ]
  const bound = [principal.account_id, JSON.stringify(ids), JSON.stringify(external_ids)]
  const [rows, lines, refunds, notes, settlements] = await books.batch(
    reads.map((read) => read.bind(...bound)),
  )
  const linesBySale = bySale(rowsOf<LineRow>(lines))
  const refundsBySale = bySale(rowsOf<RefundRow>(refunds))
  const notesBySale = Map.groupBy(
    rowsOf<NoteOnSale & { credited_sale: string }>(notes),
    ({ credited_sale }) => credited_sale,
  )
  const settlementsBySale = settlementsOf(rowsOf<SettlementRead>(settlements))
  return rowsOf<TransactionRow>(rows).map((row) => ({
    row,
    lines: invariant(linesBySale.get(row.id), 'a transaction has lines'),
    refunds: refundsBySale.get(row.id) ?? [],
    notes: notesBySale.get(row.id) ?? [],
    settlements: settlementsBySale.get(row.id) ?? [],
  }))
}

function bySale<Row extends { transaction_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, ({ transaction_id }) => transaction_id)
}

/** The sales with these ids, with their lines and refunds. */
export async function readSales(context: Context, ids: readonly string[]): Promise<StoredTransaction[]> {
  return rowsOfIds(context, ids, async (books) => {
    const { results } = await books
      .prepare(
        `SELECT ${TRANSACTION_ROW} FROM transactions
         WHERE +account_id = ? AND id IN (SELECT value FROM json_each(?))`,
      )
      .bind(context.principal.account_id, JSON.stringify(ids))
      .all<TransactionRow>()
    return withDetails({ ...context, books }, results)
  })
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
  const taken = results.map((row) => row.external_id)
  if (context.env.CHESTS !== undefined)
    taken.push(...(await findSealed(context.books, context.principal.account_id, external_ids)))
  return new Set(taken)
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
  { books, principal, now }: Context,
  read: TransactionRow,
  after: { amount_refunded: number; tax_refunded: number },
): D1PreparedStatement[] {
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

/**
 * Takes a sale out of the books. Its external id becomes free for the sale that replaces it. Fails with
 * period_already_filed if a filed return has a line of it, or a return of its day is being filed, and with
 * concurrent_change if its status has changed.
 */
export async function markSuperseded(
  context: Context,
  { id, day, status, transaction_date }: TransactionRow,
  { superseded_at, superseded_by }: { superseded_at: string; superseded_by: string | null },
): Promise<D1PreparedStatement[]> {
  const { books, principal } = context
  const update = books
    .prepare(
      `UPDATE transactions SET status = 'voided', external_id = NULL, superseded_at = ?3, superseded_by = ?4,
         updated_at = ?3
       WHERE account_id = ?1 AND id = ?2 AND status = ?6 AND day = ?5`,
    )
    .bind(principal.account_id, id, superseded_at, superseded_by, day, status)
  return [
    ...(await notFiled(context, { transaction_id: id, refund_id: '', day, dated_at: transaction_date })),
    required(
      books,
      `NOT EXISTS (SELECT 1 FROM transactions
        WHERE account_id = ? AND credited_sale = ? AND status <> 'voided')`,
      [principal.account_id, id],
      'transaction_not_replaceable',
    ),
    notSettled(books, principal.account_id, id),
    ...guarded(books, update, 'concurrent_change'),
  ]
}

/** Fails its batch if a final sale takes off what a sale charged: the sale then has to stay in the books. */
function notSettled(books: BooksDb, account_id: string, id: string): D1PreparedStatement {
  const condition = `NOT EXISTS (SELECT 1 FROM settlements
      JOIN transactions ON transactions.id = settlements.transaction_id
      WHERE settlements.account_id = ?1 AND settled_id = ?2 AND transactions.status <> 'voided')`
  return required(books, condition, [account_id, id], 'transaction_not_replaceable')
}

/**
 * The statements that fail their batch if a return that is filed or being filed has lines of a sale or of its
 * refund, or may have been sealed since. Throws period_already_filed if a sealed return has such lines.
 */
async function notFiled(context: Context, entry: EntryOfSale): Promise<D1PreparedStatement[]> {
  const { env, books, principal } = context
  const { account_id } = principal
  if (env.CHESTS === undefined) return [notInBooks(books, account_id, entry)]
  const { findInSealed } = await sealedReturns.load()
  const searched = await findInSealed(context, [entry])
  if (searched.some(({ found }) => found.length > 0)) throw new ApiError('period_already_filed')
  const condition = `NOT EXISTS (SELECT 1 FROM sealed_returns
    JOIN returns ON returns.id = return_id AND status = 'filed'
    WHERE sealed_returns.account_id = ?1 AND ?2 BETWEEN from_day AND to_day AND state <> 'written'
      AND return_id NOT IN (SELECT value FROM json_each(?3)))`
  const known = JSON.stringify(searched.map(({ return_id }) => return_id))
  return [
    notInBooks(books, account_id, entry),
    required(books, condition, [account_id, entry.day, known], 'concurrent_change'),
  ]
}

function notInBooks(
  books: BooksDb,
  account_id: string,
  { transaction_id, refund_id, day }: EntryOfSale,
): D1PreparedStatement {
  const condition = `NOT EXISTS (
      SELECT 1 FROM filed_rows row
      JOIN returns ON returns.id = row.return_id AND status IN ('filed', 'freezing')
      WHERE row.account_id = ?1 AND row.transaction_id = ?2 AND row.refund_id = ?3)
    AND NOT EXISTS (SELECT 1 FROM returns
      WHERE account_id = ?1 AND status = 'freezing' AND ?4 BETWEEN from_date AND to_date)`
  return required(books, condition, [account_id, transaction_id, refund_id, day], 'period_already_filed')
}

/**
 * Deletes a refund of a sale. Fails with period_already_filed if a filed return has a line of it,
 * and with concurrent_change if the sale changed since it was read.
 */
export async function deleteRefund(
  context: Context,
  read: TransactionRow,
  { id: refund_id, day, refunded_at }: Pick<RefundRow, 'id' | 'day' | 'refunded_at'>,
  after: Pick<TransactionRow, 'status' | 'amount_refunded' | 'tax_refunded'>,
): Promise<D1PreparedStatement[]> {
  const { books, principal, now } = context
  const { account_id } = principal
  const update = books
    .prepare(
      `UPDATE transactions SET status = ?, amount_refunded = ?, tax_refunded = ?, updated_at = ?
       WHERE account_id = ? AND id = ? AND status = 'refunded' AND amount_refunded = ? AND day = ?`,
    )
    .bind(
      after.status,
      after.amount_refunded,
      after.tax_refunded,
      now.toISOString(),
      account_id,
      read.id,
      read.amount_refunded,
      read.day,
    )
  const remove = books
    .prepare('DELETE FROM refunds WHERE account_id = ? AND id = ?')
    .bind(account_id, refund_id)
  return [
    ...(await notFiled(context, { transaction_id: read.id, refund_id, day, dated_at: refunded_at })),
    ...guarded(books, update, 'concurrent_change'),
    ...guarded(books, remove, 'concurrent_change'),
  ]
}

/** The lines and refunds of these rows. */
export async function withDetails(
  { books, principal }: Context,
  rows: readonly TransactionRow[],
): Promise<StoredTransaction[]> {
  if (rows.length === 0) return []
  const bound = [principal.account_id, JSON.stringify(rows.map((row) => row.id))]
  const among = 'account_id = ? AND transaction_id IN (SELECT value FROM json_each(?))'
  const [lines, refunds] = await books.batch([
    books
      .prepare(`SELECT ${LINE} FROM transaction_lines WHERE ${among} ORDER BY transaction_id, position`)
      .bind(...bound),
    books.prepare(`SELECT ${REFUND} FROM refunds WHERE ${among} ORDER BY id`).bind(...bound),
  ])
  const linesBySale = bySale(rowsOf<LineRow>(lines))
  const refundsBySale = bySale(rowsOf<RefundRow>(refunds))
  return rows.map((row) => ({
    row,
    lines: invariant(linesBySale.get(row.id), 'a transaction has lines'),
    refunds: refundsBySale.get(row.id) ?? [],
  }))
}
