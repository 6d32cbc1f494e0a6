import { rowsOf } from '../database/results.ts'
import type { collector_runs } from '../database/tables/collectors.ts'
import type { RegionId } from '../regions.ts'
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
}

/** The record of a collector's run. */
export type Run = Omit<typeof collector_runs.$inferSelect, 'documents'> & {
  documents: { url: string; bytes: number; sha256: string }[]
}

const STATE_COLUMNS = `region, last_sync_at, last_success_at, consecutive_failures, parse_failures,
  last_error, next_run_at`

const STATE = STATE_COLUMNS.replace('last_success_at', 'last_success_at AS last_successful_fetch')

/**
 * The statements that record a run and update the state of its region: the failures and when it is due again.
 */
export function recordRun(db: D1Database, run: Run, now: Date): D1PreparedStatement[] {
  const succeeded = run.outcome === 'applied' || run.outcome === 'confirmed'
  const at = now.toISOString()
  const next_run_at = nextRunAt(run.region, now, succeeded)
  return [
    db
      .prepare(
        `INSERT INTO collector_runs (id, region, started_at, duration_ms, outcome, documents, records_seen,
           records_confirmed, records_changed, records_added, data_version, error)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(
        run.id,
        run.region,
        run.started_at,
        run.duration_ms,
        run.outcome,
        JSON.stringify(run.documents),
        run.records_seen,
        run.records_confirmed,
        run.records_changed,
        run.records_added,
        run.data_version,
        run.error,
      ),
    succeeded
      ? db
          .prepare(
            `INSERT INTO collector_states (${STATE_COLUMNS}) VALUES (?1, ?2, ?2, 0, 0, NULL, ?3)
             ON CONFLICT DO UPDATE SET last_sync_at = ?2, last_success_at = ?2, consecutive_failures = 0,
               parse_failures = 0, last_error = NULL, next_run_at = ?3`,
          )
          .bind(run.region, at, next_run_at)
      : db
          .prepare(
            `INSERT INTO collector_states (${STATE_COLUMNS})
             VALUES (?1, ?2, NULL, 1, iif(?4 = 'quarantined', 1, 0), ?5, ?3)
             ON CONFLICT DO UPDATE SET last_sync_at = ?2, consecutive_failures = consecutive_failures + 1,
               parse_failures = parse_failures + iif(?4 = 'quarantined', 1, 0), last_error = ?5,
               next_run_at = ?3`,
          )
          .bind(run.region, at, next_run_at, run.outcome, run.error),
  ]
}

/** The state of a region's collector; null before its first run. */
export async function readState(db: D1Database, region: string): Promise<SyncState | null> {
  return db.prepare(`SELECT ${STATE} FROM collector_states WHERE region = ?`).bind(region).first<SyncState>()
}

export type LastRun = Omit<Run, 'data_version'>

/** The state and the last run of every collector that has run. */
export async function readStatesAndLastRuns(
  db: D1Database,
): Promise<{ states: SyncState[]; runs: LastRun[] }> {
  const [states, runs] = await db.batch([
    db.prepare(`SELECT ${STATE} FROM collector_states`),
    db.prepare(
      `SELECT region, id, started_at, duration_ms, outcome, records_seen, records_confirmed,
         records_changed, records_added, documents, error
       FROM collector_runs WHERE id IN (SELECT max(id) FROM collector_runs GROUP BY region)`,
    ),
  ])
  return {
    states: rowsOf<SyncState>(states),
    runs: rowsOf<LastRun & { documents: string }>(runs).map((run) => ({
      ...run,
      documents: JSON.parse(run.documents),
    })),
  }
}

/** When each region is due. A region that has never run is not in the list. */
export async function readDueTimes(db: D1Database): Promise<{ region: string; next_run_at: string }[]> {
  const { results } = await db
    .prepare('SELECT region, next_run_at FROM collector_states')
    .all<{ region: string; next_run_at: string }>()
  return results
}

/** Makes a region due now, unless it is due already. */
export function makeDue(db: D1Database, region: RegionId, now: Date): D1PreparedStatement {
  return db
    .prepare('UPDATE collector_states SET next_run_at = ?1 WHERE region = ?2 AND next_run_at > ?1')
    .bind(now.toISOString(), region)
}

/** The number of successful and failed runs of a region on a day. */
export type DayOfRuns = { region: string; day: string; good: number; failed: number }

/** The days on which collectors ran, from `from` on. */
export async function readRunHistory(db: D1Database, from: string): Promise<DayOfRuns[]> {
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
