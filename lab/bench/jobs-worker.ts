import type { Bindings } from '../../src/platform/bindings.ts'
import type { QueueMessage } from '../../src/platform/queue/messages.ts'
import { putErasures } from '../../src/service/erasures/list.ts'
import worker from '../../src/worker.ts'
import { runJob, runMessages } from '../accounts/run-job.ts'

export type Order = { now: string } & (
  | { cron: string; job: string }
  | { messages: QueueMessage[] }
  | { erased: { account_id: string; customer_id: string }[] }
)

/** The service, which also runs one job of a tick, or messages, at POST /run, and says what it costs. */
export default {
  ...worker,
  async fetch(request: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname !== '/run') return worker.fetch(request, env, context)
    const order: Order = await request.json()
    const now = new Date(order.now)
    if ('job' in order) return Response.json(await runJob(env, order.cron, order.job, now))
    if ('messages' in order) return Response.json(await runMessages(env, order.messages, now))
    await putErasures(env, now, order.erased)
    return Response.json(null)
  },
}
