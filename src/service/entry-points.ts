import type { Bindings } from '../platform/bindings.ts'
import { checkout, type Office } from './checkout.ts'
import type { RouteGroup } from './route-groups.ts'
import { readUnread } from '../platform/http/unread-body.ts'

/** The parts of the Worker that are evaluated at their first use. */
type LaterParts = {
  groups: readonly RouteGroup[]
  office: Office
  background: () => Promise<typeof import('./background.ts')>
}

/** The three entry points: requests, cron ticks, queue messages. */
export function entryPoints({ groups, office, background }: LaterParts) {
  const { fetch } = checkout(groups, office)
  return {
    fetch(request: Request, env: Bindings, ctx: ExecutionContext): Promise<Response> | Response {
      const answer = fetch(request, env, ctx)
      return env.ENVIRONMENT === 'development' ? afterBody(request, answer) : answer
    },
    async scheduled(controller: ScheduledController, env: Bindings): Promise<void> {
      await (await background()).onTick(controller, env)
    },
    async queue(batch: MessageBatch<unknown>, env: Bindings, ctx: ExecutionContext): Promise<void> {
      await (await background()).onMessages(batch, env, ctx)
    },
  }
}

async function afterBody(request: Request, answer: Promise<Response> | Response): Promise<Response> {
  const answered = await answer
  await readUnread(request)
  return answered
}
