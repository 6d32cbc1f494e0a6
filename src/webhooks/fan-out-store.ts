import { newId } from '../database/ids.ts'
import { insertRows } from '../database/insert-rows.ts'
import { MESSAGES_MAX } from '../queue/send.ts'
import type { Waiting } from './send-messages.ts'

/** Subscribers per page: as many as a queue accepts messages at once. */
export const PAGE = MESSAGES_MAX

/** `fanned_out_to`: the last webhook that has a delivery; '' before the first. */
export type Event = { id: string; type: string; created_at: string; fanned_out_to: string }
export type Subscriber = { id: string; account_id: string }

/** An event whose fan-out is not finished; null if there is none with this id. */
export async function readPendingEvent(db: D1Database, event_id: string): Promise<Event | null> {
  return db
    .prepare(
      `SELECT id, type, created_at, coalesce(fanned_out_to, '') AS fanned_out_to
       FROM events WHERE id = ? AND fanned_out_at IS NULL`,
    )
    .bind(event_id)
    .first<Event>()
}

/**
 * A page of the active webhooks with ids after `after` that subscribe to an event and existed when it
 * happened.
 */
export async function readSubscribers(db: D1Database, event: Event, after: string): Promise<Subscriber[]> {
  const { results } = await db
    .prepare(
      `SELECT id, account_id FROM webhooks
       WHERE status = 'active' AND id > ?1 AND created_at <= ?2
         AND EXISTS (SELECT 1 FROM json_each(events) WHERE value IN (?3, '*'))
       ORDER BY id LIMIT ${PAGE}`,
    )
    .bind(after, event.created_at, event.type)
    .all<Subscriber>()
  return results
}

/**
 * Makes a delivery for each subscriber of a page, and moves the event's mark from the previous page to this
 * one. Returns the deliveries; an empty list if another invocation did the same page at the same time.
 */
export async function insertDeliveries(
  db: D1Database,
  event: Event,
  subscribers: readonly Subscriber[],
  page: { after: string; last: string; ended: boolean },
  now: Date,
): Promise<Waiting[]> {
  const at = now.toISOString()
  const deliveries = subscribers.map(({ id: webhook_id, account_id }) => ({
    id: newId('dlv'),
    account_id,
    webhook_id,
    event_id: event.id,
    status: 'pending' as const,
    next_attempt_at: at,
    created_at: at,
    updated_at: at,
  }))
  const [moved] = await db.batch([
    // If two invocations do the same page at once, the second finds the mark moved and changes nothing.
    db
      .prepare(
        `UPDATE events SET fanned_out_to = ?1, fanned_out_at = ?2
         WHERE id = ?3 AND fanned_out_at IS NULL AND coalesce(fanned_out_to, '') = ?4`,
      )
      .bind(page.last, page.ended ? at : null, event.id, page.after),
    ...insertRows(db, 'webhook_deliveries', deliveries, 'OR IGNORE'),
  ])
  return moved?.meta.changes === 1 ? deliveries : []
}
