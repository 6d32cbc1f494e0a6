import type { Context } from '../../platform/context.ts'
import { batchAtHome } from '../../platform/database/home.ts'

/**
 * Asks for a move of the account's sales to the days of its time zone. A later request replaces it. The
 * account is in another database than its sales. So call this before the change of the account: the job reads
 * the account's time zone later, and moves nothing if it did not change.
 */
export async function requestDayChange({ books, principal, now }: Context, time_zone: string): Promise<void> {
  const request = books
    .prepare(
      `INSERT INTO day_changes (account_id, time_zone, requested_at, after) VALUES (?, ?, ?, '')
       ON CONFLICT DO UPDATE SET time_zone = excluded.time_zone, requested_at = excluded.requested_at,
         after = ''`,
    )
    .bind(principal.account_id, time_zone, now.toISOString())
  await batchAtHome(books, principal.account_id, [request])
}

/** Whether the account's sales are being moved to the days of a new time zone. */
export async function isMovingDays({ books, principal }: Context): Promise<boolean> {
  const row = await books
    .prepare('SELECT 1 FROM day_changes WHERE account_id = ?')
    .bind(principal.account_id)
    .first()
  return row !== null
}
