import { bookFor } from '../tax-data/book-for.ts'
import type { Context } from '../context.ts'
import { commit } from '../database/commit.ts'
import type { Answer } from '../http/answers.ts'
import { freshnessOf } from '../status/freshness.ts'
import { REGION_IDS, type RegionId, REGIONS } from '../regions.ts'
import { recordRequest } from '../status/lease-store.ts'
import { makeDue, readStatesAndLastRuns } from '../status/store.ts'
import { queueSyncs } from '../status/sync.ts'
import type { SyncAnswer, SyncStatusAnswer } from './schemas.ts'

/** How each region is kept fresh: its state, its last run, and when it is due again. */
export async function showSyncStatus(context: Context): Promise<Answer<typeof SyncStatusAnswer>> {
  const { states, runs } = await readStatesAndLastRuns(context.env.DB)
  const stateOf = new Map(states.map((state) => [state.region, state]))
  const runOf = new Map(runs.map(({ region, ...run }) => [region, run]))
  const { version } = await bookFor(context)
  return {
    regions: REGION_IDS.map((region) => {
      const state = stateOf.get(region) ?? null
      const { data, cadence_days, window_days } = REGIONS[region]
      return {
        region,
        data,
        status: freshnessOf(region, state, context.now),
        cadence_days,
        freshness_window_days: window_days,
        last_sync_at: state?.last_sync_at ?? null,
        last_successful_fetch: state?.last_successful_fetch ?? null,
        consecutive_failures: state?.consecutive_failures ?? 0,
        next_run_at: state?.next_run_at ?? null,
        last_run: runOf.get(region) ?? null,
      }
    }),
    total: REGION_IDS.length,
    data_version: version,
  }
}

/**
 * Asks for a region to be synchronised now, in an invocation of its own. Throws sync_too_soon within ten
 * minutes of the last request.
 */
export async function requestSync(context: Context, region: RegionId): Promise<Answer<typeof SyncAnswer>> {
  const answer: Answer<typeof SyncAnswer> = { region, status: 'queued' }
  await commit(context, {
    // Due in the database first: if the message is lost, the next tick queues it again.
    changes: [
      ...recordRequest(context.env.DB, region, context.now),
      makeDue(context.env.DB, region, context.now),
    ],
    audit: { action: 'sync.requested', resource_id: region, changed: [] },
    answer,
  })
  await queueSyncs(context.env, [region], context.now)
  return answer
}
