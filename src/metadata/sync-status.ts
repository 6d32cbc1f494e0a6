import { bookFor } from '../calculation/calculate.ts'
import type { Context } from '../context.ts'
import { commit } from '../database/commit.ts'
import type { Answer } from '../http/answers.ts'
import { freshnessOf } from '../status/freshness.ts'
import { queueSync } from '../status/sync.ts'
import type { SyncState } from '../status/sync-state.ts'
import { REGION_IDS, REGIONS, type RegionId } from '../tax-data/regions.ts'
import type { CollectorRun, SyncAnswer, SyncStatusAnswer } from './schemas.ts'

type RunRow = Omit<Answer<typeof CollectorRun>, 'documents'> & { region: string; documents: string }

/** How each region is kept fresh: its state, its last run, and when it is due again. */
export async function showSyncStatus(context: Context): Promise<Answer<typeof SyncStatusAnswer>> {
  const { DB } = context.env
  const [states, runs] = await DB.batch([
    DB.prepare(
      `SELECT region, last_sync_at, last_success_at AS last_successful_fetch, consecutive_failures, parse_failures, last_error, next_run_at
       FROM collector_states`,
    ),
    DB.prepare(
      `SELECT region, id, started_at, duration_ms, outcome, records_seen, records_confirmed, records_changed, records_added, documents, error
       FROM collector_runs WHERE id IN (SELECT max(id) FROM collector_runs GROUP BY region)`,
    ),
  ])
  const stateOf = new Map(rowsOf<SyncState>(states).map((state) => [state.region, state]))
  const runOf = new Map(
    rowsOf<RunRow>(runs).map(({ region, ...run }) => [
      region,
      { ...run, documents: JSON.parse(run.documents) },
    ]),
  )
  const { version } = await bookFor(context, null)
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

/** Asks for a region to be synchronised now, in an invocation of its own. */
export async function requestSync(context: Context, region: RegionId): Promise<Answer<typeof SyncAnswer>> {
  const answer: Answer<typeof SyncAnswer> = { region, status: 'queued' }
  await commit(context, {
    changes: [],
    audit: { action: 'sync.requested', resource_id: region, changed: [] },
    answer,
  })
  await queueSync(context.env, region)
  return answer
}

/** The columns are those of the statement, which names them as the type does. */
function rowsOf<Row>(result: D1Result | undefined): Row[] {
  return (result?.results ?? []) as Row[]
}
