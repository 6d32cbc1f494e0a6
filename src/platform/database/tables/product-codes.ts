import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The product codes of requests that had no product type here. */
export const unknown_codes = sqliteTable(
  'unknown_codes',
  {
    account_id: text().notNull(),
    code: text().notNull(),
    /** At least so many lines: an isolate that ends forgets those of its last seconds. */
    lines: integer().notNull(),
    first_seen: text().notNull(),
    last_seen: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.code] })],
)
