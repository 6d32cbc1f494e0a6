import { logFault } from '../kit/log-fault.ts'
import type { QueueMessage } from './messages.ts'

/** The most messages that a queue accepts at once. */
export const MESSAGES_MAX = 100
/** The longest delay that a queue allows: a day. */
const DELAY_MAX_S = 86_400

/** A message and when it is due (ISO 8601); null: now. */
type DueMessage = { message: QueueMessage; at: string | null }

/**
 * Sends messages, each with the delay until it is due. A failure of the queue is logged and not thrown: the
 * rows in D1 record what is due, and the sweep sends again.
 */
export async function sendMessages(
  queue: Queue<QueueMessage>,
  messages: readonly DueMessage[],
  now: Date,
): Promise<void> {
  for (let from = 0; from < messages.length; from += MESSAGES_MAX) {
    const batch = messages
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
