import type { Bindings } from '../../src/platform/bindings.ts'

type Store = 'd1' | 'kv' | 'r2' | 'queue' | 'mail'

/** Stands around one trip to a store: makes it, at once or later. */
export type AroundTrip = (store: Store, trip: () => unknown) => unknown

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
  'head',
  'send',
  'sendBatch',
])

/** The bindings with `around` each trip to D1 and KV. */
export function aroundTrips(env: Bindings, around: AroundTrip): Bindings {
  return { ...env, DB: wrapped(env.DB, 'd1', around), KV: wrapped(env.KV, 'kv', around) }
}

/** The bindings with `around` each trip to any store, and each mail. */
export function aroundAllTrips(env: Bindings, around: AroundTrip): Bindings {
  const all = Object.entries(env).map(([name, binding]: [string, unknown]) => {
    const store = STORES.find(([pattern]) => pattern.test(name))?.[1]
    const isBinding = store !== undefined && typeof binding === 'object' && binding !== null
    return [name, isBinding ? wrapped(binding, store, around) : binding]
  })
  // The same names with the same types.
  return Object.fromEntries(all)
}

const STORES: readonly (readonly [RegExp, Store])[] = [
  [/^(DB|BOOKS_\d+)$/, 'd1'],
  [/^KV$/, 'kv'],
  [/^(BACKUPS|CERTIFICATES)$/, 'r2'],
  [/^(WEBHOOK_EVENTS|WEBHOOK_DELIVERIES|WORK|VALIDATIONS|DEAD_LETTERS)$/, 'queue'],
  [/^MAIL$/, 'mail'],
]

const originals = new WeakMap<object, object>()

/** Passes all calls on. Also wraps the statements and sessions that they return. */
function wrapped<T extends object>(target: T, store: Store, around: AroundTrip): T {
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
