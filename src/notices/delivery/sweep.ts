import type { BooksDb } from '../../platform/database/databases.ts'
import type { Bindings } from '../../platform/bindings.ts'
import { type Shard, shardOf } from '../../platform/database/shards.ts'
import { inSlices } from '../../platform/database/slices.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { HELD_MS } from './delivery-policy.ts'
import { pruneEnded, readOverdue, readSharedPending } from './sweep-store.ts'
import { sendEventMessages } from '../events/send-events.ts'
import { sendDeliveryMessages } from './send-messages.ts'

/** A row that is overdue by more has lost its message. */
const GRACE_MS = 60_000
const RETENTION_MS = 30 * 86_400_000

/**
 * Sends messages for rows that are due but have no message. It was lost between batch and queue, exceeded the
 * queue's retention, or was purged.
 */
export async function sweepWebhooks(env: Bindings, shard: Shard, now: Date): Promise<void> {
  const { event_ids, deliveries } = await readOverdue(shard.books, earlier(now, GRACE_MS))
  await sendEventMessages(env, shard, event_ids, now)
  await sendDeliveryMessages(env, shard, deliveries, now)
}

/**
 * Sends messages for the pending events for all accounts, right after a run or a decision that made them.
 * Events of one account get their messages from the write that made them. A failure is logged and not thrown,
 * as that of a queue: the sweep sends again, and the outcome of the run stays what it is.
 */
export async function sendSharedEvents(env: Bindings, now: Date): Promise<void> {
  try {
    await sendEventMessages(env, shardOf(env, 0), await readSharedPending(env.DB), now)
  } catch (thrown) {
    logFault({ step: 'send events for all accounts' }, thrown)
  }
}

/**
 * Expires deliveries that were held for more than three days. Deletes deliveries that ended more than 30 days
 * ago, and events without deliveries. In slices: what remains waits for the next tick.
 */
export async function pruneDeliveries(books: BooksDb, now: Date): Promise<void> {
  const ended_before = new Date(now.getTime() - RETENTION_MS)
  await inSlices(() => pruneEnded(books, { held_since: earlier(now, HELD_MS), ended_before }, now))
}

function earlier(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString()
}
