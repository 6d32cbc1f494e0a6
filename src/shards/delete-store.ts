import type { BooksDb } from '../database/databases.ts'
import { throughDoor } from '../database/doors.ts'
import type { MovedTable } from './tables.ts'

/** Rows that one statement deletes. */
const DELETED_MAX = 1_000

/** Deletes a slice of the account's rows in a table. Returns whether more may be left. */
export async function deleteRows(books: BooksDb, table: MovedTable, account_id: string): Promise<boolean> {
  const erasure = books
    .prepare(
      `DELETE FROM ${table.table} WHERE rowid IN
         (SELECT row.rowid FROM ${table.from} WHERE ${table.account} = ? LIMIT ${DELETED_MAX})`,
    )
    .bind(account_id)
  const [, deleted] = await books.batch(throughDoor(books, account_id, 'move', [erasure]))
  return deleted?.meta.changes === DELETED_MAX
}
