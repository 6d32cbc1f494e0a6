import type { Bindings } from '../../src/platform/bindings.ts'
import worker from '../../src/worker.ts'
import { aroundTrips } from './around-trips.ts'

const counts = { d1: 0, kv: 0 }
let counted: Bindings | null = null

/**
 * The service, which also counts its D1 and KV operations. GET /counts returns the counts since the last
 * call.
 */
export default {
  ...worker,
  async fetch(request: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname === '/counts') {
      const answer = Response.json(counts)
      counts.d1 = 0
      counts.kv = 0
      return answer
    }
    // One object for the isolate, like the bindings themselves, because the service may remember them.
    counted ??= aroundTrips(env, (store, trip) => {
      if (store === 'd1' || store === 'kv') counts[store] += 1
      return trip()
    })
    return worker.fetch(request, counted, context)
  },
}
