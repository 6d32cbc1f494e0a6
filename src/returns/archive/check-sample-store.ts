import type { BooksDb } from '../../platform/database/databases.ts'
import { batchAtHome, openHome } from '../../platform/database/home.ts'
import { RETURN_ROW, type ReturnRow } from './returns-store.ts'

/** A return of any account. */
export type CheckedReturn = ReturnRow & { account_id: string }

/** Also one that was reopened: somebody may have made it count no more. */
const CHECKED: string = `filed.status <> 'freezing' AND ${openHome('filed.account_id')}`

/**
 * The moment of the last check, before `now`, up to which a run checks returns again: a ninetieth of them, or
 * 20. `now`, if there are fewer.
 */
export async function readDueSince(books: BooksDb, now: string): Promise<string> {
  const since = await books
    .prepare(
      `SELECT checked_at FROM return_checks checked JOIN returns filed ON filed.id = return_id
       WHERE checked_at < ? AND ${CHECKED}
       ORDER BY checked_at LIMIT 1 OFFSET max(20, (SELECT count(*) FROM return_checks) / 90) - 1`,
    )
    .bind(now)
    .first<string>('checked_at')
  return since ?? now
}

/** The first return of any account after an id that was last checked until a moment, or never; null: none. */
export async function readNextDue(
  books: BooksDb,
  since: string,
  after: string,
): Promise<CheckedReturn | null> {
  return books
    .prepare(
      `SELECT account_id, ${RETURN_ROW} FROM returns WHERE id = (
         SELECT filed.id FROM returns filed LEFT JOIN return_checks checked ON checked.return_id = filed.id
         WHERE filed.id > ?2 AND coalesce(checked.checked_at, '') <= ?1 AND ${CHECKED}
         ORDER BY filed.id LIMIT 1)`,
    )
    .bind(since, after)
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
