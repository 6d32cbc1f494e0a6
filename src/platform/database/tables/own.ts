import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The last audit event of this database that was sealed, in one row named `seals`. */
export const audit_progress = sqliteTable('audit_progress', {
  name: text().primaryKey(),
  sealed_until: text().notNull(),
})

/** Where a job goes on: that one run could not end, or, for `searchable_sales`, with what is new since. */
export const job_cursors = sqliteTable('job_cursors', {
  name: text().primaryKey(),
  after: text().notNull(),
})

/** Erasures of persons and accounts (`customer_id` is '') that the list outside of the databases lacks. */
export const erasures = sqliteTable(
  'erasures',
  { account_id: text().notNull(), customer_id: text().notNull(), erased_at: text().notNull() },
  (table) => [primaryKey({ columns: [table.account_id, table.customer_id] })],
)

/**
 * Opens the protected rows of an account for one batch, which inserts and deletes the row: to move an account
 * to another database, or to erase at the end of the legal period.
 */
export const open_doors = sqliteTable('open_doors', {
  account_id: text().primaryKey(),
  reason: text().notNull(),
})

/**
 * The mover of an account that may write here: the last one that said so, in both databases of the move. One
 * that was believed dead, and goes on, finds another name and stops.
 */
export const move_fences = sqliteTable('move_fences', {
  account_id: text().primaryKey(),
  /** Ids of movers sort by time: a later one replaces an earlier one, never the other way round. */
  owner: text().notNull(),
  /** 1: no further attempt at a delivery begins, because the books are about to close. */
  draining: integer().notNull().default(0),
})

/**
 * What many sales say in the same words: steps of reasons, and what invoices say. Law and words alone, of no
 * account and no person. The id is a hash of the text, so it is the same in all databases. Triggers refuse
 * every change. A backup reads tables by name, so it reads this one after the sales that name its rows.
 */
export const words_of_sales = sqliteTable('words_of_sales', {
  id: text().primaryKey(),
  words: text().notNull(),
})
