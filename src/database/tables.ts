import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * The tables as migrations/ make them, with the types of their rows. A change is made here first; `npm run db:generate -- NAME` writes its migration.
 * Truth is 0 and 1, money is in minor units, rates are in millionths, moments are ISO 8601 in UTC, days are YYYY-MM-DD. What CHECKs and STRICT hold
 * stands in the migrations alone.
 */

export const facts = sqliteTable(
  'facts',
  {
    sequence: integer().primaryKey(),
    kind: text().notNull(),
    id: text().notNull(),
    content: text().notNull(),
    last_verified_at: text(),
    recorded_at: text().notNull(),
    superseded_at: text(),
  },
  (table) => [
    uniqueIndex('facts_current')
      .on(table.kind, table.id)
      .where(sql`superseded_at IS NULL`),
  ],
)

export const data_versions = sqliteTable('data_versions', {
  version: text().primaryKey(),
  recorded_at: text().notNull(),
  reason: text().notNull(),
})

export const accounts = sqliteTable('accounts', {
  id: text().primaryKey(),
  name: text().notNull().unique(),
  tier: text({ enum: ['free', 'pro', 'enterprise'] }).notNull(),
  sandbox: integer().notNull(),
  seller_name: text(),
  country: text(),
  region: text(),
  postal_code: text(),
  vat_id: text(),
  vat_id_policy: text({ enum: ['format', 'validated'] })
    .notNull()
    .default('format'),
  created_at: text().notNull(),
  updated_at: text().notNull(),
})

export const api_keys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    name: text(),
    hash: text().notNull().unique(),
    prefix: text().notNull(),
    scopes: text().notNull(),
    expires_at: text(),
    revoked_at: text(),
    last_used_at: text(),
    created_at: text().notNull(),
  },
  (table) => [index('api_keys_of_account').on(table.account_id, table.id)],
)

export const registrations = sqliteTable(
  'registrations',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    jurisdiction_id: text(),
    scheme: text({ enum: ['oss_union', 'oss_non_union', 'ioss'] }),
    registration_number: text(),
    valid_from: text().notNull(),
    valid_to: text(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
  },
  (table) => [index('registrations_of_account').on(table.account_id, table.id)],
)

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
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.key, table.method, table.path] }),
    index('idempotency_keys_by_age').on(table.created_at),
  ],
)

export const audit_events = sqliteTable(
  'audit_events',
  {
    id: text().primaryKey(),
    account_id: text().notNull(),
    key_id: text().notNull(),
    action: text().notNull(),
    resource_id: text().notNull(),
    changed: text().notNull(),
    request_id: text().notNull(),
    created_at: text().notNull(),
  },
  (table) => [
    index('audit_events_of_account').on(table.account_id, table.id),
    index('audit_events_of_resource').on(table.account_id, table.resource_id, table.id),
  ],
)

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
  },
  (table) => [
    uniqueIndex('customers_by_external_id')
      .on(table.account_id, table.external_id)
      .where(sql`external_id IS NOT NULL`),
    index('customers_of_account').on(table.account_id, table.id),
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
    exemption_type: text({ enum: ['resale', 'nonprofit', 'government', 'other'] }).notNull(),
    certificate_number: text().notNull(),
    certificate_url: text(),
    valid_from: text().notNull(),
    valid_to: text(),
    status: text({ enum: ['pending', 'verified', 'rejected', 'expired'] }).notNull(),
    verification_notes: text(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
  },
  (table) => [
    index('exemptions_of_customer').on(table.customer_id, table.account_id, table.id),
    index('exemptions_to_expire')
      .on(table.valid_to)
      .where(sql`status = 'verified'`),
  ],
)

export const transactions = sqliteTable(
  'transactions',
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id),
    external_id: text(),
    customer_id: text(),
    customer_country: text().notNull(),
    customer_region: text(),
    customer_postal_code: text(),
    customer_vat_id: text(),
    currency: text().notNull(),
    subtotal: integer().notNull(),
    tax_amount: integer().notNull(),
    total: integer().notNull(),
    tax_rate: integer().notNull(),
    tax_source: text({ enum: ['calculated', 'given'] }).notNull(),
    tax_variance: integer(),
    jurisdiction_id: text().notNull(),
    seller_registered: integer().notNull(),
    reverse_charge: integer().notNull(),
    status: text({ enum: ['pending', 'completed', 'refunded', 'voided'] }).notNull(),
    amount_refunded: integer().notNull().default(0),
    tax_refunded: integer().notNull().default(0),
    data_version: text(),
    transaction_date: text().notNull(),
    completed_at: text(),
    voided_at: text(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
  },
  (table) => [
    uniqueIndex('transactions_by_external_id')
      .on(table.account_id, table.external_id)
      .where(sql`external_id IS NOT NULL`),
    index('transactions_by_date').on(table.account_id, table.transaction_date, table.id),
    index('transactions_by_jurisdiction').on(table.account_id, table.jurisdiction_id, table.transaction_date, table.id),
    index('transactions_by_status').on(table.account_id, table.status, table.transaction_date, table.id),
  ],
)

export const transaction_lines = sqliteTable(
  'transaction_lines',
  {
    transaction_id: text()
      .notNull()
      .references(() => transactions.id),
    position: integer().notNull(),
    id: text().notNull(),
    account_id: text().notNull(),
    amount: integer().notNull(),
    quantity: integer().notNull(),
    product_type: text().notNull(),
    description: text(),
    taxable: integer().notNull(),
    net_amount: integer().notNull(),
    taxable_amount: integer().notNull(),
    uncollected_amount: integer().notNull(),
    tax_rate: integer().notNull(),
    tax_amount: integer().notNull(),
    provincial_tax_amount: integer().notNull(),
    taxability_reason: text(),
    reason_detail: text(),
    place_of_supply: text().notNull(),
    scheme: text({ enum: ['', 'oss_union', 'oss_non_union', 'ioss', 'below_eu_threshold'] }).notNull(),
    tax_breakdown: text().notNull(),
    opens_product: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.transaction_id, table.position] })],
)

export const refunds = sqliteTable(
  'refunds',
  {
    id: text().primaryKey(),
    account_id: text().notNull(),
    transaction_id: text()
      .notNull()
      .references(() => transactions.id),
    amount: integer().notNull(),
    tax_amount: integer().notNull(),
    reason: text().notNull(),
    parts: text().notNull(),
    refunded_at: text().notNull(),
  },
  (table) => [
    index('refunds_of_transaction').on(table.account_id, table.transaction_id, table.id),
    index('refunds_by_date').on(table.account_id, table.refunded_at, table.id),
  ],
)

export const tax_totals = sqliteTable(
  'tax_totals',
  {
    account_id: text().notNull(),
    span: text({ enum: ['day', 'month'] }).notNull(),
    period: text().notNull(),
    sold_in: text().notNull(),
    jurisdiction_id: text().notNull(),
    place_of_supply: text().notNull(),
    scheme: text().notNull(),
    currency: text().notNull(),
    product_type: text().notNull(),
    tax_rate: integer().notNull(),
    reason: text().notNull(),
    transactions: integer().notNull().default(0),
    product_transactions: integer().notNull().default(0),
    net_amount: integer().notNull().default(0),
    taxable_amount: integer().notNull().default(0),
    uncollected_amount: integer().notNull().default(0),
    tax_amount: integer().notNull().default(0),
    provincial_tax_amount: integer().notNull().default(0),
    refunds: integer().notNull().default(0),
    product_refunds: integer().notNull().default(0),
    refunded_net_amount: integer().notNull().default(0),
    refunded_taxable_amount: integer().notNull().default(0),
    refunded_tax_amount: integer().notNull().default(0),
    refunded_provincial_tax_amount: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({
      columns: [
        table.account_id,
        table.span,
        table.period,
        table.sold_in,
        table.jurisdiction_id,
        table.place_of_supply,
        table.scheme,
        table.currency,
        table.product_type,
        table.tax_rate,
        table.reason,
      ],
    }),
    index('tax_totals_of_jurisdiction').on(table.account_id, table.jurisdiction_id, table.span, table.period),
  ],
)

export const transaction_counts = sqliteTable(
  'transaction_counts',
  {
    account_id: text().notNull(),
    span: text({ enum: ['day', 'month'] }).notNull(),
    period: text().notNull(),
    jurisdiction_id: text().notNull(),
    status: text().notNull(),
    transactions: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.span, table.period, table.jurisdiction_id, table.status] })],
)

export const collector_runs = sqliteTable(
  'collector_runs',
  {
    id: text().primaryKey(),
    region: text().notNull(),
    started_at: text().notNull(),
    duration_ms: integer().notNull(),
    outcome: text({ enum: ['applied', 'confirmed', 'quarantined', 'failed'] }).notNull(),
    documents: text().notNull(),
    records_seen: integer().notNull(),
    records_confirmed: integer().notNull(),
    records_changed: integer().notNull(),
    records_added: integer().notNull(),
    data_version: text(),
    error: text(),
  },
  (table) => [index('collector_runs_of_region').on(table.region, table.started_at)],
)

export const collector_evidence = sqliteTable(
  'collector_evidence',
  {
    run_id: text()
      .notNull()
      .references(() => collector_runs.id),
    kind: text().notNull(),
    fact_id: text().notNull(),
    document_hash: text().notNull(),
    matched_text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.run_id, table.kind, table.fact_id] })],
)

export const collector_states = sqliteTable(
  'collector_states',
  {
    region: text().primaryKey(),
    last_sync_at: text(),
    last_success_at: text(),
    consecutive_failures: integer().notNull(),
    parse_failures: integer().notNull(),
    last_error: text(),
    next_run_at: text().notNull(),
  },
  (table) => [index('collector_states_due').on(table.next_run_at)],
)

export const events = sqliteTable(
  'events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    data: text().notNull(),
    created_at: text().notNull(),
    fanned_out_at: text(),
  },
  (table) => [
    index('events_to_fan_out')
      .on(table.id)
      .where(sql`fanned_out_at IS NULL`),
  ],
)
