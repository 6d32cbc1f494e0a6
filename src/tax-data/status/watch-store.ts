import type { BooksDb, ControlDb } from '../../platform/database/databases.ts'
import { atHome, openHome } from '../../platform/database/home.ts'

/** How many moves have no process that works on them at a moment. */
export async function countDeadMoves(control: ControlDb, now: string): Promise<number> {
  const count = await control
    .prepare(
      `SELECT count(*) AS n FROM account_moves
       WHERE finished_at IS NULL AND (leased_until IS NULL OR leased_until <= ?)`,
    )
    .bind(now)
    .first<number>('n')
  return count ?? 0
}

/** How many collectors have been due since before a moment. */
export async function countOverdueCollectors(control: ControlDb, before: string): Promise<number> {
  const count = await control
    .prepare('SELECT count(*) AS n FROM collector_states WHERE next_run_at < ?')
    .bind(before)
    .first<number>('n')
  return count ?? 0
}

/**
 * How many accounts with their books in a shard have a return that the nightly check found to differ, and
 * how many have sealed sales; and how many chests were planned before a moment and are not sealed, although
 * nothing holds them back.
 */
export async function countInBooks(
  books: BooksDb,
  planned_before: string,
): Promise<{ unreconciled: number; with_chests: number; stuck_chests: number }> {
  const found = await books
    .prepare(
      `SELECT (SELECT count(DISTINCT account_id) FROM return_checks
           WHERE fault IS NOT NULL AND ${atHome('return_checks.account_id')}) AS unreconciled,
         (SELECT count(*) FROM sealed_accounts
           WHERE changes > 0 AND ${atHome('sealed_accounts.account_id')}) AS with_chests,
         (SELECT count(*) FROM chests WHERE state <> 'sealed' AND planned_at < ?
           AND ${openHome('chests.account_id')} AND NOT EXISTS (
             SELECT 1 FROM taxjar_documents WHERE taxjar_documents.account_id = chests.account_id)
         ) AS stuck_chests`,
    )
    .bind(planned_before)
    .first<{ unreconciled: number; with_chests: number; stuck_chests: number }>()
  return found ?? { unreconciled: 0, with_chests: 0, stuck_chests: 0 }
}

/**
 * When the oldest event of a shard was made whose fan-out is not finished, and since when its oldest delivery
 * has been due that nothing holds back; null: none waits.
 */
export async function readOldestWaiting(
  books: BooksDb,
  now: string,
): Promise<{ event: string | null; delivery: string | null }> {
  const [events, deliveries] = await books.batch<{ at: string | null }>([
    books.prepare(
      `SELECT min(at) AS at FROM (
         SELECT min(created_at) AS at FROM events WHERE fanned_out_at IS NULL
         UNION ALL SELECT min(created_at) FROM events
         WHERE account_pending = 1 AND ${openHome('owner_account_id')})`,
    ),
    books
      .prepare(
        `SELECT next_attempt_at AS at
         FROM webhook_deliveries delivery JOIN webhooks webhook ON webhook.id = webhook_id
         WHERE delivery.status = 'pending' AND next_attempt_at <= ?1
           AND (leased_until IS NULL OR leased_until <= ?1) AND webhook.status = 'active'
           AND ${openHome('webhook.account_id')} AND (paused_until IS NULL OR paused_until <= ?1)
         ORDER BY next_attempt_at LIMIT 1`,
      )
      .bind(now),
  ])
  return { event: events?.results[0]?.at ?? null, delivery: deliveries?.results[0]?.at ?? null }
}
