import type { Bindings } from '../bindings.ts'
import { insertDeliveries, PAGE, readSubscribers, readUntold } from './fan-out-store.ts'
import { announce, sendWakeUps } from './wake-ups.ts'

/** Pages of subscribers in one invocation; what is left goes on in another. */
const PAGES_MAX = 20

/**
 * Makes a delivery of an event for each active webhook that subscribes to it, a page at a time, and wakes
 * them. Where it stopped stands in the event's row, in the batch of each page, so that it goes on there after
 * a crash and tells nobody twice. Later webhooks are not told.
 */
export async function fanOut(env: Bindings, event_id: string, now: Date): Promise<void> {
  const event = await readUntold(env.DB, event_id)
  if (event === null) return
  let after = event.fanned_out_to
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const subscribers = await readSubscribers(env.DB, event, after)
    const last = subscribers.at(-1)?.id ?? after
    const ended = subscribers.length < PAGE
    await sendWakeUps(
      env,
      await insertDeliveries(env.DB, event, subscribers, { after, last, ended }, now),
      now,
    )
    if (ended) return
    after = last
  }
  await announce(env, [event_id], now)
}
