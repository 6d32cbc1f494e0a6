import { bookFor } from '../records/book-for.ts'
import { agesOfRegions } from '../records/ages-of-regions.ts'
import { reviewedInWords } from '../records/data-age.ts'
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { freshnessOf } from '../status/freshness.ts'
import { type CollectedId, collectedOf, isCollected, REGION_IDS, REGIONS } from '../../platform/regions.ts'
import { recordRequest } from '../status/lease-store.ts'
import { makeDue, readStatesAndLastRuns } from '../status/store.ts'
import { queueSyncs } from '../status/sync.ts'
import type { SyncAnswer, SyncStatusAnswer } from './schemas.ts'

/** How each region is kept fresh: its state, its last run, and when it is due again. */
export async function showSyncStatus(context: Context): Promise<Answer<typeof SyncStatusAnswer>> {
  const [{ states, runs }, book, ages] = await Promise.all([
    readStatesAndLastRuns(context.env.DB),
    bookFor(context),
    agesOfRegions(context),
  ])
  const stateOf = new Map(states.map((state) => [state.region, state]))
  const runOf = new Map(runs.map(({ region, ...run }) => [region, run]))
  return {
    regions: REGION_IDS.map((region) => {
      const state = stateOf.get(region) ?? null
      const collected = collectedOf(region)
      const age = ages.get(region) ?? null
      return {
        region,
        data: REGIONS[region].data,
        status: isCollected(region) ? freshnessOf(region, state, context.now) : 'not_collected',
        note: collected === null ? reviewedInWords(age) : null,
        records: age?.records ?? 0,
        newest_record: age?.newest ?? null,
        cadence_days: collected?.cadence_days ?? null,
        freshness_window_days: collected?.window_days ?? null,
        last_sync_at: state?.last_sync_at ?? null,
        last_successful_fetch: state?.last_successful_fetch ?? null,
        consecutive_failures: state?.consecutive_failures ?? 0,
        next_run_at: state?.next_run_at ?? null,
        last_run: runOf.get(region) ?? null,
      }
    }),
    total: REGION_IDS.length,
    data_version: book.version,
  }
}

/**
 * Asks for a region to be synchronised now, in an invocation of its own. Throws sync_too_soon within ten
 * minutes of the last request.
 */
export async function requestSync(context: Context, region: CollectedId): Promise<Answer<typeof SyncAnswer>> {
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
