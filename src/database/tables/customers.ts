import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { EXEMPTION_STATUSES } from '../../exemptions/moves.ts'
import { EXEMPTION_TYPES } from '../../tax/sale.ts'
import { accounts } from './accounts.ts'
import { oneOf, zeroOrOne } from './checks.ts'
import { CUSTOMER_KEYS } from './search-keys.ts'

export const customers = sqliteTable(
  'customers',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    external_id: text(),
    email: text(),
    name: text(),
    country: text(),
    region: text(),
    city: text(),
    postal_code: text(),
    line1: text(),
    line2: text(),
    vat_id: text(),
    vat_id_validated: integer().notNull().default(0),
    vat_id_validated_at: text(),
    vat_id_company_name: text(),
    metadata: text().notNull(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
    audit_salt: text().notNull().default(''),
  },
  (table) => [
    zeroOrOne(table.vat_id_validated),

    uniqueIndex('customers_by_external_id')
      .on(table.account_id, table.external_id)
      .where(sql`external_id IS NOT NULL`),
    index('customers_to_check')
      .on(table.vat_id_validated_at)
      .where(sql`vat_id_validated = 1`),
    index('customers_of_account').on(table.account_id, table.id),
    index('customers_by_lower_name').on(table.account_id, sql`lower("name")`),
    index('customers_by_second_word')
      .on(table.account_id, sql.raw(CUSTOMER_KEYS.customers_by_second_word.key))
      .where(sql.raw(CUSTOMER_KEYS.customers_by_second_word.where)),
    index('customers_by_third_word')
      .on(table.account_id, sql.raw(CUSTOMER_KEYS.customers_by_third_word.key))
      .where(sql.raw(CUSTOMER_KEYS.customers_by_third_word.where)),
    index('customers_by_fourth_word')
      .on(table.account_id, sql.raw(CUSTOMER_KEYS.customers_by_fourth_word.key))
      .where(sql.raw(CUSTOMER_KEYS.customers_by_fourth_word.where)),
    index('customers_by_lower_email').on(table.account_id, sql`lower("email")`),
    index('customers_by_email_domain')
      .on(table.account_id, sql.raw(CUSTOMER_KEYS.customers_by_email_domain.key))
      .where(sql.raw(CUSTOMER_KEYS.customers_by_email_domain.where)),
    index('customers_by_email').on(table.account_id, table.email, table.id),
  ],
)

export const exemptions = sqliteTable(
  'exemptions',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    customer_id: text()
      .notNull()
      .references(() => customers.id),
    jurisdiction_id: text().notNull(),
    exemption_type: text({ enum: EXEMPTION_TYPES }).notNull(),
    certificate_number: text().notNull(),
    certificate_url: text(),
    valid_from: text().notNull(),
    valid_to: text(),
    status: text({ enum: EXEMPTION_STATUSES }).notNull(),
    verification_notes: text(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
    /** How many recorded sales rest on the certificate. */
    sales: integer().notNull().default(0),
  },
  (table) => [
    oneOf(table.exemption_type),
    oneOf(table.status),

    index('exemptions_of_customer').on(table.customer_id, table.account_id, table.id),
    index('exemptions_of_account').on(table.account_id, table.id),
    index('exemptions_by_status').on(table.account_id, table.status, table.id),
    index('exemptions_to_expire')
      .on(table.valid_to)
      .where(sql`status = 'verified'`),
  ],
)
