import type { Bindings } from '../../platform/bindings.ts'
import { dayOf } from '../../platform/kit/calendar.ts'
import { COLLECTED_IDS, type CollectedId, collectedOf, REGION_IDS, REGIONS } from '../../platform/regions.ts'
import { bookFor } from '../records/book-for.ts'
import { ageOfRegion } from '../records/data-age.ts'
import { type CollectedFreshness, freshnessOf } from './freshness.ts'
import type { SyncState } from './store.ts'
import { freshnessKey } from './sync-state.ts'
import type { Status } from './schemas.ts'
import { onForget } from '../../platform/kit/memory.ts'

const CACHED_MS = 60_000
let cached: { status: Status; at: number } | null = null

/** The freshness of all regions, read from KV at most once a minute per isolate. */
export async function readStatus(env: Bindings, now: Date): Promise<Status> {
  const age = cached === null ? Number.POSITIVE_INFINITY : now.getTime() - cached.at
  if (cached !== null && age >= 0 && age < CACHED_MS)
    return { ...cached.status, queried_at: now.toISOString() }
  const status = await checkStatus(env, now)
  cached = { status, at: now.getTime() }
  return status
}

/** Clears the cached status, after a run in this isolate. */
export const forgetStatus = onForget(() => {
  cached = null
})

/**
 * The freshness of all regions, read now. If KV cannot be read, the status says so: it is not reported as a
 * region that has never run.
 */
export async function checkStatus(env: Bindings, now: Date): Promise<Status> {
  const at = { checked_at: now.toISOString(), queried_at: now.toISOString() }
  try {
    const [assessed, kept_by_hand] = await Promise.all([
      Promise.all(COLLECTED_IDS.map((id) => assessRegion(env.KV, id, now))),
      keptByHand(env, now),
    ])
    const regions = assessed.map(presentRegion)
    const count = (status: CollectedFreshness) => regions.filter((region) => region.status === status).length
    const summary = {
      healthy: count('healthy'),
      degraded: count('degraded'),
      stale: count('stale'),
      unknown: count('unknown'),
      total: regions.length,
    }
    return { status: overallStatus(assessed), ...at, summary, regions, kept_by_hand }
  } catch {
    const summary = { healthy: 0, degraded: 0, stale: 0, unknown: 0, total: 0 }
    return {
      status: 'unhealthy',
      message: 'The state of the collectors cannot be read',
      ...at,
      summary,
      regions: [],
      kept_by_hand: [],
    }
  }
}

type AssessedRegion = {
  region: CollectedId
  specified: boolean
  status: CollectedFreshness
  state: SyncState | null
}

async function assessRegion(kv: KVNamespace, region: CollectedId, now: Date): Promise<AssessedRegion> {
  const state = await kv.get<SyncState>(freshnessKey(region), 'json')
  return { region, specified: REGIONS[region].specified, status: freshnessOf(region, state, now), state }
}

/** The regions that no collector reads, with the day of the newest review of their data. */
async function keptByHand(env: Bindings, now: Date): Promise<Status['kept_by_hand']> {
  // The status is also useful while the tax data cannot be read.
  const book = await bookFor({ env, now, later: (work) => void work }).catch(() => null)
  const day = dayOf(now)
  return REGION_IDS.filter((id) => collectedOf(id) === null).map((region) => ({
    region,
    reviewed_on: book === null ? null : ageOfRegion(book, region, day).reviewed_on,
  }))
}

/**
 * The worst status of the regions; unknown only if no region has run at all. A region that the specification
 * does not list is ignored until its first run. Pure.
 */
export function overallStatus(
  regions: readonly Pick<AssessedRegion, 'specified' | 'status'>[],
): CollectedFreshness {
  const statuses = regions
    .filter(({ specified, status }) => specified || status !== 'unknown')
    .map(({ status }) => status)
  if (statuses.includes('stale')) return 'stale'
  if (statuses.every((status) => status === 'unknown')) return 'unknown'
  return statuses.every((status) => status === 'healthy') ? 'healthy' : 'degraded'
}

function presentRegion({ region, status, state }: AssessedRegion): Status['regions'][number] {
  return {
    region,
    status,
    last_sync_at: state?.last_sync_at ?? null,
    last_successful_fetch: state?.last_successful_fetch ?? null,
    consecutive_failures: state?.consecutive_failures ?? 0,
    parse_failures: state?.parse_failures ?? 0,
    last_error: state?.last_error ?? null,
    fallbacks: state?.fallbacks ?? [],
    records_held: state?.records_held ?? 0,
  }
}
