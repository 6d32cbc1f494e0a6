import type { Context as HonoContext } from 'hono'
import type { Reader } from '../context.ts'
import type { App } from '../http/validate.ts'

/** What a request gives to read with. */
export function readerOf(c: HonoContext<App>, now: Date): Reader {
  return { env: c.env, now, later: (work) => c.executionCtx.waitUntil(work) }
}
