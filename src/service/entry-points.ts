import type { Bindings } from '../platform/bindings.ts'
import { checkout, type Office, type Rules } from './checkout.ts'
import { readUnread } from '../platform/http/unread-body.ts'

/** The parts of the Worker that are evaluated at their first use. */
type LaterParts = {
  rules: Rules
  office: Office
  background: () => Promise<typeof import('./background.ts')>
}

/** The three entry points: requests, cron ticks, queue messages. */
export function entryPoints({ rules, office, background }: LaterParts) {
  const { fetch } = checkout(rules, office)
  return {
    async fetch(request: Request, env: Bindings, ctx: ExecutionContext): Promise<Response> {
      const answer = await fetch(request, env, ctx)
      if (env.ENVIRONMENT === 'development') await readUnread(request)
      return answer
    },
    async scheduled(controller: ScheduledController, env: Bindings): Promise<void> {
      await (await background()).onTick(controller, env)
    },
    async queue(batch: MessageBatch<unknown>, env: Bindings, ctx: ExecutionContext): Promise<void> {
      await (await background()).onMessages(batch, env, ctx)
    },
  }
}
