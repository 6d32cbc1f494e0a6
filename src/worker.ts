import { COLLECTORS } from '../collectors/all.ts'
import { runRegion } from '../collectors/run.ts'
import { app } from './app.ts'
import type { Bindings } from './bindings.ts'
import { runJobs } from './jobs.ts'
import { consumeBatch } from './consume.ts'
import type { Collect } from './status/sync.ts'

/** Only this file of src/ imports the collectors: it passes them to the code that runs them. */
const collect: Collect = async (env, region, options) => runRegion(env, COLLECTORS[region], options)

/** The three entry points: requests, cron ticks, queue messages. */
export default {
  fetch: app.fetch,
  async scheduled({ cron, scheduledTime }: ScheduledController, env: Bindings): Promise<void> {
    await runJobs(cron, env, new Date(scheduledTime))
  },
  async queue(batch: MessageBatch<unknown>, env: Bindings, ctx: ExecutionContext): Promise<void> {
    await consumeBatch(batch, { env, ctx, clock: () => new Date(), collect })
  },
}
