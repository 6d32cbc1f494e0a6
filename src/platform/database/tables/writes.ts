import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts.ts'

export const idempotency_keys = sqliteTable(
  'idempotency_keys',
  {
    account_id: text().notNull(),
    key: text().notNull(),
    method: text().notNull(),
    path: text().notNull(),
    request_hash: text().notNull(),
    status: integer().notNull(),
    answer: text().notNull(),
    created_at: text().notNull(),
    /** The customer whose data the answer contains, so that an erasure finds it. */
    customer_id: text(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.key, table.method, table.path] }),
    index('idempotency_keys_by_age').on(table.created_at),
    index('idempotency_keys_of_customer')
      .on(table.account_id, table.customer_id)
      .where(sql`customer_id IS NOT NULL`),
  ],
)

/**
 * How many rows of each kind an account has stored, kept in the batch of each write. `answer_bytes` counts
 * the answers that were kept for idempotency keys on the day `answer_day`, and `deliveries` the deliveries of
 * webhooks that were made on the day `delivery_day`.
 */
export const account_usage = sqliteTable('account_usage', {
  account_id: text()
    .primaryKey()
    .references(() => accounts.id),
  transaction_lines: integer().notNull().default(0),
  refunds: integer().notNull().default(0),
  customers: integer().notNull().default(0),
  exemptions: integer().notNull().default(0),
  audit_events: integer().notNull().default(0),
  answer_day: text().notNull().default(''),
  answer_bytes: integer().notNull().default(0),
  filed_rows: integer().notNull().default(0),
  delivery_day: text().notNull().default(''),
  deliveries: integer().notNull().default(0),
  document_bytes: integer().notNull().default(0),
})
