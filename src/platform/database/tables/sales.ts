import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { TAXABILITY_REASONS } from '../../../engine/found/assessment.ts'
import { keysOf } from '../../kit/keys-of.ts'
import {
  LINE_SCHEMES,
  NOT_COMPLETED,
  TAX_SOURCES,
  TRANSACTION_STATUSES,
} from '../values/transaction-statuses.ts'
import { accounts } from './accounts.ts'
import { oneOf, safeInteger, zeroOrOne } from './checks.ts'
import { SALE_KEYS } from './search-keys.ts'

/** There is a total for each day and one for each month. */
const SPANS = ['day', 'month'] as const

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
    tax_source: text({ enum: TAX_SOURCES }).notNull(),
    tax_variance: integer(),
    jurisdiction_id: text().notNull(),
    seller_registered: integer().notNull(),
    reverse_charge: integer().notNull(),
    status: text({ enum: TRANSACTION_STATUSES }).notNull(),
    amount_refunded: integer().notNull().default(0),
    tax_refunded: integer().notNull().default(0),
    data_version: text(),
    transaction_date: text().notNull(),
    completed_at: text(),
    voided_at: text(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
    exported_to: text().notNull().default(''),
    day: text().notNull().default(''),
    credited_day: text(),
    facts: text().notNull().default('{}'),
    /** When a completed sale was replaced or deleted. Its status is then `voided`. */
    superseded_at: text(),
    /** The sale that replaced it. */
    superseded_by: text(),
    /** The recorded sale that a credit note names. */
    credited_sale: text(),
    /** JSON of KeptReasons; null: the sale was recorded before reasons were kept. */
    reasons: text(),
    /** 1: it is in the indexes of the search box. A new sale is 0 until the next tick. */
    searchable: integer().notNull().default(1),
    /** 1: the seller that the request stated is another one than the account, so no sum counts the sale. */
    of_other_seller: integer().notNull().default(0),
  },
  (table) => [
    oneOf(table.tax_source),
    zeroOrOne(table.seller_registered),
    zeroOrOne(table.reverse_charge),
    oneOf(table.status),
    check('amount_refunded', sql`amount_refunded BETWEEN 0 AND max(total, 0)`),

    uniqueIndex('transactions_by_external_id')
      .on(table.account_id, table.external_id)
      .where(sql`external_id IS NOT NULL`),
    ...keysOf(SALE_KEYS).map((name) =>
      index(name).on(table.account_id, sql.raw(SALE_KEYS[name].key)).where(sql.raw(SALE_KEYS[name].where)),
    ),
    index('transactions_by_amount').on(table.account_id, table.currency, table.total, table.id),
    // The day is at most one day from the date: whoever looks for days reads a range of dates.
    index('transactions_by_date').on(table.account_id, table.transaction_date, table.id, table.day),
    index('transactions_by_jurisdiction').on(
      table.account_id,
      table.jurisdiction_id,
      table.transaction_date,
      table.id,
    ),
    index('transactions_that_credit')
      .on(table.account_id, table.day)
      .where(sql`credited_day IS NOT NULL`),
    index('transactions_of_credited_sale')
      .on(table.account_id, table.credited_sale)
      .where(sql`credited_sale IS NOT NULL`),
    index('transactions_of_customer')
      .on(table.account_id, table.customer_id, table.transaction_date, table.id)
      .where(sql`customer_id IS NOT NULL`),
    // Only sales with a tax of their own that is not the calculated one: few.
    index('transactions_with_variance')
      .on(table.account_id, table.day, table.jurisdiction_id)
      .where(sql`tax_variance <> 0`),
    // Most accounts have no sales of other sellers.
    index('transactions_of_other_sellers')
      .on(table.account_id, table.transaction_date, table.id)
      .where(sql`of_other_seller = 1`),
    // Nearly all sales are completed, and a list of them is read by date.
    index('transactions_by_status')
      .on(table.account_id, table.status, table.transaction_date, table.id)
      .where(sql.raw(NOT_COMPLETED)),
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
    taxability_reason: text({ enum: TAXABILITY_REASONS }),
    reason_detail: text(),
    place_of_supply: text().notNull(),
    scheme: text({ enum: LINE_SCHEMES }).notNull(),
    tax_breakdown: text().notNull(),
    opens_product: integer().notNull(),
    exemption: text().notNull().default(''),
    portions: text(),
  },
  (table) => [
    zeroOrOne(table.taxable),
    oneOf(table.scheme),
    zeroOrOne(table.opens_product),
    primaryKey({ columns: [table.transaction_id, table.position] }),
  ],
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
    day: text().notNull().default(''),
    recorded_at: text().notNull().default(''),
    by_line: integer().notNull().default(0),
    external_id: text(),
    credit_note_number: text(),
  },
  (table) => [
    // A refund of a free line is 0.
    check('amount', sql`amount >= 0`),
    zeroOrOne(table.by_line),

    uniqueIndex('refunds_by_external_id')
      .on(table.account_id, table.external_id)
      .where(sql`external_id IS NOT NULL`),

    index('refunds_of_transaction').on(table.transaction_id, table.account_id, table.id),
    index('refunds_by_date').on(table.account_id, table.refunded_at, table.id, table.day),
  ],
)

/**
 * What final sales take off because earlier sales charged it: a deposit, or a single-purpose voucher. A
 * settlement counts as long as its final sale is not voided. `parts` are those of a refund.
 */
export const settlements = sqliteTable(
  'settlements',
  {
    account_id: text().notNull(),
    /** The final sale. */
    transaction_id: text().notNull(),
    settled_id: text().notNull(),
    amount: integer().notNull(),
    tax_amount: integer().notNull(),
    parts: text().notNull(),
  },
  (table) => [
    check('amount', sql`amount > 0`),
    primaryKey({ columns: [table.transaction_id, table.settled_id] }),
    index('settlements_of_sale').on(table.account_id, table.settled_id),
  ],
)

export const tax_totals = sqliteTable(
  'tax_totals',
  {
    account_id: text().notNull(),
    span: text({ enum: SPANS }).notNull(),
    period: text().notNull(),
    sold_in: text().notNull(),
    jurisdiction_id: text().notNull(),
    place_of_supply: text().notNull(),
    scheme: text().notNull(),
    currency: text().notNull(),
    product_type: text().notNull(),
    tax_rate: integer().notNull(),
    reason: text().notNull(),
    exported_to: text().notNull().default(''),
    exemption: text().notNull().default(''),
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
    oneOf(table.span),
    safeInteger(table.net_amount),
    safeInteger(table.taxable_amount),
    safeInteger(table.tax_amount),
    safeInteger(table.refunded_net_amount),

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
        table.exported_to,
        table.exemption,
      ],
    }),
    index('tax_totals_of_jurisdiction').on(table.account_id, table.jurisdiction_id, table.span, table.period),
    // Which periods have a recapitulative statement: few rows, and each list of obligations asks.
    index('tax_totals_to_businesses')
      .on(table.account_id, table.period)
      .where(sql`span = 'month' AND reason IN ('intra_community_supply', 'reverse_charge')`),
  ],
)

export const transaction_counts = sqliteTable(
  'transaction_counts',
  {
    account_id: text().notNull(),
    span: text({ enum: SPANS }).notNull(),
    period: text().notNull(),
    jurisdiction_id: text().notNull(),
    status: text().notNull(),
    transactions: integer().notNull(),
  },
  (table) => [
    oneOf(table.span),
    primaryKey({
      columns: [table.account_id, table.span, table.period, table.jurisdiction_id, table.status],
    }),
  ],
)

/** Accounts whose time zone has changed: a job moves their sales to the days of the new zone, in slices. */
export const day_changes = sqliteTable('day_changes', {
  account_id: text().primaryKey(),
  time_zone: text().notNull(),
  requested_at: text().notNull(),
  after: text().notNull(),
})
