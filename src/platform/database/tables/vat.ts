import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { CHECKED_STATUSES, KEPT_VALIDATION_STATUSES } from '../values/vat-statuses.ts'
import { customers } from './customers.ts'
import { oneOf } from './checks.ts'

export const vat_validations = sqliteTable(
  'vat_validations',
  {
    id: text().primaryKey(),
    account_id: text().notNull(),
    customer_id: text()
      .notNull()
      .references(() => customers.id),
    vat_id: text().notNull(),
    status: text({ enum: KEPT_VALIDATION_STATUSES }).notNull(),
    attempts: integer().notNull().default(0),
    next_attempt_at: text(),
    reason: text(),
    source: text(),
    consultation_number: text(),
    checked_at: text(),
    created_at: text().notNull(),
  },
  (table) => [
    oneOf(table.status),
    index('vat_validations_of_customer').on(table.customer_id, table.account_id, table.id),
    uniqueIndex('vat_validations_waiting')
      .on(table.customer_id)
      .where(sql`status = 'pending'`),
    index('vat_validations_due')
      .on(table.next_attempt_at)
      .where(sql`status = 'pending'`),
  ],
)

/** A check of many VAT ids. `due_at`: when its next questions are due, or a lease ends; null: it ended. */
export const vat_checks = sqliteTable(
  'vat_checks',
  {
    id: text().primaryKey(),
    account_id: text().notNull(),
    key_id: text().notNull(),
    requester_vat_id: text(),
    total: integer().notNull(),
    due_at: text(),
    created_at: text().notNull(),
    finished_at: text(),
  },
  (table) => [
    index('vat_checks_of_account').on(table.account_id, table.id),
    index('vat_checks_due')
      .on(table.due_at)
      .where(sql`due_at IS NOT NULL`),
    index('vat_checks_by_age').on(table.created_at),
  ],
)

/** The ids of a check, each as it was typed and in its usual form, with what its authority said. */
export const vat_check_ids = sqliteTable(
  'vat_check_ids',
  {
    check_id: text()
      .notNull()
      .references(() => vat_checks.id),
    position: integer().notNull(),
    given: text().notNull(),
    vat_id: text().notNull(),
    country: text().notNull(),
    status: text({ enum: CHECKED_STATUSES }).notNull(),
    attempts: integer().notNull().default(0),
    next_attempt_at: text(),
    reason: text(),
    source: text(),
    company_name: text(),
    company_address: text(),
    consultation_number: text(),
    checked_at: text(),
  },
  (table) => [
    oneOf(table.status),
    primaryKey({ columns: [table.check_id, table.position] }),
    index('vat_check_ids_due')
      .on(table.check_id, table.next_attempt_at)
      .where(sql`status = 'pending'`),
  ],
)
