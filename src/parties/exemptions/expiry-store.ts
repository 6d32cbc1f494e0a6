import type { BooksDb } from '../../platform/database/databases.ts'
import { openHome } from '../../platform/database/home.ts'

type Owned = { account_id: string; id: string }

/** An exemption that ends, with what its event says. */
export type EndedExemption = Owned & { customer_id: string; jurisdiction_id: string; valid_to: string }

/**
 * Verified exemptions of all accounts that end on one of these days and were not announced yet, the earliest
 * first.
 */
export async function readUnannounced(
  books: BooksDb,
  from: string,
  until: string,
  limit: number,
): Promise<EndedExemption[]> {
  const { results } = await books
    .prepare(
      `SELECT account_id, id, customer_id, jurisdiction_id, valid_to FROM exemptions
       WHERE status = 'verified' AND valid_to BETWEEN ? AND ? AND ${openHome('exemptions.account_id')}
         AND NOT EXISTS (SELECT 1 FROM events
                         WHERE dedupe = 'exemption.expiring ' || exemptions.id || ' ' || valid_to)
       ORDER BY valid_to LIMIT ?`,
    )
    .bind(from, until, limit)
    .all<EndedExemption>()
  return results
}

/** Verified exemptions of all accounts that ended before a day (`YYYY-MM-DD`), the earliest first. */
export async function readEnded(books: BooksDb, today: string, limit: number): Promise<EndedExemption[]> {
  const { results } = await books
    .prepare(
      `SELECT account_id, id, customer_id, jurisdiction_id, valid_to FROM exemptions
       WHERE status = 'verified' AND valid_to < ? AND ${openHome('exemptions.account_id')}
       ORDER BY valid_to LIMIT ?`,
    )
    .bind(today, limit)
    .all<EndedExemption>()
  return results
}

/** Whether the exemption of an audit entry is still verified and ended before a day. */
export const STILL_ENDED = `EXISTS (SELECT 1 FROM exemptions WHERE exemptions.account_id = entry.account_id
  AND exemptions.id = entry.resource_id AND status = 'verified' AND valid_to < ?
  AND ${openHome('exemptions.account_id')})`

/** Moves exemptions to expired. One that was changed since it was read is left alone. */
export function expireExemptionsOf(
  books: BooksDb,
  exemptions: readonly Owned[],
  today: string,
  now: Date,
): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE exemptions SET status = 'expired', ended_on = valid_to, updated_at = ?2
       WHERE (account_id, id) IN (SELECT value ->> '$.account_id', value ->> '$.id' FROM json_each(?1))
         AND status = 'verified' AND valid_to < ?3 AND ${openHome('exemptions.account_id')}`,
    )
    .bind(JSON.stringify(exemptions), now.toISOString(), today)
}
