import type { Bindings } from '../../platform/bindings.ts'
import { readState } from './store.ts'

/**
 * Copies a region's state from the database, the source of truth, to KV, where the status pages read it. If
 * KV is down, the next run corrects it.
 */
export async function writeFreshness(env: Pick<Bindings, 'DB' | 'KV'>, region: string): Promise<void> {
  const state = await readState(env.DB, region)
  if (state !== null) await env.KV.put(freshnessKey(region), JSON.stringify(state)).catch(() => undefined)
}

export function freshnessKey(region: string): string {
  return `sync:${region}`
}
