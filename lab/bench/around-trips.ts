import type { Bindings } from '../../src/platform/bindings.ts'

/** Stands around one trip to a store: makes it, at once or later. */
type AroundTrip = (store: 'd1' | 'kv', trip: () => unknown) => unknown

const TRIPS = new Set([
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

/** The bindings with `around` each trip to D1 and KV. */
export function aroundTrips(env: Bindings, around: AroundTrip): Bindings {
  return { ...env, DB: wrapped(env.DB, 'd1', around), KV: wrapped(env.KV, 'kv', around) }
}

const originals = new WeakMap<object, object>()

/** Passes all calls on. Also wraps the statements and sessions that they return. */
function wrapped<T extends object>(target: T, store: 'd1' | 'kv', around: AroundTrip): T {
  const proxy = new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name, object)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const call = (): unknown => Reflect.apply(value, object, args.map(original))
        if (TRIPS.has(String(name))) return around(store, call)
        const result = call()
        const opensMore = name === 'prepare' || name === 'bind' || name === 'withSession'
        return opensMore && typeof result === 'object' && result !== null
          ? wrapped(result, store, around)
          : result
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
