import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { DOCUMENT_TYPES } from '../values/document-type.ts'
import { EXEMPTION_STATUSES } from '../values/exemption-statuses.ts'
import { VAT_SCHEMES } from '../../../engine/ground/vat-schemes.ts'
import { EXEMPTION_TYPES } from '../../../engine/sale/sale.ts'
import { accounts } from './accounts.ts'
import { oneOf, zeroOrOne } from './checks.ts'
import { CUSTOMER_KEYS, LONG_NAME, NAME } from './search-keys.ts'

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
    /** The name as searches compare it; null: as the name in small letters. See folded-name.ts. */
    folded_name: text(),
    /** By which a second tax falls on what it buys, such as `es_recargo`; null: none. */
    vat_scheme: text({ enum: VAT_SCHEMES }),
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
    index('customers_by_lower_name').on(table.account_id, sql.raw(NAME)),
    index('customers_by_second_word')
      .on(table.account_id, sql.raw(CUSTOMER_KEYS.customers_by_second_word.key))
      .where(sql.raw(CUSTOMER_KEYS.customers_by_second_word.where)),
    index('customers_by_third_word')
      .on(table.account_id, sql.raw(CUSTOMER_KEYS.customers_by_third_word.key))
      .where(sql.raw(CUSTOMER_KEYS.customers_by_third_word.where)),
    index('customers_by_fourth_word')
      .on(table.account_id, sql.raw(CUSTOMER_KEYS.customers_by_fourth_word.key))
      .where(sql.raw(CUSTOMER_KEYS.customers_by_fourth_word.where)),
    index('customers_of_long_names').on(table.account_id).where(sql.raw(LONG_NAME)),
    index('customers_by_vat_number')
      .on(table.account_id, sql.raw(CUSTOMER_KEYS.customers_by_vat_number.key))
      .where(sql.raw(CUSTOMER_KEYS.customers_by_vat_number.where)),
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
    /** The letter of the reason on the form of the state. */
    reason_code: text(),
    /** The file of the certificate: its id among the stored files, and what it is. Null: there is none. */
    document_id: text(),
    document_type: text({ enum: DOCUMENT_TYPES }),
    document_bytes: integer(),
    document_sha256: text(),
    /** The last day on which it frees sales, if it expired after it was verified; see moves.ts. */
    ended_on: text(),
  },
  (table) => [
    oneOf(table.exemption_type),
    oneOf(table.status),

    index('exemptions_of_customer').on(table.customer_id, table.account_id, table.id),
    index('exemptions_of_account').on(table.account_id, table.id),
    index('exemptions_by_status').on(table.account_id, table.status, table.id),
    index('exemptions_by_document')
      .on(table.document_id)
      .where(sql`document_id IS NOT NULL`),
    index('exemptions_by_end').on(
      table.account_id,
      table.status,
      sql`coalesce("valid_to", '9999-12-31')`,
      table.id,
    ),
    index('exemptions_by_lower_number').on(table.account_id, sql`lower("certificate_number")`),
    index('exemptions_of_place').on(table.account_id, table.jurisdiction_id, table.id),
    index('exemptions_to_expire')
      .on(table.valid_to)
      .where(sql`status = 'verified'`),
  ],
)

/** A part of a stored file of a certificate, in base64: D1 answers a BLOB as a list of numbers. */
export const document_parts = sqliteTable(
  'document_parts',
  {
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    document_id: text().notNull(),
    position: integer().notNull(),
    content: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.document_id, table.position] })],
)

/**
 * Files that no certificate has, or not yet: a job deletes them from `due_at` on. The row comes before its
 * file, and goes when a certificate has the file. So no file stays unknown, whatever fails.
 */
export const document_erasures = sqliteTable(
  'document_erasures',
  {
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    document_id: text().notNull(),
    due_at: text().notNull(),
    /** 1: the file is in the bucket, 0: in `document_parts`. */
    in_bucket: integer().notNull(),
    /** The bytes that are counted for the account until the file is deleted. */
    bytes: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.document_id] }),
    zeroOrOne(table.in_bucket),
    index('document_erasures_by_day').on(table.due_at),
  ],
)

/**
 * Links by which a customer hands in a certificate, without a key. Only the hash of the token is stored. One
 * is open until it is used, revoked, or `expires_at` has come. It refers to no customer, so that the erasure
 * of an earlier release, which does not know the table, goes through.
 */
export const certificate_requests = sqliteTable(
  'certificate_requests',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    customer_id: text().notNull(),
    /** The key that made it: it ends with a stolen key. */
    key_id: text().notNull(),
    token_hash: text().notNull().unique(),
    created_at: text().notNull(),
    expires_at: text().notNull(),
    revoked_at: text(),
    used_at: text(),
    /** The certificate that was handed in, and the hash of what was sent: the same again is no fault. */
    exemption_id: text(),
    sent_hash: text(),
  },
  (table) => [
    index('certificate_requests_of_customer').on(table.account_id, table.customer_id, table.id),
    index('certificate_requests_by_end').on(table.expires_at),
  ],
)
