import type { Bindings } from '../bindings.ts'
import { insertDeliveries, PAGE, readSubscribers, readPendingEvent } from './fan-out-store.ts'
import { sendEventMessages, sendDeliveryMessages } from './send-messages.ts'

/** Pages of subscribers in one invocation; another invocation does the rest. */
const PAGES_MAX = 20

/**
 * Makes a delivery of an event for each active webhook that subscribes to it, page by page, and wakes them.
 * The batch of each page also stores the last webhook in the event's row. After a crash the fan-out continues
 * there and never makes a delivery twice. A webhook that is newer than the event gets no delivery.
 */
export async function fanOut(env: Bindings, books: D1Database, event_id: string, now: Date): Promise<void> {
  const event = await readPendingEvent(books, event_id)
  if (event === null) return
  let after = event.fanned_out_to
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const subscribers = await readSubscribers(books, event, after)
    const last = subscribers.at(-1)?.id ?? after
    const ended = subscribers.length < PAGE
    await sendDeliveryMessages(
      env,
      await insertDeliveries(books, event, subscribers, { after, last, ended }, now),
      now,
    )
    if (ended) return
    after = last
  }
  await sendEventMessages(env, [event_id], now)
}
