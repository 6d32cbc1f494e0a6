import type { Bindings, QueueMessage } from '../bindings.ts'
import { beginAttempt } from './attempt.ts'

/**
 * Begins the deliveries of a batch all at the same time, and does not wait for their ends: the rows know what
 * is under way, and a receiver that hangs holds up neither the others nor the next batch. Never throws.
 */
export async function consumeDeliveries(
  batch: MessageBatch<QueueMessage>,
  env: Bindings,
  ctx: ExecutionContext,
  clock: () => Date,
): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      const { id } = message.body
      try {
        const begun = await beginAttempt(env, id, clock)
        if (begun !== null)
          ctx.waitUntil(begun.ended.catch((thrown: unknown) => logFault(batch.queue, id, thrown)))
        message.ack()
      } catch (thrown) {
        logFault(batch.queue, id, thrown)
        message.retry({ delaySeconds: 30 })
      }
    }),
  )
}

/**
 * Messages that could not be handled: the rows in the database still know, and the sweep wakes them again.
 */
export function consumeDeadLetters(batch: MessageBatch<QueueMessage>): void {
  for (const message of batch.messages) {
    console.error(
      JSON.stringify({
        level: 'error',
        queue: batch.queue,
        message_id: message.body.id,
        error: 'dead letter',
      }),
    )
    message.ack()
  }
}

export function logFault(queue: string, id: string, thrown: unknown): void {
  const error = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'unknown'
  console.error(JSON.stringify({ level: 'error', queue, message_id: id, error }))
}
