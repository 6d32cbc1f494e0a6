import type { Bindings } from '../bindings.ts'

/** How a region's collector stands (specification, section 2.7, without what follows from the clock). */
export type SyncState = {
  region: string
  last_sync_at: string | null
  last_successful_fetch: string | null
  consecutive_failures: number
  parse_failures: number
  last_error: string | null
  next_run_at: string | null
}

/**
 * Copies a region's state from the database, where it is true, to KV, where the status pages read it. KV may
 * be down: the next run mends it.
 */
export async function writeFreshness(env: Pick<Bindings, 'DB' | 'KV'>, region: string): Promise<void> {
  const state = await env.DB.prepare(
    `SELECT region, last_sync_at, last_success_at AS last_successful_fetch, consecutive_failures, parse_failures, last_error, next_run_at
     FROM collector_states WHERE region = ?`,
  )
    .bind(region)
    .first<SyncState>()
  if (state !== null) await env.KV.put(freshnessKey(region), JSON.stringify(state)).catch(() => undefined)
}

export function freshnessKey(region: string): string {
  return `sync:${region}`
}
