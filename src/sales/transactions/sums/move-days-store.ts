import type { BooksDb } from '../../../platform/database/databases.ts'
import { batchAtHome, openHome } from '../../../platform/database/home.ts'
import { rowsOf } from '../../../platform/database/results.ts'
import { guarded, required } from '../../../platform/database/guard.ts'
import { countStored } from './counts-store.ts'
import { markLateEntries } from './late-entries-store.ts'
import { addRefundsOfSales, addSalesToTotals } from './totals-store.ts'

export type DayChange = { account_id: string; time_zone: string; after: string }

/** The oldest requests that were made before a moment. */
export async function readDayChanges(books: BooksDb, before: string, limit: number): Promise<DayChange[]> {
  const { results } = await books
    .prepare(
      `SELECT account_id, time_zone, after FROM day_changes
       WHERE requested_at < ? AND ${openHome('day_changes.account_id')}
       ORDER BY requested_at LIMIT ?`,
    )
    .bind(before, limit)
    .all<DayChange>()
  return results
}

/** Begins a change anew, with another time zone. Returns it. */
export async function replaceZone(
  books: BooksDb,
  { account_id, time_zone }: DayChange,
  current: string,
): Promise<DayChange> {
  await books
    .prepare(
      `UPDATE day_changes SET time_zone = ?3, after = '' WHERE account_id = ?1 AND time_zone = ?2
         AND ${openHome('day_changes.account_id')}`,
    )
    .bind(account_id, time_zone, current)
    .run()
  return { account_id, time_zone: current, after: '' }
}

type DatedSale = {
  id: string
  transaction_date: string
  day: string
  status: string
  jurisdiction_id: string
  /** 1: a filed return declares it or one of its refunds, so it keeps its day. */
  filed: number
}
type DatedRefund = {
  id: string
  transaction_id: string
  refunded_at: string
  day: string
  filed: number
}

/**
 * Whether a filed return has lines of a sale and its refunds, or of one refund. With sealed lines, whether it
 * may have them: it has lines of such days.
 */
const isFiled = (of: string, days: string) => `(EXISTS (
  SELECT 1 FROM filed_rows row JOIN returns ON returns.id = row.return_id AND status = 'filed'
  WHERE row.account_id = ?1 AND ${of})
  OR EXISTS (SELECT 1 FROM sealed_returns JOIN returns ON returns.id = return_id AND returns.status = 'filed'
    WHERE sealed_returns.account_id = ?1 AND sealed_returns.state <> 'written'
      AND EXISTS (SELECT 1 FROM (${days}) dated WHERE dated.day BETWEEN from_day AND to_day)))`

/** A credit note, with the sale that it names. */
type CreditNote = { id: string; credited_sale: string }

/**
 * The next sales of an account by id, with their refunds and credit notes. Filed credit notes are left out.
 */
export async function readDated(
  books: BooksDb,
  { account_id, after }: DayChange,
  limit: number,
): Promise<{ sales: DatedSale[]; refunds: DatedRefund[]; notes: CreditNote[] }> {
  const page = `SELECT id FROM transactions WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3`
  const [sales, refunds, notes] = await books.batch([
    books
      .prepare(
        `SELECT id, transaction_date, day, status, jurisdiction_id,
           ${isFiled(
             'row.transaction_id = sale.id',
             `SELECT sale.day AS day UNION ALL SELECT refunds.day FROM refunds
              WHERE refunds.account_id = ?1 AND refunds.transaction_id = sale.id`,
           )} AS filed
         FROM transactions sale WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3`,
      )
      .bind(account_id, after, limit),
    books
      .prepare(
        `SELECT id, transaction_id, refunded_at, day,
           ${isFiled(
             'row.transaction_id = refund.transaction_id AND row.refund_id = refund.id',
             'SELECT refund.day AS day',
           )} AS filed
         FROM refunds refund WHERE account_id = ?1 AND transaction_id IN (${page})`,
      )
      .bind(account_id, after, limit),
    books
      .prepare(
        `SELECT id, credited_sale FROM transactions note
         WHERE account_id = ?1 AND credited_sale IN (${page})
           AND NOT ${isFiled('row.transaction_id = note.id', 'SELECT note.day AS day')}`,
      )
      .bind(account_id, after, limit),
  ])
  return {
    sales: rowsOf<DatedSale>(sales),
    refunds: rowsOf<DatedRefund>(refunds),
    notes: rowsOf<CreditNote>(notes),
  }
}

/** New days by id. `credited`: the day of the sale that a credit note names. */
type MovedDays = Readonly<Record<'sales' | 'refunds' | 'credited', Readonly<Record<string, string>>>>

function entriesOf(moved: Readonly<Record<string, string>>): { id: string; day: string }[] {
  return Object.entries(moved).map(([id, day]) => ({ id, day }))
}

/**
 * Moves sales and refunds to other days, with their totals and counts, in one batch. All sums come from the
 * stored rows inside the batch, so a sale that changes meanwhile is counted once. What comes to the days of a
 * filed return is a late entry of it. `last` is the last sale that was looked at. Throws concurrent_change
 * while a return of the account is being frozen, or if another run of the job was here: the rows were read
 * before.
 */
export async function writeDays(
  books: BooksDb,
  change: DayChange,
  touched: readonly string[],
  days: MovedDays,
  last: string,
): Promise<void> {
  const { account_id, time_zone } = change
  const update = (
    table: 'transactions' | 'refunds',
    moved: Readonly<Record<string, string>>,
    column: 'day' | 'credited_day' = 'day',
  ) =>
    books
      .prepare(
        `UPDATE ${table} SET ${column} = (SELECT value FROM json_each(?2) WHERE key = ${table}.id)
         WHERE +account_id = ?1 AND id IN (SELECT key FROM json_each(?2))`,
      )
      .bind(account_id, JSON.stringify(moved))
  const moves =
    touched.length === 0
      ? []
      : [
          addSalesToTotals(books, account_id, touched, -1),
          addRefundsOfSales(books, account_id, touched, -1),
          countStored(books, account_id, touched, -1),
          update('transactions', days.sales),
          update('refunds', days.refunds),
          update('transactions', days.credited, 'credited_day'),
          addSalesToTotals(books, account_id, touched, 1),
          addRefundsOfSales(books, account_id, touched, 1),
          countStored(books, account_id, touched, 1),
          ...markLateEntries(books, account_id, entriesOf({ ...days.sales, ...days.refunds })),
        ]
  const progress = books
    .prepare(`UPDATE day_changes SET after = ?4 WHERE account_id = ?1 AND time_zone = ?2 AND after = ?3`)
    .bind(account_id, time_zone, change.after, last)
  await batchAtHome(books, account_id, [
    notFreezing(books, account_id),
    notFiledSince(books, account_id, Object.keys(days.sales), Object.keys(days.refunds)),
    ...moves,
    ...guarded(books, progress, 'concurrent_change'),
  ])
}

/** Fails its batch with concurrent_change while a return of the account is being frozen. */
function notFreezing(books: BooksDb, account_id: string): D1PreparedStatement {
  const condition = "NOT EXISTS (SELECT 1 FROM returns WHERE account_id = ? AND status = 'freezing')"
  return required(books, condition, [account_id], 'concurrent_change')
}

/** Fails its batch with concurrent_change if a return with one of these was filed since they were read. */
function notFiledSince(
  books: BooksDb,
  account_id: string,
  sales: readonly string[],
  refunds: readonly string[],
): D1PreparedStatement {
  const condition = `NOT EXISTS (SELECT 1 FROM filed_rows row
    JOIN returns ON returns.id = row.return_id AND status = 'filed'
    WHERE row.account_id = ?1 AND (row.transaction_id IN (SELECT value FROM json_each(?2))
      OR (row.refund_id IN (SELECT value FROM json_each(?3)) AND row.transaction_id IN
        (SELECT transaction_id FROM refunds WHERE id IN (SELECT value FROM json_each(?3))))))`
  return required(
    books,
    condition,
    [account_id, JSON.stringify(sales), JSON.stringify(refunds)],
    'concurrent_change',
  )
}

/** Ends a request, unless a later one replaced it. */
export async function endDayChange(books: BooksDb, { account_id, time_zone }: DayChange): Promise<void> {
  await books
    .prepare(
      `DELETE FROM day_changes WHERE account_id = ? AND time_zone = ?
         AND ${openHome('day_changes.account_id')}`,
    )
    .bind(account_id, time_zone)
    .run()
}
