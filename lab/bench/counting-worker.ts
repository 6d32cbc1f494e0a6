import worker from '../../src/worker.ts'
import type { Bindings } from '../../src/bindings.ts'

const OPERATIONS = new Set([
  'first',
  'all',
  'run',
  'raw',
  'batch',
  'exec',
  'dump',
  'get',
  'getWithMetadata',
  'put',
  'delete',
  'list',
])

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
    counted ??= { ...env, DB: counting(env.DB, 'd1'), KV: counting(env.KV, 'kv') }
    return worker.fetch(request, counted, context)
  },
}

const originals = new WeakMap<object, object>()

/**
 * Passes all calls on, and counts those to the store. Also wraps the statements and sessions that they
 * return.
 */
function counting<T extends object>(target: T, store: 'd1' | 'kv'): T {
  const proxy = new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name, object)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (OPERATIONS.has(String(name))) counts[store] += 1
        const result: unknown = Reflect.apply(value, object, args.map(original))
        const opensMore = name === 'prepare' || name === 'bind' || name === 'withSession'
        return opensMore && typeof result === 'object' && result !== null ? counting(result, store) : result
      }
    },
  })
  originals.set(proxy, target)
  return proxy
}

/** D1 needs its own statements, so this unwraps them, also in the list of a batch. */
function original(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(original)
  return typeof value === 'object' && value !== null ? (originals.get(value) ?? value) : value
}
