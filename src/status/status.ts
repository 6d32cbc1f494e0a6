import type { Bindings } from '../bindings.ts'
import { REGION_IDS } from '../tax-data/regions.ts'
import { type Freshness, freshnessOf } from './freshness.ts'
import type { Status } from './schemas.ts'
import { freshnessKey, type SyncState } from './sync-state.ts'

const CACHED_MS = 60_000
let cached: { status: Status; at: number } | null = null

/** How the collectors stand, read from KV at most once a minute in an isolate. */
export async function readStatus(env: Bindings, now: Date): Promise<Status> {
  const age = cached === null ? Number.POSITIVE_INFINITY : now.getTime() - cached.at
  if (cached !== null && age >= 0 && age < CACHED_MS)
    return { ...cached.status, queried_at: now.toISOString() }
  const status = await checkStatus(env, now)
  cached = { status, at: now.getTime() }
  return status
}

/** Forgets what is held, after a run in this isolate. */
export function forgetStatus(): void {
  cached = null
}

/** The same, read now. KV that cannot be read is said, and never taken for a region that has not run. */
export async function checkStatus(env: Bindings, now: Date): Promise<Status> {
  const at = { checked_at: now.toISOString(), queried_at: now.toISOString() }
  try {
    const states = await Promise.all(
      REGION_IDS.map((region) => env.KV.get<SyncState>(freshnessKey(region), 'json')),
    )
    const regions = REGION_IDS.map((region, index) =>
      presentRegion(region, freshnessOf(region, states[index] ?? null, now), states[index] ?? null),
    )
    const count = (status: Freshness) => regions.filter((region) => region.status === status).length
    const summary = {
      healthy: count('healthy'),
      degraded: count('degraded'),
      stale: count('stale'),
      unknown: count('unknown'),
      total: regions.length,
    }
    return { status: overall(summary), ...at, summary, regions }
  } catch {
    const summary = { healthy: 0, degraded: 0, stale: 0, unknown: 0, total: 0 }
    return {
      status: 'unhealthy',
      message: 'The metadata of the collectors cannot be read',
      ...at,
      summary,
      regions: [],
    }
  }
}

/** The worst of the regions; unknown only where nothing has run at all. */
function overall({ healthy, stale, unknown, total }: Status['summary']): Freshness {
  if (stale > 0) return 'stale'
  if (unknown === total) return 'unknown'
  return healthy === total ? 'healthy' : 'degraded'
}

function presentRegion(
  region: string,
  status: Freshness,
  state: SyncState | null,
): Status['regions'][number] {
  return {
    region,
    status,
    last_sync_at: state?.last_sync_at ?? null,
    last_successful_fetch: state?.last_successful_fetch ?? null,
    consecutive_failures: state?.consecutive_failures ?? 0,
    parse_failures: state?.parse_failures ?? 0,
    last_error: state?.last_error ?? null,
  }
}
