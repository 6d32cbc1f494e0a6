import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { RUN_OUTCOMES } from '../values/run-outcomes.ts'
import { REVIEW_KINDS, REVIEW_STATUSES } from '../values/review-statuses.ts'
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
    /** JSON: for each part the source that answered, and why others did not. */
    sources: text().notNull().default('[]'),
    /** Changes that wait for a second witness or for a person. */
    records_held: integer().notNull().default(0),
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
    /** JSON: the parts that are not read from their first source, and since when. */
    fallbacks: text().notNull().default('[]'),
    records_held: integer().notNull().default(0),
  },
  (table) => [index('collector_states_due').on(table.next_run_at)],
)

/** What a collector read and did not believe, beside what is in force. */
export const reviews = sqliteTable(
  'reviews',
  {
    id: text().primaryKey(),
    region: text().notNull(),
    part: text().notNull(),
    kind: text({ enum: REVIEW_KINDS }).notNull(),
    subject: text().notNull(),
    /** What was found, as one text. With the subject it identifies a reading. */
    value: text().notNull(),
    status: text({ enum: REVIEW_STATUSES }).notNull(),
    why: text().notNull(),
    /** JSON: the fact in force; null if there is none. */
    stands: text(),
    /** JSON: the fact that acceptance puts into force; null if a person has to correct the data instead. */
    proposed: text(),
    source: text().notNull(),
    document_url: text().notNull(),
    document_hash: text(),
    excerpt: text().notNull(),
    /** JSON: the sources that said so, each with its first day. */
    witnesses: text().notNull(),
    first_seen_at: text().notNull(),
    last_seen_at: text().notNull(),
    decided_at: text(),
    /** The id of the key, or `command line`. */
    decided_by: text(),
    decision_reason: text(),
  },
  (table) => [
    oneOf(table.kind),
    oneOf(table.status),
    index('reviews_by_status').on(table.status, table.id),
    index('reviews_of_region').on(table.region, table.status),
  ],
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
