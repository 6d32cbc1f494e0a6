import { logFault } from '../log-fault.ts'
import type { QueueMessage } from './messages.ts'

/** The most messages that a queue takes at once. */
export const MESSAGES_MAX = 100
/** The longest that a queue holds a message back: a day. */
const DELAY_MAX_S = 86_400

/** A message, and the moment (ISO 8601) at which it is due; null: now. */
export type Wake = { message: QueueMessage; at: string | null }

/**
 * Sends messages, each to arrive when it is due. A queue that takes none is logged and fails nothing: the
 * rows in D1 say what is due, and the sweep sends again.
 */
export async function sendMessages(
  queue: Queue<QueueMessage>,
  wakes: readonly Wake[],
  now: Date,
): Promise<void> {
  for (let from = 0; from < wakes.length; from += MESSAGES_MAX) {
    const batch = wakes
      .slice(from, from + MESSAGES_MAX)
      .map(({ message, at }) => ({ body: message, delaySeconds: secondsUntil(at, now) }))
    await queue
      .sendBatch(batch)
      .catch((thrown: unknown) => logFault({ queued: batch.length, first: batch[0]?.body }, thrown))
  }
}

function secondsUntil(at: string | null, now: Date): number {
  if (at === null) return 0
  return Math.min(Math.max(Math.ceil((Date.parse(at) - now.getTime()) / 1_000), 0), DELAY_MAX_S)
}
