import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { CHEST_STATES } from '../values/chest-states.ts'
import { oneOf } from './checks.ts'

/**
 * Accounts that have sealed sales. `changes` counts what was sealed and thawed, so that a read sees it.
 * `number` is a random one that stands for the account in `chest_refs`, and is the same in each database.
 */
export const sealed_accounts = sqliteTable(
  'sealed_accounts',
  {
    account_id: text().primaryKey(),
    changes: integer().notNull().default(0),
    number: integer().notNull().default(0),
  },
  (table) => [uniqueIndex('sealed_accounts_by_number').on(table.number)],
)

/**
 * Objects in the bucket with old sales. A chest has sales between the places of its first and its last one in
 * the order of dates; the next chest begins after it.
 */
export const chests = sqliteTable(
  'chests',
  {
    account_id: text().notNull(),
    number: integer().notNull(),
    state: text({ enum: CHEST_STATES }).notNull(),
    /** Its sales are after the first place and not after the last one. */
    after_date: text().notNull(),
    after_id: text().notNull(),
    last_date: text().notNull(),
    last_id: text().notNull(),
    sales: integer().notNull().default(0),
    lines: integer().notNull().default(0),
    bytes: integer().notNull().default(0),
    /** The key of its object; '' before it is written, and of a chest without sales. */
    object: text().notNull().default(''),
    sha256: text().notNull().default(''),
    /** The hash of the chest before: each names the one before, so none can be exchanged alone. */
    previous_sha256: text().notNull().default(''),
    planned_at: text().notNull(),
    sealed_at: text(),
  },
  (table) => [
    oneOf(table.state),
    primaryKey({ columns: [table.account_id, table.number] }),
    // Few: the job goes on with them.
    index('chests_under_way')
      .on(table.planned_at)
      .where(sql`state <> 'sealed'`),
  ],
)

/** The blocks of chests, each a gzip of its own, with the places of their first and last sale. */
export const chest_blocks = sqliteTable(
  'chest_blocks',
  {
    account_id: text().notNull(),
    chest: integer().notNull(),
    block: integer().notNull(),
    from_date: text().notNull(),
    from_id: text().notNull(),
    to_date: text().notNull(),
    to_id: text().notNull(),
    offset: integer().notNull(),
    bytes: integer().notNull(),
    sales: integer().notNull(),
    sha256: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.chest, table.block] }),
    index('chest_blocks_by_first').on(table.account_id, table.from_date, table.from_id),
    index('chest_blocks_by_last').on(table.account_id, table.to_date, table.to_id),
  ],
)

/**
 * Where a sealed sale is, by a hash of its account and id, and of its account and external id. A sale that is
 * in `transactions` has none. `account` is the number of its account: there are two rows a sealed sale.
 */
export const chest_refs = sqliteTable('chest_refs', {
  hash: integer().primaryKey(),
  account: integer().notNull(),
  chest: integer().notNull(),
  block: integer().notNull(),
})
