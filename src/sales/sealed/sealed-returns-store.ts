import type { BooksDb } from '../../platform/database/databases.ts'
import { rowsOf } from '../../platform/database/results.ts'
import type { sealed_returns } from '../../platform/database/tables/returns.ts'

export type SealedReturnRow = typeof sealed_returns.$inferSelect

/** A return whose lines are read from the bucket. */
export type SealedReturn = Pick<SealedReturnRow, 'return_id' | 'object' | 'blocks'>

/** A line as it is kept, with its place in its return. */
export type FiledLine = { position: number; content: string }

const COLUMNS = 'return_id, object, blocks'
/** From then on, the bucket is read: the lines leave the books. They never change, so both are equal. */
const IS_SEALED = "state IN ('verified', 'sealed')"

/** Where the lines of a return are now, and those that the books have, at one moment. */
export async function readPlaceOfLines(
  books: BooksDb,
  account_id: string,
  { return_id, from, limit }: { return_id: string; from: number; limit: number },
): Promise<{ sealed: SealedReturn | null; rows: FiledLine[] }> {
  const [sealed, rows] = await books.batch([
    books
      .prepare(
        `SELECT ${COLUMNS} FROM sealed_returns WHERE account_id = ? AND return_id = ? AND ${IS_SEALED}`,
      )
      .bind(account_id, return_id),
    books
      .prepare(
        `SELECT position, content FROM filed_rows
         WHERE account_id = ?1 AND return_id = ?2 AND position >= CAST(?3 AS INTEGER)
         ORDER BY position LIMIT ${limit}`,
      )
      .bind(account_id, return_id, from),
  ])
  return { sealed: rowsOf<SealedReturn>(sealed)[0] ?? null, rows: rowsOf<FiledLine>(rows) }
}

/** The returns among some whose lines are sealed, and may be of some days. */
export async function readSealedAmong(
  books: BooksDb,
  account_id: string,
  { from, to, not_in }: { from: string; to: string; not_in: readonly string[] },
): Promise<SealedReturn[]> {
  const { results } = await books
    .prepare(
      `SELECT ${COLUMNS} FROM sealed_returns
       WHERE account_id = ? AND return_id IN (SELECT value FROM json_each(?)) AND ${IS_SEALED}
         AND from_day <= ? AND to_day >= ?
       ORDER BY return_id`,
    )
    .bind(account_id, JSON.stringify(not_in), to, from)
    .all<SealedReturn>()
  return results
}

/** The sealed returns that count and may have lines of one of some days. */
export async function readSealedOfDays(
  books: BooksDb,
  account_id: string,
  days: readonly string[],
): Promise<SealedReturn[]> {
  const { results } = await books
    .prepare(
      `SELECT ${COLUMNS} FROM sealed_returns WHERE account_id = ?1 AND ${IS_SEALED}
         AND EXISTS (SELECT 1 FROM json_each(?2) WHERE value BETWEEN from_day AND to_day)
         AND EXISTS (SELECT 1 FROM returns WHERE returns.id = return_id AND returns.status = 'filed')
       ORDER BY return_id`,
    )
    .bind(account_id, JSON.stringify(days))
    .all<SealedReturn>()
  return results
}
