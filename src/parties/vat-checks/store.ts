import type { Context } from '../../platform/context.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import { required } from '../../platform/database/guard.ts'
import { notHeld, openHome } from '../../platform/database/home.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import type { vat_check_ids, vat_checks } from '../../platform/database/tables/vat.ts'
import type { Validation } from '../vat/schemas.ts'

export type CheckRow = typeof vat_checks.$inferSelect
export type CheckedIdRow = typeof vat_check_ids.$inferSelect

/** An id that is due for a question. */
export type DueId = Pick<CheckedIdRow, 'vat_id' | 'country' | 'attempts'>

/** A check that is leased, with its next ids. */
type LeasedCheck = Pick<CheckRow, 'account_id' | 'requester_vat_id' | 'created_at'> & { due: DueId[] }

/** The most checks of an account that are under way, and that are kept. */
const RUNNING_MAX = 20
const KEPT_MAX = 100
/** How long a check is kept. */
const KEPT_DAYS = 90
/** Ids that are asked about at once: with their requests, they fit into an invocation of the free plan. */
const SLICE = 5
/** Longer than a slice takes. */
const LEASE_MS = 120_000
const DELETED_MAX = 10

/** The statements that add a check. Their batch fails with too_many_checks. */
export function insertCheck(
  { books, principal }: Context,
  check: CheckRow,
  ids: readonly CheckedIdRow[],
): D1PreparedStatement[] {
  const { account_id } = principal
  const old = `SELECT id FROM vat_checks WHERE account_id = ?1 AND due_at IS NULL AND ${notHeld('?1')}
    AND id NOT IN (SELECT id FROM vat_checks WHERE account_id = ?1 ORDER BY id DESC LIMIT ${KEPT_MAX - 1})
    LIMIT ${DELETED_MAX}`
  return [
    required(
      books,
      `(SELECT count(*) FROM vat_checks WHERE account_id = ? AND due_at IS NOT NULL) < ${RUNNING_MAX}`,
      [account_id],
      'too_many_checks',
    ),
    books.prepare(`DELETE FROM vat_check_ids WHERE check_id IN (${old})`).bind(account_id),
    books.prepare(`DELETE FROM vat_checks WHERE id IN (${old})`).bind(account_id),
    ...insertRows(books, 'vat_checks', [check]),
    ...insertRows(books, 'vat_check_ids', ids),
  ]
}

/** A check of the account with the number of ids of each status; null: the account has none of this id. */
export async function readCheck(
  { books, principal }: Context,
  id: string,
): Promise<{ check: CheckRow; counts: { status: CheckedIdRow['status']; ids: number }[] } | null> {
  const [checks, counts] = await books.batch([
    books.prepare('SELECT * FROM vat_checks WHERE id = ? AND account_id = ?').bind(id, principal.account_id),
    books
      .prepare(
        `SELECT status, count(*) AS ids FROM vat_check_ids
         WHERE check_id = (SELECT id FROM vat_checks WHERE id = ? AND account_id = ?) GROUP BY status`,
      )
      .bind(id, principal.account_id),
  ])
  const check = (checks?.results as CheckRow[] | undefined)?.[0]
  if (check === undefined) return null
  return { check, counts: (counts?.results ?? []) as { status: CheckedIdRow['status']; ids: number }[] }
}

/** A page of the ids of a check, in the order of the request. */
export async function readCheckedIds(
  { books, principal }: Context,
  id: string,
  { after, status, limit }: { after: number; status: CheckedIdRow['status'] | undefined; limit: number },
): Promise<CheckedIdRow[]> {
  const { results } = await books
    .prepare(
      `SELECT * FROM vat_check_ids
       WHERE check_id = (SELECT id FROM vat_checks WHERE id = ?1 AND account_id = ?2)
         AND position > ?3 AND (?4 IS NULL OR status = ?4) ORDER BY position LIMIT ?5`,
    )
    .bind(id, principal.account_id, after, status ?? null, limit)
    .all<CheckedIdRow>()
  return results
}

/**
 * Leases a check that is due for its next questions, by moving its due time. Null: it is not due, is leased,
 * or its books are not here. An id that was given twice is asked about once.
 */
export async function leaseCheck(books: BooksDb, id: string, now: Date): Promise<LeasedCheck | null> {
  const [leased, checks, due] = await books.batch([
    books
      .prepare(
        `UPDATE vat_checks SET due_at = ?3
         WHERE id = ?1 AND due_at <= ?2 AND ${openHome('vat_checks.account_id')}`,
      )
      .bind(id, now.toISOString(), new Date(now.getTime() + LEASE_MS).toISOString()),
    books.prepare('SELECT account_id, requester_vat_id, created_at FROM vat_checks WHERE id = ?').bind(id),
    books
      .prepare(
        `SELECT vat_id, country, max(attempts) AS attempts FROM vat_check_ids
         WHERE check_id = ?1 AND status = 'pending' AND next_attempt_at <= ?2
         GROUP BY vat_id, country ORDER BY min(next_attempt_at), min(position) LIMIT ${SLICE}`,
      )
      .bind(id, now.toISOString()),
  ])
  const check = (checks?.results as Omit<LeasedCheck, 'due'>[] | undefined)?.[0]
  if (leased?.meta.changes !== 1 || check === undefined) return null
  return { ...check, due: (due?.results ?? []) as DueId[] }
}

/** Keeps what an authority said about an id, wherever the check has it. `next`: it is asked again then. */
export function keepAnswer(
  books: BooksDb,
  check_id: string,
  { vat_id, country }: DueId,
  said: Validation,
  next: string | null,
): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE vat_check_ids SET status = ?4, next_attempt_at = ?5, attempts = attempts + 1, reason = ?6,
         source = ?7, company_name = ?8, company_address = ?9, consultation_number = ?10, checked_at = ?11
       WHERE check_id = ?1 AND vat_id = ?2 AND country = ?3 AND status = 'pending'`,
    )
    .bind(
      check_id,
      vat_id,
      country,
      next === null ? said.status : 'pending',
      next,
      said.reason,
      said.source,
      said.company_name,
      said.company_address,
      said.consultation_number,
      next === null ? said.checked_at : null,
    )
}

/** Ends a lease: the check is due again with its next id, not before a moment, or has ended. */
export function endLease(
  books: BooksDb,
  check_id: string,
  now: string,
  not_before: string,
): D1PreparedStatement {
  const next = `(SELECT min(next_attempt_at) FROM vat_check_ids WHERE check_id = ?1 AND status = 'pending')`
  return books
    .prepare(
      `UPDATE vat_checks SET due_at = max(${next}, ?3), finished_at = iif(${next} IS NULL, ?2, NULL)
       WHERE id = ?1 AND due_at IS NOT NULL`,
    )
    .bind(check_id, now, not_before)
}

/** When a check is due again; null: it has ended. */
export async function readDue(books: BooksDb, check_id: string): Promise<string | null> {
  return books.prepare('SELECT due_at FROM vat_checks WHERE id = ?').bind(check_id).first<string>('due_at')
}

/** Deletes old checks, and finds those that were due before a moment: their messages were lost. */
export async function sweepChecks(books: BooksDb, overdue_before: Date, now: Date): Promise<string[]> {
  const old = `SELECT id FROM vat_checks WHERE created_at < ?1 AND due_at IS NULL
    AND ${openHome('vat_checks.account_id')} AND ${notHeld('vat_checks.account_id')}
    ORDER BY created_at LIMIT ${DELETED_MAX}`
  const kept_since = new Date(now.getTime() - KEPT_DAYS * 86_400_000).toISOString()
  const [overdue] = await books.batch<{ id: string }>([
    books
      .prepare(
        `SELECT id FROM vat_checks WHERE due_at <= ? AND ${openHome('vat_checks.account_id')}
         ORDER BY due_at LIMIT 100`,
      )
      .bind(overdue_before.toISOString()),
    books.prepare(`DELETE FROM vat_check_ids WHERE check_id IN (${old})`).bind(kept_since),
    books.prepare(`DELETE FROM vat_checks WHERE id IN (${old})`).bind(kept_since),
  ])
  return (overdue?.results ?? []).map(({ id }) => id)
}
