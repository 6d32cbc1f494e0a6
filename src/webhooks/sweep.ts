import type { Bindings } from '../bindings.ts'
import { HELD_MS } from './delivery-policy.ts'
import { pruneEnded, readOverdue, readUnannounced } from './sweep-store.ts'
import { announce, sendWakeUps } from './wake-ups.ts'

/** What is overdue by more has lost its message. */
const GRACE_MS = 60_000
const RETENTION_MS = 30 * 86_400_000

/**
 * Wakes what is due and has no message: lost between batch and queue, past a queue's retention, or purged.
 */
export async function sweepWebhooks(env: Bindings, now: Date): Promise<void> {
  const { event_ids, deliveries } = await readOverdue(env.DB, earlier(now, GRACE_MS))
  await announce(env, event_ids, now)
  await sendWakeUps(env, deliveries, now)
}

/** Messages for the events that nobody was told of yet: right after what made them. */
export async function announceEvents(env: Bindings, now: Date): Promise<void> {
  await announce(env, await readUnannounced(env.DB), now)
}

/**
 * Gives up what was held for more than three days, and deletes deliveries that ended more than 30 days ago,
 * and events that nobody is to be told of any more.
 */
export async function pruneDeliveries(env: Bindings, now: Date): Promise<void> {
  const bounds = { held_since: earlier(now, HELD_MS), ended_before: earlier(now, RETENTION_MS) }
  await pruneEnded(env.DB, bounds, now)
}

function earlier(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString()
}
