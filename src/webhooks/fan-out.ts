import type { Bindings } from '../bindings.ts'
import { newId } from '../database/ids.ts'
import { insertRows } from '../database/insert-rows.ts'
import { MESSAGES_MAX } from '../queue/send.ts'
import { announce, sendWakeUps } from './wake-ups.ts'

/** Pages of subscribers in one invocation; what is left goes on in another. */
const PAGES_MAX = 20

type Event = { id: string; type: string; created_at: string; fanned_out_to: string }
type Subscriber = { id: string; account_id: string }

/**
 * Makes a delivery of an event for each active webhook that subscribes to it, a page at a time, and wakes
 * them. Where it stopped stands in the event's row, in the batch of each page, so that it goes on there after
 * a crash and tells nobody twice. Later webhooks are not told.
 */
export async function fanOut(env: Bindings, event_id: string, now: Date): Promise<void> {
  const event = await env.DB.prepare(
    `SELECT id, type, created_at, coalesce(fanned_out_to, '') AS fanned_out_to FROM events WHERE id = ? AND fanned_out_at IS NULL`,
  )
    .bind(event_id)
    .first<Event>()
  if (event === null) return
  let after = event.fanned_out_to
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const subscribers = await readSubscribers(env.DB, event, after)
    const last = subscribers.at(-1)?.id ?? after
    const ended = subscribers.length < MESSAGES_MAX
    await tell(env, event, subscribers, { after, last, ended }, now)
    if (ended) return
    after = last
  }
  await announce(env, [event_id], now)
}

async function readSubscribers(db: D1Database, event: Event, after: string): Promise<Subscriber[]> {
  const { results } = await db
    .prepare(
      `SELECT id, account_id FROM webhooks
       WHERE status = 'active' AND id > ?1 AND created_at <= ?2
         AND EXISTS (SELECT 1 FROM json_each(events) WHERE value IN (?3, '*'))
       ORDER BY id LIMIT ${MESSAGES_MAX}`,
    )
    .bind(after, event.created_at, event.type)
    .all<Subscriber>()
  return results
}

async function tell(
  env: Bindings,
  event: Event,
  subscribers: readonly Subscriber[],
  page: { after: string; last: string; ended: boolean },
  now: Date,
): Promise<void> {
  const at = now.toISOString()
  const deliveries = subscribers.map(({ id: webhook_id, account_id }) => ({
    id: newId('dlv'),
    account_id,
    webhook_id,
    event_id: event.id,
    status: 'pending',
    next_attempt_at: at,
    created_at: at,
    updated_at: at,
  }))
  const [moved] = await env.DB.batch([
    // Of two that do the same page at once, the second finds the mark moved and does nothing.
    env.DB.prepare(
      `UPDATE events SET fanned_out_to = ?1, fanned_out_at = ?2 WHERE id = ?3 AND fanned_out_at IS NULL AND coalesce(fanned_out_to, '') = ?4`,
    ).bind(page.last, page.ended ? at : null, event.id, page.after),
    ...insertRows(env.DB, 'webhook_deliveries', deliveries, 'OR IGNORE'),
  ])
  if (moved?.meta.changes === 1) await sendWakeUps(env, deliveries, now)
}
