import { type AnyDb, type BooksDb, type ControlDb, unchecked } from '../../platform/database/databases.ts'
import { throughDoor } from '../../platform/database/doors.ts'
import { required } from '../../platform/database/guard.ts'
import type { Home } from '../../platform/database/homes.ts'
import type { MovedTable } from '../shards/tables.ts'

/** Rows that one statement deletes. */
export const SLICE = 1_000

/**
 * The statements that end all access to an account: its keys, people, calendar address, messages, shops and
 * kept answers. Of people, name and e-mail are erased.
 */
export function endAccess(control: ControlDb, account_id: string, at: string): D1PreparedStatement[] {
  return [
    control
      .prepare('UPDATE api_keys SET revoked_at = min(coalesce(revoked_at, ?2), ?2) WHERE account_id = ?1')
      .bind(account_id, at),
    control
      .prepare(
        `UPDATE people SET removed_at = coalesce(removed_at, ?2), erased_at = coalesce(erased_at, ?2),
           email = '', name = '' WHERE account_id = ?1`,
      )
      .bind(account_id, at),
    control.prepare('DELETE FROM calendar_feeds WHERE account_id = ?').bind(account_id),
    control.prepare('DELETE FROM messages WHERE account_id = ?').bind(account_id),
    control.prepare('DELETE FROM message_recipients WHERE account_id = ?').bind(account_id),
    control.prepare('DELETE FROM message_settings WHERE account_id = ?').bind(account_id),
    control.prepare('DELETE FROM saleor_refused_orders WHERE account_id = ?').bind(account_id),
    control.prepare('DELETE FROM saleor_installs WHERE account_id = ?').bind(account_id),
    control.prepare('DELETE FROM idempotency_keys WHERE account_id = ?').bind(account_id),
  ]
}

/**
 * Deletes a slice of the rows of an erased account in a table. Its batch fails unless the database says that
 * the account is erased and its books are here. Returns the number of deleted rows.
 */
export async function eraseSlice(books: BooksDb, table: MovedTable, account_id: string): Promise<number> {
  const erased: string = `EXISTS
    (SELECT 1 FROM accounts WHERE id = ? AND erased_at IS NOT NULL AND held_at IS NULL AND home = 'open')`
  const erasure = books
    .prepare(
      `DELETE FROM ${table.table} WHERE rowid IN
         (SELECT row.rowid FROM ${table.from} WHERE ${table.account} = ? LIMIT ${SLICE})`,
    )
    .bind(account_id)
  const results = await books.batch([
    required(books, erased, [account_id], 'account_moving'),
    ...throughDoor(books, account_id, 'erasure', [erasure]),
  ])
  return results[2]?.meta.changes ?? 0
}

/** The rows of an account in a table. */
export async function countRows(books: BooksDb, table: MovedTable, account_id: string): Promise<number> {
  const count = await books
    .prepare(`SELECT count(*) AS n FROM ${table.from} WHERE ${table.account} = ?`)
    .bind(account_id)
    .first<number>('n')
  return count ?? 0
}

/** Sets the counters of the erased rows to nothing. */
export function clearCounters(books: BooksDb, account_id: string): D1PreparedStatement {
  return books
    .prepare(
      'UPDATE account_usage SET customers = 0, exemptions = 0, document_bytes = 0 WHERE account_id = ?',
    )
    .bind(account_id)
}

/** Suspends an account for ever. */
export function markErased(db: AnyDb, id: string, at: string): D1PreparedStatement {
  return unchecked(db)
    .prepare(
      `UPDATE accounts SET suspended_at = coalesce(suspended_at, ?2), erased_at = coalesce(erased_at, ?2)
       WHERE id = ?1`,
    )
    .bind(id, at)
}

/** What a database says of an account; null: it does not know it. */
export async function readErased(
  db: AnyDb,
  id: string,
): Promise<{ home: Home; erased_at: string | null; held_at: string | null } | null> {
  return unchecked(db).prepare('SELECT home, erased_at, held_at FROM accounts WHERE id = ?').bind(id).first()
}
