import { app } from './app.ts'
import type { Bindings, QueueMessage } from './bindings.ts'
import { runJobs } from './jobs.ts'
import { regionOfMessage, runSync } from './status/sync.ts'
import { retryValidation, validationOfMessage } from './vat/retry-validation.ts'
import { fanOut } from './webhooks/fan-out.ts'
import { consumeDeadLetters, consumeDeliveries, logFault } from './webhooks/messages.ts'

/** The three doors. */
export default {
  fetch: app.fetch,
  async scheduled(controller: ScheduledController, env: Bindings): Promise<void> {
    await runJobs(controller.cron, env, new Date(controller.scheduledTime))
  },
  async queue(batch: MessageBatch<QueueMessage>, env: Bindings, ctx: ExecutionContext): Promise<void> {
    if (batch.queue.includes('dead-letters')) consumeDeadLetters(batch)
    else if (batch.queue.includes('deliveries')) await consumeDeliveries(batch, env, ctx, () => new Date())
    else for (const message of batch.messages) await consumeEvent(message, env)
  },
}

/**
 * A region to be synchronised, a VAT id to be asked about again, or an event to be told to its subscribers.
 */
async function consumeEvent(message: Message<QueueMessage>, env: Bindings): Promise<void> {
  const { id } = message.body
  const region = regionOfMessage(id)
  const validation = validationOfMessage(id)
  try {
    // A failed run is recorded and due again in an hour: the message has done its work either way.
    if (region !== null) await runSync(env, region, new Date())
    else if (validation !== null) await retryValidation(env, validation, new Date())
    else await fanOut(env, id, new Date())
    message.ack()
  } catch (thrown) {
    logFault('webhook-events', id, thrown)
    message.retry({ delaySeconds: 60 })
  }
}
