import { DAY_MS } from '../../platform/kit/calendar.ts'
import { type CollectedId, REGIONS } from '../../platform/regions.ts'

/** The freshness of what is collected. */
export const COLLECTED_FRESHNESS = ['healthy', 'degraded', 'stale', 'unknown'] as const
export const FRESHNESS = [...COLLECTED_FRESHNESS, 'not_collected'] as const
export type CollectedFreshness = (typeof COLLECTED_FRESHNESS)[number]

/** The part of a SyncState that freshness rests on. */
type SyncSuccess = {
  last_successful_fetch: string | null
  consecutive_failures: number
  records_held?: number
}

/**
 * The freshness of a collected region at a moment. Unknown: its collector has never run. Stale: its last
 * success is older than its window. Degraded: its last run failed or held changes back, or it missed two
 * runs. Pure.
 */
export function freshnessOf(region: CollectedId, state: SyncSuccess | null, now: Date): CollectedFreshness {
  if (state === null) return 'unknown'
  const { cadence_days, window_days } = REGIONS[region].collected
  const age =
    state.last_successful_fetch === null
      ? Number.POSITIVE_INFINITY
      : now.getTime() - Date.parse(state.last_successful_fetch)
  if (age > window_days * DAY_MS) return 'stale'
  return state.consecutive_failures > 0 || (state.records_held ?? 0) > 0 || age > 2 * cadence_days * DAY_MS
    ? 'degraded'
    : 'healthy'
}
