import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { KEPT_VALIDATION_STATUSES } from '../values/vat-statuses.ts'
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
