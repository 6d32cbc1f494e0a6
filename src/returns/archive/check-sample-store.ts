import type { BooksDb } from '../../platform/database/databases.ts'
import { batchAtHome, openHome } from '../../platform/database/home.ts'
import { RETURN_ROW, type ReturnRow } from './returns-store.ts'

/** A return of any account. */
export type CheckedReturn = ReturnRow & { account_id: string }

/**
 * The return of any account whose last check is the oldest, before a moment; null: there is none. Also one
 * that was reopened: somebody may have made it count no more.
 */
export async function readLeastChecked(books: BooksDb, before: string): Promise<CheckedReturn | null> {
  return books
    .prepare(
      `SELECT account_id, ${RETURN_ROW} FROM returns WHERE id = (
         SELECT filed.id FROM returns filed LEFT JOIN return_checks checked ON checked.return_id = filed.id
         WHERE filed.status <> 'freezing' AND coalesce(checked.checked_at, '') < ?
           AND ${openHome('filed.account_id')}
         ORDER BY checked.checked_at, filed.id LIMIT 1)`,
    )
    .bind(before)
    .first<CheckedReturn>()
}

/**
 * Notes the outcome of a check: what is wrong, or null if nothing is. `undefined`: the check could not be
 * made, and the outcome of the last one stays.
 */
export async function writeCheck(
  books: BooksDb,
  { id, account_id }: { id: string; account_id: string },
  checked_at: string,
  fault: string | null | undefined,
): Promise<void> {
  const write = books
    .prepare(
      `INSERT INTO return_checks (return_id, account_id, checked_at, fault) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT DO UPDATE SET checked_at = excluded.checked_at,
         fault = ${fault === undefined ? 'fault' : 'excluded.fault'}`,
    )
    .bind(id, account_id, checked_at, fault ?? null)
  await batchAtHome(books, account_id, [write])
}
