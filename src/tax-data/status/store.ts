import type { ControlDb } from '../../platform/database/databases.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import { rowsOf } from '../../platform/database/results.ts'
import type { collector_runs } from '../../platform/database/tables/collectors.ts'
import type { CollectedId } from '../../platform/regions.ts'
import { nextRunAt } from './schedule.ts'

/**
 * The state of a region's collector (specification, section 2.7, without fields that depend on the clock).
 */
export type SyncState = {
  region: string
  last_sync_at: string | null
  last_successful_fetch: string | null
  consecutive_failures: number
  parse_failures: number
  last_error: string | null
  next_run_at: string | null
  /** Absent in states that an earlier release wrote. */
  fallbacks?: Fallback[]
  /** Changes that wait for a second witness or for a person. */
  records_held?: number
}

/** A part that was not read from its first source, or not with its second source. */
export type Fallback = { part: string; source: string; since: string; reason: string }

/** The source that answered for a part, and why others did not. */
type SourceOfPart = {
  part: string
  source: string | null
  fallback: boolean
  others: { source: string; error: string }[]
  /** Why records of the source were not used, one sentence for each jurisdiction. */
  left_out?: string[]
}

/** The record of a collector's run. */
export type Run = Omit<typeof collector_runs.$inferSelect, 'documents' | 'sources'> & {
  documents: { url: string; bytes: number; sha256: string }[]
  sources: SourceOfPart[]
}

/** The characters of a reason that the status shows. */
const REASON_MAX = 1_000

const STATE = `region, last_sync_at, last_success_at AS last_successful_fetch, consecutive_failures,
  parse_failures, last_error, next_run_at, fallbacks, records_held`

/**
 * The statements that record a run and update the state of its region: the failures and when it is due again.
 * A run that is `complete` read all of its parts: it is a success, also if it holds changes back. `fallbacks`
 * are those of the last run.
 */
export function recordRun(
  db: ControlDb,
  run: Run,
  now: Date,
  { complete = isGood(run), fallbacks = [] }: { complete?: boolean; fallbacks?: readonly Fallback[] } = {},
): D1PreparedStatement[] {
  return [
    ...insertRows(db, 'collector_runs', [
      { ...run, documents: JSON.stringify(run.documents), sources: JSON.stringify(run.sources) },
    ]),
    db
      .prepare(
        `INSERT INTO collector_states (region, last_sync_at, last_success_at, consecutive_failures,
           parse_failures, last_error, next_run_at, fallbacks, records_held)
         VALUES (?1, ?2, iif(?3, ?2, NULL), iif(?3, 0, 1), ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT DO UPDATE SET last_sync_at = ?2, last_success_at = iif(?3, ?2, last_success_at),
           consecutive_failures = iif(?3, 0, consecutive_failures + 1),
           parse_failures = iif(?3, 0, parse_failures + ?4), last_error = ?5, next_run_at = ?6,
           fallbacks = ?7, records_held = ?8`,
      )
      .bind(
        run.region,
        now.toISOString(),
        complete ? 1 : 0,
        run.outcome === 'quarantined' && !complete ? 1 : 0,
        run.error,
        nextRunAt(run.region, now, complete),
        JSON.stringify(fallbacksAfter(run, fallbacks, now)),
        run.records_held,
      ),
  ]
}

function isGood({ outcome }: Run): boolean {
  return outcome === 'applied' || outcome === 'confirmed'
}

/** The parts that a run did not read from their first source, or not with their companion. Pure. */
function fallbacksAfter(run: Run, before: readonly Fallback[], now: Date): Fallback[] {
  const since = new Map(before.map((each) => [each.part, each.since]))
  const told = (part: string, source: string, reason: string): Fallback => ({
    part,
    source,
    since: since.get(part) ?? now.toISOString(),
    reason: reason.slice(0, REASON_MAX),
  })
  return run.sources.flatMap(({ part: name, source, fallback, others, left_out = [] }): Fallback[] => {
    const errors = others.map((each) => `${each.source}: ${each.error}`).join('; ')
    if (source === null) return run.error === null ? [told(`${name} (no source)`, 'none', errors)] : []
    return [
      ...(others.length === 0 ? [] : [told(fallback ? name : `${name} (second source)`, source, errors)]),
      ...(left_out.length === 0 ? [] : [told(`${name} (left out)`, source, left_out.join('; '))]),
    ]
  })
}

/** The state of a region's collector; null before its first run. */
export async function readState(db: ControlDb, region: string): Promise<SyncState | null> {
  const row = await db
    .prepare(`SELECT ${STATE} FROM collector_states WHERE region = ?`)
    .bind(region)
    .first<StoredState>()
  return row === null ? null : stateOf(row)
}

type StoredState = Omit<SyncState, 'fallbacks'> & { fallbacks: string }

function stateOf(row: StoredState): SyncState {
  return { ...row, fallbacks: JSON.parse(row.fallbacks) }
}

type LastRun = Omit<Run, 'data_version'>

/** The state and the last run of every collector that has run. */
export async function readStatesAndLastRuns(
  db: ControlDb,
): Promise<{ states: SyncState[]; runs: LastRun[] }> {
  const [states, runs] = await db.batch([
    db.prepare(`SELECT ${STATE} FROM collector_states`),
    db.prepare(
      `SELECT region, id, started_at, duration_ms, outcome, records_seen, records_confirmed,
         records_changed, records_added, records_held, documents, error, sources
       FROM collector_runs WHERE id IN (SELECT max(id) FROM collector_runs GROUP BY region)`,
    ),
  ])
  return {
    states: rowsOf<StoredState>(states).map(stateOf),
    runs: rowsOf<LastRun & { documents: string; sources: string }>(runs).map((run) => ({
      ...run,
      documents: JSON.parse(run.documents),
      sources: JSON.parse(run.sources),
    })),
  }
}

/** When each region is due. A region that has never run is not in the list. */
export async function readDueTimes(db: ControlDb): Promise<{ region: string; next_run_at: string }[]> {
  const { results } = await db
    .prepare('SELECT region, next_run_at FROM collector_states')
    .all<{ region: string; next_run_at: string }>()
  return results
}

/** Makes a region due now, unless it is due already. */
export function makeDue(db: ControlDb, region: CollectedId, now: Date): D1PreparedStatement {
  return db
    .prepare('UPDATE collector_states SET next_run_at = ?1 WHERE region = ?2 AND next_run_at > ?1')
    .bind(now.toISOString(), region)
}

/** The number of successful and failed runs of a region on a day. */
export type DayOfRuns = { region: string; day: string; good: number; failed: number }

/** The days on which collectors ran, from `from` on. */
export async function readRunHistory(db: ControlDb, from: string): Promise<DayOfRuns[]> {
  const { results } = await db
    .prepare(
      `SELECT region, substr(started_at, 1, 10) AS day, sum(outcome IN ('applied', 'confirmed')) AS good,
         sum(outcome NOT IN ('applied', 'confirmed')) AS failed
       FROM collector_runs WHERE started_at >= ? GROUP BY 1, 2 ORDER BY 1, 2`,
    )
    .bind(from)
    .all<DayOfRuns>()
  return results
}
