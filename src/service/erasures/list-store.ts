import type { AnyDb, BooksDb, ControlDb } from '../../platform/database/databases.ts'
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

/** Those of erased people whose name and e-mail the control database has, as a restored one does. */
export async function readPeopleErasedElsewhere(
  control: ControlDb,
  erased: readonly Erased[],
  limit: number,
): Promise<{ account_id: string; id: string }[]> {
  const { results } = await control
    .prepare(
      `SELECT account_id, id FROM people
       WHERE (account_id, id) IN
         (SELECT value ->> 'account_id', value ->> 'customer_id' FROM json_each(?))
         AND erased_at IS NULL AND ${notHeld('people.account_id')} LIMIT ?`,
    )
    .bind(JSON.stringify(erased), limit)
    .all<{ account_id: string; id: string }>()
  return results
}

/** Erases name and e-mail of a person, and ends the access if it has not ended. */
export function erasePersonAgain(
  control: ControlDb,
  account_id: string,
  id: string,
  at: string,
): D1PreparedStatement {
  return control
    .prepare(
      `UPDATE people SET removed_at = coalesce(removed_at, ?3), email = '', name = '', erased_at = ?3,
         updated_at = ?3
       WHERE account_id = ?1 AND id = ?2 AND erased_at IS NULL`,
    )
    .bind(account_id, id, at)
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
