import type { Context } from '../../platform/context.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import { guarded } from '../../platform/database/guard.ts'
import { atHome, notHeld } from '../../platform/database/home.ts'
import { inSlices } from '../../platform/database/slices.ts'
import type { certificate_requests } from '../../platform/database/tables/customers.ts'
import { DAY_MS } from '../../platform/kit/calendar.ts'
import { ApiError } from '../../platform/errors.ts'

export type RequestRow = Omit<typeof certificate_requests.$inferSelect, 'account_id' | 'token_hash'>

const COLUMNS = `request.id, request.customer_id, request.key_id, request.created_at, request.expires_at,
  request.revoked_at, request.used_at, request.exemption_id, request.sent_hash` as const

/** The newest request of a customer; null: there is none. Throws not_found if there is no such customer. */
export async function readNewestRequest(
  { books, principal }: Context,
  customer_id: string,
): Promise<RequestRow | null> {
  const owner = [principal.account_id, customer_id]
  const [customers, requests] = await books.batch<RequestRow>([
    books.prepare('SELECT id FROM customers WHERE account_id = ? AND id = ?').bind(...owner),
    books
      .prepare(
        `SELECT ${COLUMNS} FROM certificate_requests request
         WHERE account_id = ? AND customer_id = ? ORDER BY id DESC LIMIT 1`,
      )
      .bind(...owner),
  ])
  if (customers?.results.length !== 1) throw new ApiError('not_found')
  return requests?.results[0] ?? null
}

/** The request whose token has this hash, if its customer still exists; null: there is none. */
export async function readRequestOfToken(
  books: BooksDb,
  account_id: string,
  token_hash: string,
): Promise<RequestRow | null> {
  return books
    .prepare(
      `SELECT ${COLUMNS} FROM certificate_requests request
       JOIN customers ON customers.account_id = request.account_id AND customers.id = customer_id
       WHERE token_hash = ? AND request.account_id = ?`,
    )
    .bind(token_hash, account_id)
    .first<RequestRow>()
}

/**
 * Adds a request of a customer, and ends the one that was open. Those that were never used go, so that a
 * customer has one at most; under a legal hold they stay. Fails its batch with not_found.
 */
export function replaceRequest(
  { books, principal, now }: Context,
  row: RequestRow,
  token_hash: string,
): D1PreparedStatement[] {
  const { account_id } = principal
  const { id, customer_id, key_id, created_at, expires_at } = row
  const inserted = books
    .prepare(
      `INSERT INTO certificate_requests
         (id, account_id, customer_id, key_id, token_hash, created_at, expires_at)
       SELECT ?, account_id, id, ?, ?, ?, ? FROM customers WHERE account_id = ? AND id = ?`,
    )
    .bind(id, key_id, token_hash, created_at, expires_at, account_id, customer_id)
  return [
    books
      .prepare(
        `DELETE FROM certificate_requests
         WHERE account_id = ?1 AND customer_id = ?2 AND used_at IS NULL AND ${notHeld('?1')}`,
      )
      .bind(account_id, customer_id),
    endOpen(books, { account_id, customer_id }, now),
    ...guarded(books, inserted, 'not_found'),
  ]
}

/** Revokes the open request of a customer: one row, or no row. */
export function revokeOpen({ books, principal, now }: Context, customer_id: string): D1PreparedStatement {
  return endOpen(books, { account_id: principal.account_id, customer_id }, now)
}

function endOpen(
  books: BooksDb,
  { account_id, customer_id }: { account_id: string; customer_id: string },
  now: Date,
): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE certificate_requests SET revoked_at = ?3
       WHERE account_id = ?1 AND customer_id = ?2 AND used_at IS NULL AND revoked_at IS NULL
         AND expires_at > ?3`,
    )
    .bind(account_id, customer_id, now.toISOString())
}

/** Uses a request. Fails its batch with concurrent_change unless it is open at that moment. */
export function useRequest(
  { books, principal, now }: Context,
  id: string,
  { exemption_id, sent_hash }: { exemption_id: string; sent_hash: string },
): D1PreparedStatement[] {
  const used = books
    .prepare(
      `UPDATE certificate_requests SET used_at = ?3, exemption_id = ?4, sent_hash = ?5
       WHERE account_id = ?1 AND id = ?2 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > ?3`,
    )
    .bind(principal.account_id, id, now.toISOString(), exemption_id, sent_hash)
  return guarded(books, used, 'concurrent_change')
}

const KEPT_DAYS = 90
const PRUNED_MAX = 1_000

/** Deletes requests of all accounts 90 days after their end, in slices. */
export async function pruneRequests(books: BooksDb, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString()
  await inSlices(async () => {
    const { meta } = await books
      .prepare(
        `DELETE FROM certificate_requests WHERE id IN
           (SELECT id FROM certificate_requests WHERE expires_at < ?
              AND ${atHome('certificate_requests.account_id')}
              AND ${notHeld('certificate_requests.account_id')}
            ORDER BY expires_at LIMIT ${PRUNED_MAX})`,
      )
      .bind(before)
      .run()
    return meta.changes === PRUNED_MAX
  })
}
