import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { oneOf } from './checks.ts'

/** The thresholds that were announced to an account as approached or passed, and still are. */
export const threshold_states = sqliteTable(
  'threshold_states',
  {
    account_id: text().notNull(),
    jurisdiction_id: text().notNull(),
    status: text({ enum: ['approaching', 'exceeded'] }).notNull(),
    told_at: text().notNull(),
  },
  (table) => [oneOf(table.status), primaryKey({ columns: [table.account_id, table.jurisdiction_id] })],
)
