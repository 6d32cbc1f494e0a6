import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { DELIVERY_STATUSES, WEBHOOK_STATUSES } from '../values/webhook-statuses.ts'
import { accounts } from './accounts.ts'
import { oneOf } from './checks.ts'

export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    url: text().notNull(),
    events: text().notNull(),
    status: text({ enum: WEBHOOK_STATUSES }).notNull(),
    description: text(),
    secret: text().notNull(),
    consecutive_failures: integer().notNull().default(0),
    paused_until: text(),
    last_failed_at: text(),
    last_succeeded_at: text(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
    /** When the last failure that counted ended: an attempt that began before counts no more. */
    failure_counted_at: text(),
    /** The secret before a rotation, and until when it still signs. */
    previous_secret: text(),
    previous_secret_until: text(),
    /** The delivery of the challenge that the host has not answered yet. Null: it need not answer. */
    challenge_id: text(),
  },
  (table) => [
    oneOf(table.status),
    index('webhooks_of_account').on(table.account_id, table.id),
    index('webhooks_to_tell')
      .on(table.id)
      .where(sql`status = 'active'`),
  ],
)

export const webhook_deliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: text().primaryKey(),
    account_id: text().notNull(),
    webhook_id: text()
      .notNull()
      .references(() => webhooks.id),
    event_id: text().notNull(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    attempts: integer().notNull().default(0),
    next_attempt_at: text().notNull(),
    leased_until: text(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
    /** Counts the leases. An attempt whose lease was taken over finds another number, and writes nothing. */
    leases: integer().notNull().default(0),
  },
  (table) => [
    oneOf(table.status),
    uniqueIndex('webhook_deliveries_of_event').on(table.event_id, table.webhook_id),
    index('webhook_deliveries_of_webhook').on(table.webhook_id, table.account_id, table.id),
    index('webhook_deliveries_waiting')
      .on(table.webhook_id, table.next_attempt_at)
      .where(sql`status = 'pending'`),
    index('webhook_deliveries_due')
      .on(table.next_attempt_at)
      .where(sql`status = 'pending'`),
    index('webhook_deliveries_ended')
      .on(table.updated_at)
      .where(sql`status <> 'pending'`),
  ],
)

export const webhook_attempts = sqliteTable(
  'webhook_attempts',
  {
    delivery_id: text()
      .notNull()
      .references(() => webhook_deliveries.id),
    attempt: integer().notNull(),
    attempted_at: text().notNull(),
    duration_ms: integer().notNull(),
    response_status: integer(),
    error: text(),
  },
  (table) => [primaryKey({ columns: [table.delivery_id, table.attempt] })],
)
