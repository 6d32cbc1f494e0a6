import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { sql } from 'drizzle-orm'
import {
  OBLIGATION_DOCUMENTS,
  OBLIGATION_MARKS,
  RETURN_STATUSES,
  SEALED_RETURN_STATES,
  SUBMISSION_STATES,
} from '../values/return-statuses.ts'
import { oneOf } from './checks.ts'

/** Returns as they were filed. Triggers refuse changes of what a filed return says. */
export const returns = sqliteTable(
  'returns',
  {
    id: text().primaryKey(),
    account_id: text().notNull(),
    type: text().notNull(),
    jurisdiction_id: text().notNull(),
    period: text().notNull(),
    from_date: text().notNull(),
    to_date: text().notNull(),
    version: integer().notNull(),
    status: text({ enum: RETURN_STATUSES }).notNull(),
    late: integer().notNull().default(0),
    corrects: text().notNull(),
    content: text().notNull(),
    sums: text().notNull(),
    inputs: text().notNull(),
    data_version: text().notNull(),
    row_count: integer().notNull(),
    rows_hash: text().notNull(),
    previous_hash: text(),
    hash: text(),
    created_at: text().notNull(),
    filed_at: text(),
    filed_by: text().notNull(),
    reopened_at: text(),
    reopen_reason: text(),
  },
  (table) => [
    oneOf(table.status),
    check('filed', sql`status = 'freezing' OR (hash IS NOT NULL AND filed_at IS NOT NULL)`),
    index('returns_of_period').on(table.account_id, table.type, table.jurisdiction_id, table.period),
    // A half-frozen return has the version that it would get, and takes it from nobody.
    uniqueIndex('returns_by_version')
      .on(table.account_id, table.type, table.jurisdiction_id, table.period, table.version)
      .where(sql`status <> 'freezing'`),
    index('returns_half_frozen')
      .on(table.created_at)
      .where(sql`status = 'freezing'`),
    uniqueIndex('returns_by_previous_hash')
      .on(table.account_id, table.previous_hash)
      .where(sql`previous_hash IS NOT NULL`),
    index('returns_by_period').on(table.account_id, table.from_date),
    // The job that seals lines of old returns goes by it.
    index('returns_by_filing')
      .on(table.filed_at, table.id)
      .where(sql`status = 'filed'`),
  ],
)

/** The lines behind a filed return, as they were. */
export const filed_rows = sqliteTable(
  'filed_rows',
  {
    account_id: text().notNull(),
    return_id: text().notNull(),
    position: integer().notNull(),
    entry_id: text().notNull(),
    transaction_id: text().notNull(),
    refund_id: text().notNull(),
    content: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.return_id, table.position] }),
    uniqueIndex('filed_rows_by_entry').on(table.account_id, table.return_id, table.entry_id),
    index('filed_rows_of_transaction').on(table.account_id, table.transaction_id, table.refund_id),
  ],
)

/**
 * Filed returns whose lines are an object in the bucket. `blocks` is JSON, a list for each block in their
 * order: its bytes, lines, hash, and the date and id of its first line.
 */
export const sealed_returns = sqliteTable(
  'sealed_returns',
  {
    return_id: text().primaryKey(),
    account_id: text().notNull(),
    state: text({ enum: SEALED_RETURN_STATES }).notNull(),
    object: text().notNull(),
    sha256: text().notNull(),
    bytes: integer().notNull(),
    lines: integer().notNull(),
    /** The first and the last local day of its lines. */
    from_day: text().notNull(),
    to_day: text().notNull(),
    blocks: text().notNull(),
    written_at: text().notNull(),
    sealed_at: text(),
  },
  (table) => [oneOf(table.state), index('sealed_returns_of_account').on(table.account_id, table.from_day)],
)

/** When a filed return was last compared with the books, and what was wrong; null: nothing. */
export const return_checks = sqliteTable(
  'return_checks',
  {
    return_id: text().primaryKey(),
    account_id: text().notNull(),
    checked_at: text().notNull(),
    fault: text(),
  },
  (table) => [
    index('return_checks_with_fault')
      .on(table.account_id, table.return_id)
      .where(sql`fault IS NOT NULL`),
  ],
)

/**
 * What became of kept returns at the tax office: who reviewed them, when and as what they were filed, what
 * was paid. A return without a row was filed, and nothing more is known. The audit log has all changes.
 */
export const return_submissions = sqliteTable(
  'return_submissions',
  {
    return_id: text().primaryKey(),
    account_id: text().notNull(),
    state: text({ enum: SUBMISSION_STATES }).notNull(),
    number: text(),
    day: text(),
    paid_at: text(),
    payment: integer(),
    interest: integer(),
    note: text(),
    reviewed_at: text(),
    reviewed_by: text(),
    updated_at: text().notNull(),
    /** The person who reviewed it, or who made the key that did; null: not known. */
    reviewed_person: text(),
  },
  (table) => [
    oneOf(table.state),
    index('return_submissions_of_account').on(table.account_id, table.return_id),
  ],
)

/**
 * What a caller decided about obligations: returns and statements that are set aside with a reason, and
 * statements that were filed. `late` is 1 if a sale or a refund that it concerns was recorded since: the mark
 * counts no more. The audit log has all changes.
 */
export const obligation_marks = sqliteTable(
  'obligation_marks',
  {
    account_id: text().notNull(),
    obligation_id: text().notNull(),
    state: text({ enum: OBLIGATION_MARKS }).notNull(),
    document: text({ enum: OBLIGATION_DOCUMENTS }).notNull(),
    place: text().notNull(),
    type: text().notNull(),
    jurisdiction_id: text().notNull(),
    from_date: text().notNull(),
    to_date: text().notNull(),
    reason: text(),
    day: text(),
    number: text(),
    late: integer().notNull().default(0),
    marked_at: text().notNull(),
    marked_by: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.obligation_id] }),
    oneOf(table.state),
    oneOf(table.document),
    index('obligation_marks_by_day').on(table.account_id, table.to_date),
  ],
)
