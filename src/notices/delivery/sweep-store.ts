import type { BooksDb, ControlDb } from '../../platform/database/databases.ts'
import { notHeld, openHome } from '../../platform/database/home.ts'
import { firstIdAt } from '../../platform/database/ids.ts'
import { rowsOf } from '../../platform/database/results.ts'
import { confirmed } from './attempt-store.ts'
import { LOST_LEASES_MAX } from './delivery-policy.ts'
import type { Waiting } from './send-messages.ts'

/** The night announces the returns of all accounts at once. Their events are to go out within the hour. */
const EVENTS_MAX = 5_000
const DELIVERIES_MAX = 5_000
const PRUNED_MAX = 5_000

/** The pending events and deliveries that were due at a moment, the oldest first. */
export async function readOverdue(
  books: BooksDb,
  moment: string,
): Promise<{ event_ids: string[]; deliveries: Waiting[] }> {
  const [events, deliveries] = await books.batch<Waiting>([
    books
      .prepare(
        `SELECT id FROM events WHERE fanned_out_at IS NULL AND created_at <= ?1
         UNION ALL SELECT id FROM events WHERE account_pending = 1 AND created_at <= ?1
           AND ${openHome('owner_account_id')}
         ORDER BY id LIMIT ${EVENTS_MAX}`,
      )
      .bind(moment),
    books
      .prepare(
        `SELECT delivery.id, next_attempt_at
         FROM webhook_deliveries delivery JOIN webhooks webhook ON webhook.id = webhook_id
         WHERE delivery.status = 'pending' AND next_attempt_at <= ?1
           AND (leased_until IS NULL OR leased_until <= ?1) AND webhook.status = 'active'
           AND ${openHome('webhook.account_id')}
           AND (paused_until IS NULL OR paused_until <= ?1) AND ${confirmed('webhook', 'delivery')}
         ORDER BY next_attempt_at LIMIT ${DELIVERIES_MAX}`,
      )
      .bind(moment),
  ])
  return {
    event_ids: rowsOf(events).map((row) => row.id),
    deliveries: rowsOf(deliveries),
  }
}

/** The events for all accounts whose fan-out is not finished, the oldest first. */
export async function readSharedPending(control: ControlDb): Promise<string[]> {
  const { results } = await control
    .prepare(`SELECT id FROM events WHERE fanned_out_at IS NULL ORDER BY id LIMIT ${EVENTS_MAX}`)
    .all<{ id: string }>()
  return results.map((row) => row.id)
}

/**
 * Expires deliveries of disabled and unconfirmed webhooks made before `held_since`, and ends those that
 * lost too many leases. Deletes deliveries that ended before `ended_before`, and the events from before
 * then that have no deliveries left; all in one slice. Returns whether more may be left.
 */
export async function pruneEnded(
  books: BooksDb,
  { held_since, ended_before }: { held_since: string; ended_before: Date },
  now: Date,
): Promise<boolean> {
  const ended = `SELECT id FROM webhook_deliveries WHERE status <> 'pending' AND updated_at < ?1
    AND ${openHome('webhook_deliveries.account_id')} AND ${notHeld('webhook_deliveries.account_id')}
    ORDER BY updated_at LIMIT ${PRUNED_MAX}`
  const before = ended_before.toISOString()
  const [, , , deliveries, events] = await books.batch([
    books
      .prepare(
        `UPDATE webhook_deliveries SET status = 'expired', updated_at = ?1 WHERE id IN
           (SELECT delivery.id FROM webhook_deliveries delivery
            JOIN webhooks webhook ON webhook.id = webhook_id
            WHERE delivery.status = 'pending' AND delivery.created_at < ?2
              AND (webhook.status = 'disabled' OR webhook.challenge_id IS NOT NULL)
              AND ${openHome('webhook.account_id')}
            LIMIT ${PRUNED_MAX})`,
      )
      .bind(now.toISOString(), held_since),
    books
      .prepare(
        `UPDATE webhook_deliveries SET status = 'failed', updated_at = ?
         WHERE status = 'pending' AND leases >= attempts + ${LOST_LEASES_MAX}
           AND ${openHome('webhook_deliveries.account_id')}`,
      )
      .bind(now.toISOString()),
    books.prepare(`DELETE FROM webhook_attempts WHERE delivery_id IN (${ended})`).bind(before),
    books.prepare(`DELETE FROM webhook_deliveries WHERE id IN (${ended})`).bind(before),
    books
      .prepare(
        `DELETE FROM events WHERE id IN (SELECT id FROM events WHERE id < ?1 AND fanned_out_at IS NOT NULL
           AND (owner_account_id IS NULL
             OR ${openHome('owner_account_id')} AND ${notHeld('owner_account_id')})
           AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE event_id = events.id)
           ORDER BY id LIMIT ${PRUNED_MAX})`,
      )
      .bind(firstIdAt('evt', ended_before)),
  ])
  return deliveries?.meta.changes === PRUNED_MAX || events?.meta.changes === PRUNED_MAX
}
