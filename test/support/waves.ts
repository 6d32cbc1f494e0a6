import { env } from 'cloudflare:workers'
import type { Bindings } from '../../src/platform/bindings.ts'
import { interceptedDatabase } from './intercepted-database.ts'

/** So long after the last trip began, all trips that need no answer of another have begun. */
const QUIET_MS = 400

/**
 * Bindings whose trips to D1 and KV are held back until no further one begins, and are then made together: a
 * wave. The number of waves before an answer is the number of trips that it waits for one after another,
 * whatever the distance to the stores and the speed of the machine.
 */
export function bindingsInWaves(): { bindings: Bindings; waves: () => number } {
  let waves = 0
  let waiting: (() => void)[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const release = () => {
    waves += 1
    const trips = waiting
    waiting = []
    for (const go of trips) go()
  }
  const around = async <T>(trip: () => Promise<T>): Promise<T> => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      clearTimeout(timer)
      timer = setTimeout(release, QUIET_MS)
    })
    return trip()
  }
  const KV = new Proxy(env.KV, {
    get(kv, name) {
      const member: unknown = Reflect.get(kv, name)
      if (typeof member !== 'function') return member
      return (...values: unknown[]) => around(async () => Reflect.apply(member, kv, values))
    },
  })
  return { bindings: { ...env, DB: interceptedDatabase(env.DB, around), KV }, waves: () => waves }
}
