import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { RUN_OUTCOMES } from '../../status/outcomes.ts'
import { oneOf } from './checks.ts'

export const collector_runs = sqliteTable(
  'collector_runs',
  {
    id: text().primaryKey(),
    region: text().notNull(),
    started_at: text().notNull(),
    duration_ms: integer().notNull(),
    outcome: text({ enum: RUN_OUTCOMES }).notNull(),
    documents: text().notNull(),
    records_seen: integer().notNull(),
    records_confirmed: integer().notNull(),
    records_changed: integer().notNull(),
    records_added: integer().notNull(),
    data_version: text(),
    error: text(),
  },
  (table) => [oneOf(table.outcome), index('collector_runs_of_region').on(table.region, table.started_at)],
)

export const collector_evidence = sqliteTable(
  'collector_evidence',
  {
    run_id: text()
      .notNull()
      .references(() => collector_runs.id),
    kind: text().notNull(),
    fact_id: text().notNull(),
    document_hash: text().notNull(),
    matched_text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.run_id, table.kind, table.fact_id] })],
)

export const collector_states = sqliteTable(
  'collector_states',
  {
    region: text().primaryKey(),
    last_sync_at: text(),
    last_success_at: text(),
    consecutive_failures: integer().notNull(),
    parse_failures: integer().notNull(),
    last_error: text(),
    next_run_at: text().notNull(),
  },
  (table) => [index('collector_states_due').on(table.next_run_at)],
)

/**
 * The lease of a running collector, and the last run that an operator asked for. A run that died ends with
 * its lease.
 */
export const collector_leases = sqliteTable('collector_leases', {
  region: text().primaryKey(),
  leased_until: text(),
  requested_at: text(),
})
