import { app } from './app.ts'
import type { Bindings, QueueMessage } from './bindings.ts'
import { runJobs } from './jobs.ts'

/** The three doors. */
export default {
  fetch: app.fetch,
  async scheduled(controller: ScheduledController, env: Bindings): Promise<void> {
    await runJobs(controller.cron, env, new Date(controller.scheduledTime))
  },
  queue(batch: MessageBatch<QueueMessage>): void {
    // Nothing is sent yet: a message can only be a leftover.
    for (const message of batch.messages) message.ack()
  },
}
