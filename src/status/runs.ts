import type { collector_runs } from '../database/tables/collectors.ts'
import { nextRunAt } from './schedule.ts'

/** A run of a collector, as it is recorded. */
export type Run = Omit<typeof collector_runs.$inferSelect, 'documents'> & {
  documents: { url: string; bytes: number; sha256: string }[]
}

/**
 * The statements that record a run and what follows from it: how the region stands, and when it is due again.
 */
export function recordRun(db: D1Database, run: Run, now: Date): D1PreparedStatement[] {
  const good = run.outcome === 'applied' || run.outcome === 'confirmed'
  const at = now.toISOString()
  const next_run_at = nextRunAt(run.region, now, good)
  return [
    db
      .prepare(
        `INSERT INTO collector_runs (id, region, started_at, duration_ms, outcome, documents, records_seen, records_confirmed, records_changed,
           records_added, data_version, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    good
      ? db
          .prepare(
            `INSERT INTO collector_states (region, last_sync_at, last_success_at, consecutive_failures, parse_failures, last_error, next_run_at)
             VALUES (?1, ?2, ?2, 0, 0, NULL, ?3)
             ON CONFLICT DO UPDATE SET last_sync_at = ?2, last_success_at = ?2, consecutive_failures = 0, parse_failures = 0, last_error = NULL,
               next_run_at = ?3`,
          )
          .bind(run.region, at, next_run_at)
      : db
          .prepare(
            `INSERT INTO collector_states (region, last_sync_at, last_success_at, consecutive_failures, parse_failures, last_error, next_run_at)
             VALUES (?1, ?2, NULL, 1, iif(?4 = 'quarantined', 1, 0), ?5, ?3)
             ON CONFLICT DO UPDATE SET last_sync_at = ?2, consecutive_failures = consecutive_failures + 1,
               parse_failures = parse_failures + iif(?4 = 'quarantined', 1, 0), last_error = ?5, next_run_at = ?3`,
          )
          .bind(run.region, at, next_run_at, run.outcome, run.error),
  ]
}
