import type { Bindings, QueueMessage } from '../bindings.ts'
import { attemptDelivery } from './attempt.ts'

/** Attempts the deliveries of a batch all at the same time, so that a slow receiver holds up none of the others. Never throws. */
export async function consumeDeliveries(batch: MessageBatch<QueueMessage>, env: Bindings, clock: () => Date): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      try {
        await attemptDelivery(env, message.body.id, clock)
        message.ack()
      } catch (thrown) {
        logFault(batch.queue, message.body.id, thrown)
        message.retry({ delaySeconds: 30 })
      }
    }),
  )
}

/** Messages that could not be handled: the rows in the database still know, and the sweep wakes them again. */
export function consumeDeadLetters(batch: MessageBatch<QueueMessage>): void {
  for (const message of batch.messages) {
    console.error(JSON.stringify({ level: 'error', queue: batch.queue, message_id: message.body.id, error: 'dead letter' }))
    message.ack()
  }
}

export function logFault(queue: string, id: string, thrown: unknown): void {
  const error = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'unknown'
  console.error(JSON.stringify({ level: 'error', queue, message_id: id, error }))
}
