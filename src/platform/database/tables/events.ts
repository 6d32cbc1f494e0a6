import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const events = sqliteTable(
  'events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    data: text().notNull(),
    created_at: text().notNull(),
    fanned_out_at: text(),
    fanned_out_to: text(),
    /**
     * The account that the event concerns; null: all. Earlier releases join this table and name `account_id`
     * alone, so this column has another name.
     */
    owner_account_id: text(),
    /**
     * 1: the event of an account has no deliveries yet. Such an event has fanned_out_at from its begin, so
     * that an earlier release never tells it to other accounts.
     */
    account_pending: integer(),
    /** Two events with the same text are one event: the second is not written. */
    dedupe: text(),
  },
  (table) => [
    index('events_of_accounts_to_fan_out')
      .on(table.id)
      .where(sql`account_pending = 1`),
    index('events_of_account').on(table.owner_account_id, table.id),
    // What people are told of, and deleted refunds, which are few. Those of sales may be millions a day.
    index('events_to_tell')
      .on(table.owner_account_id, table.id)
      .where(sql`type NOT IN ('transaction.created', 'transaction.refunded')`),
    uniqueIndex('events_by_dedupe')
      .on(table.dedupe)
      .where(sql`dedupe IS NOT NULL`),
    index('events_to_fan_out')
      .on(table.id)
      .where(sql`fanned_out_at IS NULL`),
  ],
)
