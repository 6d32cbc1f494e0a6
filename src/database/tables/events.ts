import { sql } from 'drizzle-orm'
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const events = sqliteTable(
  'events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    data: text().notNull(),
    created_at: text().notNull(),
    fanned_out_at: text(),
    fanned_out_to: text(),
  },
  (table) => [
    index('events_to_fan_out')
      .on(table.id)
      .where(sql`fanned_out_at IS NULL`),
  ],
)
