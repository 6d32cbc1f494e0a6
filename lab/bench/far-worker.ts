import type { Bindings } from '../../src/platform/bindings.ts'
import worker from '../../src/worker.ts'
import { aroundTrips } from './around-trips.ts'
import { forgetAll } from '../../src/platform/kit/memory.ts'

/**
 * The service, far from its stores: each trip to D1 and KV takes as many milliseconds as the header
 * `far-ms` says. GET /forget empties the memory of the isolate.
 */
export default {
  ...worker,
  async fetch(request: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname === '/forget') {
      forgetAll()
      return new Response(null, { status: 204 })
    }
    const ms = Number(request.headers.get('far-ms'))
    const far = aroundTrips(env, async (_store, trip) => {
      await new Promise((resolve) => setTimeout(resolve, ms))
      return trip()
    })
    return worker.fetch(request, far, context)
  },
}
