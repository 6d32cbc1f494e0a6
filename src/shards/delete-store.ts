import { type BooksTable, DOORS } from './tables.ts'

/** Rows that one statement deletes. */
const DELETED_MAX = 1_000

/** Deletes a slice of the account's rows in a table. Returns whether more may be left. */
export async function deleteRows(books: D1Database, table: BooksTable, account_id: string): Promise<boolean> {
  const [, deleted] = await throughDoor(books, account_id, [
    books
      .prepare(
        `DELETE FROM ${table.table} WHERE rowid IN
           (SELECT row.rowid FROM ${table.from} WHERE ${table.account} = ? LIMIT ${DELETED_MAX})`,
      )
      .bind(account_id),
  ])
  return deleted?.meta.changes === DELETED_MAX
}

/** Runs statements in one batch. Only inside it are the account's fixed rows open for changes. */
export async function throughDoor(
  books: D1Database,
  account_id: string,
  statements: readonly D1PreparedStatement[],
): Promise<D1Result[]> {
  return books.batch([
    books.prepare(`INSERT OR IGNORE INTO ${DOORS} (account_id, reason) VALUES (?, 'move')`).bind(account_id),
    ...statements,
    books.prepare(`DELETE FROM ${DOORS} WHERE account_id = ?`).bind(account_id),
  ])
}
