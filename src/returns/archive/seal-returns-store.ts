import type { BooksDb } from '../../platform/database/databases.ts'
import { throughDoor } from '../../platform/database/doors.ts'
import { guarded, required } from '../../platform/database/guard.ts'
import { batchAtHome, openHome } from '../../platform/database/home.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import type { FiledLine, SealedReturnRow } from '../../sales/sealed/sealed-returns-store.ts'

/** A return whose lines may be sealed. */
export type OldReturn = {
  id: string
  account_id: string
  filed_at: string
  row_count: number
  rows_hash: string
}

/** The books rest: no days are moved, and no backup has parts from before and after. */
const RESTS = (column: string) => `${openHome(column)}
  AND NOT EXISTS (SELECT 1 FROM day_changes WHERE day_changes.account_id = ${column})
  AND NOT EXISTS (SELECT 1 FROM job_cursors WHERE job_cursors.name = 'backup')`

/** Nobody reviews the return. */
const IS_SETTLED = `filed.row_count > 0
  AND NOT EXISTS (SELECT 1 FROM return_submissions
    WHERE return_id = filed.id AND return_submissions.state IN ('open', 'reviewed'))` as const

/** The next return after a place whose lines can be sealed, of those that were filed before a moment. */
export async function readNextOld(
  books: BooksDb,
  before: string,
  [filed_at, id]: readonly [string, string],
): Promise<OldReturn | null> {
  const rests: string = RESTS('filed.account_id')
  return books
    .prepare(
      `SELECT filed.id, filed.account_id, filed.filed_at, filed.row_count, filed.rows_hash
       FROM returns filed LEFT JOIN sealed_returns lines ON lines.return_id = filed.id
       WHERE filed.status = 'filed' AND filed.filed_at < ?1 AND (filed.filed_at, filed.id) > (?2, ?3)
         AND coalesce(lines.state, '') <> 'sealed' AND ${IS_SETTLED} AND ${rests}
       ORDER BY filed.filed_at, filed.id LIMIT 1`,
    )
    .bind(before, filed_at, id)
    .first<OldReturn>()
}

/** A line in the books, with what its content has too. */
export type RowInBooks = FiledLine & { entry_id: string; transaction_id: string; refund_id: string }

/** A page of the lines of a return that the books have. */
export async function readLinesInBooks(
  books: BooksDb,
  { account_id, id }: OldReturn,
  from: number,
  limit: number,
): Promise<RowInBooks[]> {
  const { results } = await books
    .prepare(
      `SELECT position, content, entry_id, transaction_id, refund_id FROM filed_rows
       WHERE account_id = ? AND return_id = ? AND position >= ? ORDER BY position LIMIT ${limit}`,
    )
    .bind(account_id, id, from)
    .all<RowInBooks>()
  return results
}

/** Where the lines of a return are; null: in the books alone. */
export async function readSealedReturn(
  books: BooksDb,
  { account_id, id }: OldReturn,
): Promise<SealedReturnRow | null> {
  return books
    .prepare('SELECT * FROM sealed_returns WHERE account_id = ? AND return_id = ?')
    .bind(account_id, id)
    .first<SealedReturnRow>()
}

/** Names the object of a return. Another tick may have named one before: then it counts. */
export async function nameObject(books: BooksDb, row: SealedReturnRow): Promise<void> {
  await batchAtHome(books, row.account_id, insertRows(books, 'sealed_returns', [row], 'OR IGNORE'))
}

/** Takes the row of an object away that is not as it was written. */
export async function forgetObject(
  books: BooksDb,
  { account_id, return_id, object }: SealedReturnRow,
): Promise<void> {
  const remove = books
    .prepare(
      `DELETE FROM sealed_returns
       WHERE account_id = ? AND return_id = ? AND object = ? AND state = 'written'`,
    )
    .bind(account_id, return_id, object)
  await batchAtHome(books, account_id, guarded(books, remove, 'concurrent_change'))
}

/** From now on the object is read: it was compared with the books. */
export async function markVerified(books: BooksDb, row: SealedReturnRow): Promise<void> {
  const { account_id, return_id, object } = row
  const update = books
    .prepare(
      `UPDATE sealed_returns SET state = 'verified'
       WHERE account_id = ? AND return_id = ? AND object = ? AND state = 'written'`,
    )
    .bind(account_id, return_id, object)
  await batchAtHome(books, account_id, [
    resting(books, account_id),
    ...guarded(books, update, 'concurrent_change'),
  ])
}

export async function markSealed(books: BooksDb, row: SealedReturnRow, sealed_at: string): Promise<void> {
  const { account_id, return_id } = row
  const update = books
    .prepare(
      `UPDATE sealed_returns SET state = 'sealed', sealed_at = ?3
       WHERE account_id = ?1 AND return_id = ?2 AND state = 'verified'
         AND NOT EXISTS (SELECT 1 FROM filed_rows row WHERE row.account_id = ?1 AND row.return_id = ?2)`,
    )
    .bind(account_id, return_id, sealed_at)
  await batchAtHome(books, account_id, guarded(books, update, 'concurrent_change'))
}

function resting(books: BooksDb, account_id: string): D1PreparedStatement {
  const rests: string = RESTS('?1')
  return required(books, rests, [account_id], 'concurrent_change')
}

/** Deletes the lines of a return before a position from the books. Doing it again changes nothing. */
export async function takeOutLines(
  books: BooksDb,
  { account_id, return_id }: SealedReturnRow,
  before: number,
): Promise<void> {
  const bound = [account_id, return_id, before] as const
  const among = 'account_id = ?1 AND return_id = ?2 AND position < CAST(?3 AS INTEGER)'
  const verified = `(SELECT state FROM sealed_returns WHERE account_id = ? AND return_id = ?) = 'verified'`
  await batchAtHome(books, account_id, [
    required(books, verified, [account_id, return_id], 'concurrent_change'),
    resting(books, account_id),
    books
      .prepare(
        `UPDATE account_usage SET filed_rows =
           max(0, filed_rows - (SELECT count(*) FROM filed_rows WHERE ${among})) WHERE account_id = ?1`,
      )
      .bind(...bound),
    ...throughDoor(books, account_id, 'seal', [
      books.prepare(`DELETE FROM filed_rows WHERE ${among}`).bind(...bound),
    ]),
  ])
}
