import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const facts = sqliteTable(
  'facts',
  {
    sequence: integer().primaryKey(),
    kind: text().notNull(),
    id: text().notNull(),
    content: text().notNull(),
    last_verified_at: text(),
    recorded_at: text().notNull(),
    superseded_at: text(),
    /** JSON: who was read last, of which day, and since when a source contradicts it. */
    verification: text(),
  },
  (table) => [
    uniqueIndex('facts_current')
      .on(table.kind, table.id)
      .where(sql`superseded_at IS NULL`),
  ],
)

export const data_versions = sqliteTable('data_versions', {
  version: text().primaryKey(),
  recorded_at: text().notNull(),
  reason: text().notNull(),
})
