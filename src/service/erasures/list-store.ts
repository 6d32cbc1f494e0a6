import type { AnyDb, BooksDb } from '../../platform/database/databases.ts'
import type { Erased } from '../../platform/database/note-erasure.ts'
import { atHome, notHeld } from '../../platform/database/home.ts'

/** Erasures that are not in the list yet. */
export async function readNoted(db: AnyDb, limit: number): Promise<Erased[]> {
  const { results } = await db
    .prepare('SELECT account_id, customer_id FROM erasures LIMIT ?')
    .bind(limit)
    .all<Erased>()
  return results
}

export async function forgetNoted(db: AnyDb, erased: readonly Erased[]): Promise<void> {
  await db
    .prepare(
      `DELETE FROM erasures WHERE (account_id, customer_id) IN
         (SELECT value ->> 'account_id', value ->> 'customer_id' FROM json_each(?))`,
    )
    .bind(JSON.stringify(erased))
    .run()
}

/** Those of erased persons that the books here have, of accounts that are at home here. */
export async function readErasedHere(
  books: BooksDb,
  erased: readonly Erased[],
  limit: number,
): Promise<Erased[]> {
  const { results } = await books
    .prepare(
      `SELECT account_id, id AS customer_id FROM customers
       WHERE (account_id, id) IN
         (SELECT value ->> 'account_id', value ->> 'customer_id' FROM json_each(?))
         AND ${atHome('customers.account_id')} AND ${notHeld('customers.account_id')} LIMIT ?`,
    )
    .bind(JSON.stringify(erased), limit)
    .all<Erased>()
  return results
}

export function uncountCustomer(books: BooksDb, account_id: string): D1PreparedStatement {
  return books
    .prepare('UPDATE account_usage SET customers = max(0, customers - 1) WHERE account_id = ?')
    .bind(account_id)
}

/**
 * Lets a database do the whole list again: rows that it left alone, because of a legal hold or because the
 * books were elsewhere, may be erased now.
 */
export function doListAgain(db: AnyDb): D1PreparedStatement {
  return db.prepare("DELETE FROM job_cursors WHERE name = 'erasures'")
}
