import { type BooksDb, unchecked } from '../../platform/database/databases.ts'
import { throughDoor } from '../../platform/database/doors.ts'
import { required } from '../../platform/database/guard.ts'
import type { MovedTable } from './tables.ts'

/** Rows that one statement deletes. */
const DELETED_MAX = 1_000

/**
 * Deletes a slice of the account's rows in a table, if `allowed` does not fail the batch. Returns whether
 * more may be left.
 */
export async function deleteRows(
  books: BooksDb,
  table: MovedTable,
  account_id: string,
  allowed: D1PreparedStatement,
): Promise<boolean> {
  const erasure = books
    .prepare(
      `DELETE FROM ${table.table} WHERE rowid IN
         (SELECT row.rowid FROM ${table.from} WHERE ${table.account} = ? LIMIT ${DELETED_MAX})`,
    )
    .bind(account_id)
  const [, , deleted] = await books.batch([allowed, ...throughDoor(books, account_id, 'move', [erasure])])
  return deleted?.meta.changes === DELETED_MAX
}

/**
 * A statement that fails its batch with concurrent_change unless the account has left this database. In the
 * control database, `accounts.shard` must say so too.
 */
export function requireElsewhere(books: BooksDb, shard: number, account_id: string): D1PreparedStatement {
  const condition: string =
    "EXISTS (SELECT 1 FROM accounts WHERE id = ?1 AND home = 'away' AND (?2 > 0 OR shard > 0))"
  return required(books, condition, [account_id, shard], 'concurrent_change')
}

/** Those of the tables that have rows of an account: one statement, however many there are. */
export async function readFilled(
  books: BooksDb,
  tables: readonly MovedTable[],
  account_id: string,
): Promise<ReadonlySet<string>> {
  const filled = tables.map(
    ({ table, from, account }) => `EXISTS (SELECT 1 FROM ${from} WHERE ${account} = ?1) AS ${table}`,
  )
  const row = await unchecked(books)
    .prepare(`SELECT ${filled.join()}`)
    .bind(account_id)
    .first<Record<string, number>>()
  return new Set(Object.keys(row ?? {}).filter((table) => row?.[table] === 1))
}
