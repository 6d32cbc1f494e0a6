import { tiersOf } from '../../platform/database/held-tiers.ts'
import type { Bindings } from '../../platform/bindings.ts'
import { type Shard, shardsOf } from '../../platform/database/shards.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { quotaOf } from '../../platform/quotas.ts'
import {
  copyEvent,
  type Event,
  insertDeliveries,
  type LimitedSubscriber,
  PAGE,
  readSubscribers,
  readPendingEvent,
  type Subscriber,
} from './fan-out-store.ts'
import { sendEventMessages } from '../events/send-events.ts'
import { sendDeliveryMessages } from './send-messages.ts'

/** Pages of subscribers in one invocation; another invocation does the rest. */
const PAGES_MAX = 20

/**
 * Makes a delivery of an event for each active webhook of a shard that subscribes to it, page by page, and
 * wakes them. The batch of each page also stores the last webhook in the event's row. After a crash the
 * fan-out continues there and never makes a delivery twice. A webhook that is newer than the event gets no
 * delivery. An event for all accounts is copied into the other shards first, which fan it out themselves.
 */
export async function fanOut(env: Bindings, shard: Shard, event_id: string, now: Date): Promise<void> {
  const event = await readPendingEvent(shard.books, event_id)
  if (event === null) return
  const shared = shard.number === 0 && event.account_id === null
  const everywhere = !shared || (await copyToShards(env, event, now))
  let after = event.fanned_out_to
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const subscribers = await readSubscribers(shard.books, event, after)
    const last = subscribers.at(-1)?.id ?? after
    const page = { after, last, ended: subscribers.length < PAGE && everywhere }
    const limited = await withQuotas(env, subscribers, now)
    const deliveries = await insertDeliveries(shard.books, event, limited, page, now)
    if (deliveries.length < subscribers.length) logSkipped(event, subscribers.length - deliveries.length)
    await sendDeliveryMessages(env, shard, deliveries, now)
    if (page.ended) return
    if (subscribers.length < PAGE) throw new Error('An event could not be copied into all shards')
    after = last
  }
  await sendEventMessages(env, shard, [event_id], now)
}

/** The subscribers with the quotas of their tiers. */
async function withQuotas(
  env: Bindings,
  subscribers: readonly Subscriber[],
  now: Date,
): Promise<LimitedSubscriber[]> {
  const ids = subscribers.map(({ account_id }) => account_id)
  const tiers = await tiersOf(env.DB, ids, now)
  return subscribers.map((subscriber) => {
    const tier = tiers.get(subscriber.account_id) ?? 'free'
    return { ...subscriber, quota: quotaOf(env, tier, 'deliveries_a_day') }
  })
}

/** Subscribers without a delivery are over their quota, or have one from an invocation that ended early. */
function logSkipped({ id, type }: Event, skipped: number): void {
  console.log(JSON.stringify({ level: 'info', event_id: id, type, skipped }))
}

/**
 * Copies an event into all other shards, and wakes them. Shards that have it ignore the copy. Returns whether
 * all shards have it: if one does not answer, the others go on.
 */
async function copyToShards(env: Bindings, event: Event, now: Date): Promise<boolean> {
  const others = shardsOf(env).filter(({ number }) => number > 0)
  const copied = await Promise.all(
    others.map(async (shard) => {
      try {
        await copyEvent(shard.books, event)
        await sendEventMessages(env, shard, [event.id], now)
        return true
      } catch (thrown) {
        logFault({ event_id: event.id, shard: shard.number, step: 'copy' }, thrown)
        return false
      }
    }),
  )
  return copied.every(Boolean)
}
