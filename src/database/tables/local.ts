import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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
