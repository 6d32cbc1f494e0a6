import { app } from './app.ts'
import type { Bindings, QueueMessage } from './bindings.ts'
import { runJobs } from './jobs.ts'
import { regionOfMessage, runSync } from './status/sync.ts'

/** The three doors. */
export default {
  fetch: app.fetch,
  async scheduled(controller: ScheduledController, env: Bindings): Promise<void> {
    await runJobs(controller.cron, env, new Date(controller.scheduledTime))
  },
  async queue(batch: MessageBatch<QueueMessage>, env: Bindings): Promise<void> {
    for (const message of batch.messages) {
      const region = regionOfMessage(message.body.id)
      // A failed run is recorded and due again in an hour: the message has done its work either way.
      if (region !== null) await runSync(env, region, new Date())
      message.ack()
    }
  },
}
