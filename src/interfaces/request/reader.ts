import type { Bindings } from '../../platform/bindings.ts'
import type { Reader } from '../../platform/context.ts'
import type { Later } from '../../platform/kit/held-copy.ts'

/** What a request is answered with. Hono's context of a request is one. */
export type Invocation = Readonly<{
  env: Bindings
  executionCtx: Pick<ExecutionContext, 'waitUntil'>
}>

export function readerOf(invocation: Invocation, now: Date): Reader {
  return { env: invocation.env, now, later: laterOf(invocation) }
}

/** Keeps the request alive for work behind its answer. */
export function laterOf(invocation: Invocation): Later {
  return (work) => invocation.executionCtx.waitUntil(work)
}
