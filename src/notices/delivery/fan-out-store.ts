import type { BooksDb } from '../../platform/database/databases.ts'
import { dayOf } from '../../platform/kit/calendar.ts'
import { openHome } from '../../platform/database/home.ts'
import { newId } from '../../platform/database/ids.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { rowsOf } from '../../platform/database/results.ts'
import { NAMED_ONLY } from '../events/event-types.ts'
import { MESSAGES_MAX } from '../../platform/queue/send.ts'
import { countDeliveries } from './delivery-count-store.ts'
import type { Waiting } from './send-messages.ts'

/** Subscribers per page: as many as a queue accepts messages at once. */
export const PAGE = MESSAGES_MAX

/**
 * `fanned_out_to`: the last webhook that has a delivery; '' before the first. `account_id`: the account that
 * the event concerns; null: all.
 */
export type Event = {
  id: string
  type: string
  data: string
  created_at: string
  fanned_out_to: string
  account_id: string | null
}
export type Subscriber = { id: string; account_id: string }
/** `quota`: how many deliveries the account may get in a day. */
export type LimitedSubscriber = Subscriber & { quota: number }

/** Whether the fan-out of an event is not finished. The event of an account has a mark of its own. */
const PENDING = '(fanned_out_at IS NULL OR account_pending = 1)'

/** An event whose fan-out is not finished; null if there is none with this id. */
export async function readPendingEvent(books: BooksDb, event_id: string): Promise<Event | null> {
  return books
    .prepare(
      `SELECT id, type, data, created_at, coalesce(fanned_out_to, '') AS fanned_out_to,
         owner_account_id AS account_id
       FROM events WHERE id = ? AND ${PENDING}
         AND (owner_account_id IS NULL OR ${openHome('owner_account_id')})`,
    )
    .bind(event_id)
    .first<Event>()
}

/** Adds an event of the control database to a shard, unless the shard has it. */
export async function copyEvent(books: BooksDb, { id, type, data, created_at }: Event): Promise<void> {
  await books.batch(insertRows(books, 'events', [{ id, type, data, created_at }], 'OR IGNORE'))
}

/**
 * A page of the active webhooks with ids after `after` that subscribe to an event and existed when it
 * happened.
 */
export async function readSubscribers(books: BooksDb, event: Event, after: string): Promise<Subscriber[]> {
  const { results } = await books
    .prepare(
      `SELECT id, account_id FROM webhooks
       WHERE status = 'active' AND ${openHome('webhooks.account_id')} AND id > ?1 AND created_at <= ?2
         ${event.account_id === null ? '' : 'AND account_id = ?5'}
         AND EXISTS (SELECT 1 FROM json_each(events) WHERE value IN (?3, ?4))
       ORDER BY id LIMIT ${PAGE}`,
    )
    .bind(
      after,
      event.created_at,
      event.type,
      NAMED_ONLY.has(event.type) ? event.type : '*',
      ...(event.account_id === null ? [] : [event.account_id]),
    )
    .all<Subscriber>()
  return results
}

/**
 * Makes a delivery for each subscriber of a page whose account has not reached its quota of the day, and
 * moves the event's mark from the previous page to this one. Returns the deliveries; an empty list if another
 * invocation did the same page at the same time. The account can recover the events without deliveries.
 */
export async function insertDeliveries(
  books: BooksDb,
  event: Event,
  subscribers: readonly LimitedSubscriber[],
  page: { after: string; last: string; ended: boolean },
  now: Date,
): Promise<Waiting[]> {
  const at = now.toISOString()
  const wanted = withRoom(subscribers)
  const [moved, inserted] = await books.batch<{ id: string }>([
    // If two invocations do the same page at once, the second finds the mark moved and changes nothing.
    books
      .prepare(
        `UPDATE events SET fanned_out_to = ?1, fanned_out_at = coalesce(fanned_out_at, ?2),
           account_pending = iif(?2 IS NULL, account_pending, NULL)
         WHERE id = ?3 AND ${PENDING} AND coalesce(fanned_out_to, '') = ?4`,
      )
      .bind(page.last, page.ended ? at : null, event.id, page.after),
    books
      .prepare(
        `INSERT OR IGNORE INTO webhook_deliveries (id, account_id, webhook_id, event_id, status,
           next_attempt_at, created_at, updated_at)
         SELECT value ->> 'id', value ->> 'account_id', value ->> 'webhook_id', ?2, 'pending', ?3, ?3, ?3
         FROM json_each(?1)
         WHERE coalesce((SELECT iif(delivery_day = ?4, deliveries, 0) FROM account_usage usage
                         WHERE usage.account_id = value ->> 'account_id'), 0) <= value ->> 'room'
         RETURNING id`,
      )
      .bind(JSON.stringify(wanted), event.id, at, dayOf(now)),
    countDeliveries(
      books,
      wanted.map(({ id }) => id),
      dayOf(now),
    ),
  ])
  if (moved?.meta.changes !== 1) return []
  return rowsOf(inserted).map(({ id }) => ({ id, next_attempt_at: at }))
}

/**
 * The new delivery of each subscriber. `room`: how many deliveries its account may have before it, so that
 * several webhooks of an account share its quota.
 */
function withRoom(subscribers: readonly LimitedSubscriber[]) {
  const ranks = new Map<string, number>()
  return subscribers.map(({ id: webhook_id, account_id, quota }) => {
    const rank = (ranks.get(account_id) ?? 0) + 1
    ranks.set(account_id, rank)
    return { id: newId('dlv'), account_id, webhook_id, room: quota - rank }
  })
}
