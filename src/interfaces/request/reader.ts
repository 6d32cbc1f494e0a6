import type { Context as HonoContext } from 'hono'
import type { Reader } from '../../platform/context.ts'
import type { Later } from '../../platform/kit/held-copy.ts'
import type { App } from '../../platform/http/validate.ts'

export function readerOf(c: HonoContext<App>, now: Date): Reader {
  return { env: c.env, now, later: laterOf(c) }
}

/** Keeps the request alive for work behind its answer. */
export function laterOf(c: HonoContext<App>): Later {
  return (work) => c.executionCtx.waitUntil(work)
}
