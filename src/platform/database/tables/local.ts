import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { LOCAL_FILE_KINDS, RUN_OUTCOMES } from '../values/run-outcomes.ts'
import { oneOf } from './checks.ts'

/**
 * The local taxes of the United States, a row for each state and each ZIP3. Superseded rows stay for
 * replay.
 */
export const local_parts = sqliteTable(
  'local_parts',
  {
    part: text().notNull(),
    content: text().notNull(),
    recorded_at: text().notNull(),
    superseded_at: text(),
  },
  (table) => [primaryKey({ columns: [table.part, table.recorded_at] })],
)

/** What was last read of each kind of official file of a state, and what is waiting. */
export const local_editions = sqliteTable(
  'local_editions',
  {
    state: text().notNull(),
    kind: text({ enum: LOCAL_FILE_KINDS }).notNull(),
    /** The name of the file that was read last and believed. */
    file: text(),
    /** The newest name in the directory. */
    listed_file: text(),
    /** The name of the file that was read last, believed or not. */
    tried_file: text(),
    hash: text(),
    rows: integer().notNull().default(0),
    /** The next day on which something of the file begins or ends. */
    next_change: text(),
    read_at: text(),
    /** Null: it was not read yet. */
    outcome: text({ enum: RUN_OUTCOMES }),
    error: text(),
  },
  (table) => [primaryKey({ columns: [table.state, table.kind] }), oneOf(table.kind), oneOf(table.outcome)],
)
