import { sql } from 'drizzle-orm'
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

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

/** Facts of countries that the releases before this table have no law for. They would fail on them. */
export const later_facts = sqliteTable(
  'later_facts',
  {
    sequence: integer().primaryKey(),
    kind: text().notNull(),
    id: text().notNull(),
    content: text().notNull(),
    last_verified_at: text(),
    verification: text(),
    recorded_at: text().notNull(),
    superseded_at: text(),
  },
  (table) => [
    uniqueIndex('later_facts_current')
      .on(table.kind, table.id)
      .where(sql`superseded_at IS NULL`),
  ],
)

export const data_versions = sqliteTable('data_versions', {
  version: text().primaryKey(),
  recorded_at: text().notNull(),
  reason: text().notNull(),
})

/** Exchange rates as authorities published them, a row for each day. Superseded rows stay. */
export const published_rates = sqliteTable(
  'published_rates',
  {
    series: text().notNull(),
    /** The day of publication, or the first day of the month. */
    day: text().notNull(),
    /** JSON: units of each currency for one unit of the base currency, in millionths. */
    rates: text().notNull(),
    document_hash: text().notNull(),
    recorded_at: text().notNull(),
    superseded_at: text(),
  },
  (table) => [
    primaryKey({ columns: [table.series, table.day, table.recorded_at] }),
    uniqueIndex('published_rates_current')
      .on(table.series, table.day)
      .where(sql`superseded_at IS NULL`),
  ],
)
