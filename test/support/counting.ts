import { env } from 'cloudflare:workers'
import type { Bindings } from '../../src/platform/bindings.ts'

type Count = { kv: number; d1: number }

/** Bindings that count their calls to KV and to the control database. */
export function countingBindings(): { bindings: Bindings; count: Count } {
  const count = { kv: 0, d1: 0 }
  const counting = <Binding extends object>(binding: Binding, name: keyof Count): Binding =>
    new Proxy(binding, {
      get(target, member) {
        const found: unknown = Reflect.get(target, member)
        if (typeof found !== 'function') return found
        return (...values: unknown[]): unknown => {
          count[name] += 1
          return found.apply(target, values)
        }
      },
    })
  return { bindings: { ...env, KV: counting(env.KV, 'kv'), DB: counting(env.DB, 'd1') }, count }
}
