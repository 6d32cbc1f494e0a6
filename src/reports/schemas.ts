import * as z from 'zod'
import { CalendarDate, Currency, JurisdictionId, RateFraction, text } from '../http/fields.ts'
import { pageFields } from '../http/page.ts'
import { Status } from '../transactions/schemas.ts'
import { COLUMNS } from './report-row.ts'

export const SummaryQuery = z.strictObject({
  from_date: CalendarDate,
  to_date: CalendarDate,
  group_by: z.enum(['jurisdiction', 'month', 'product_type']).optional(),
})
export type SummaryQuery = z.output<typeof SummaryQuery>

const QueryRate = z
  .string()
  .regex(/^[01](\.\d{1,6})?$/, 'must be a fraction such as 0.19')
  .transform(Number)
  .pipe(RateFraction)

const transactionFilter = {
  from_date: CalendarDate.optional(),
  to_date: CalendarDate.optional(),
  jurisdiction_id: JurisdictionId.optional(),
  status: Status.optional(),
  currency: Currency.optional(),
  place_of_supply: JurisdictionId.optional(),
  scheme: z.enum(['oss_union', 'oss_non_union', 'ioss', 'none']).optional(),
  tax_rate: QueryRate.optional(),
  kind: z.enum(['goods', 'services']).optional(),
  refunded_from: CalendarDate.optional(),
  refunded_to: CalendarDate.optional(),
}

export const TransactionReportQuery = z.strictObject({
  ...transactionFilter,
  limit: pageFields(1_000).limit,
  cursor: text(100)
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z~txn_[0-9a-z]{26}$/, 'is not a cursor of this list')
    .optional(),
})
export type TransactionReportFilter = z.output<typeof TransactionReportQuery>

/** `USD:1.0812,GBP:0.8533`, in millionths. */
const ExchangeRates = z
  .string()
  .max(2_000)
  .regex(
    /^[A-Z]{3}:\d{1,9}(\.\d{1,6})?(,[A-Z]{3}:\d{1,9}(\.\d{1,6})?)*$/,
    'must be like USD:1.0812,GBP:0.8533',
  )
  .transform(
    (list) =>
      new Map(
        list.split(',').map((each) => [each.slice(0, 3), Math.round(Number(each.slice(4)) * 1_000_000)]),
      ),
  )
  .refine((rates) => [...rates.values()].every((rate) => rate > 0), 'must be above 0')
  .meta({ type: 'string' })

const FILING_TYPES = [
  'oss_union',
  'oss_non_union',
  'ioss',
  'uk_vat100',
  'us_state',
  'ca_gst34',
  'au_bas',
  'generic',
] as const

export const FilingQuery = z.strictObject({
  type: z.enum(FILING_TYPES),
  period: text(10),
  fx_rates: ExchangeRates.optional(),
})
export type FilingQuery = z.output<typeof FilingQuery>

export const ExportQuery = z.strictObject({
  report: z.enum(['summary', 'transactions', 'filing']),
  ...transactionFilter,
  group_by: z.enum(['jurisdiction', 'month', 'product_type']).optional(),
  type: z.enum(FILING_TYPES).optional(),
  period: text(10).optional(),
  fx_rates: ExchangeRates.optional(),
})
export type ExportQuery = z.output<typeof ExportQuery>

const Amount = z.int()
const queried_at = z.iso.datetime()

const SUMS = {
  currency: z.string(),
  transactions: z.int(),
  refunds: z.int(),
  gross_sales: Amount,
  taxable_sales: Amount,
  exempt_sales: Amount,
  refunded_sales: Amount,
  tax_collected: Amount,
  tax_refunded: Amount,
  net_tax: Amount,
}

export const SummaryAnswer = z.strictObject({
  from_date: z.iso.date(),
  to_date: z.iso.date(),
  group_by: z.string(),
  rows: z.array(
    z.strictObject({
      jurisdiction_id: z.string().optional(),
      month: z.string().optional(),
      product_type: z.string().optional(),
      ...SUMS,
    }),
  ),
  totals: z.array(z.strictObject(SUMS)),
  queried_at,
})

const NULLABLE = new Set(['external_id', 'customer_id', 'customer_region', 'customer_postal_code'])
const AMOUNTS = new Set([
  'subtotal',
  'taxable_amount',
  'tax_amount',
  'total',
  'amount_refunded',
  'tax_refunded',
])

function columnSchema(name: string) {
  if (NULLABLE.has(name)) return z.string().nullable()
  if (AMOUNTS.has(name)) return Amount
  if (name === 'tax_rate') return z.number()
  return name === 'reverse_charge' || name === 'seller_registered' ? z.boolean() : z.string()
}

export const TransactionReportAnswer = z.strictObject({
  transactions: z.array(
    z.strictObject(Object.fromEntries(COLUMNS.map((name) => [name, columnSchema(name)]))),
  ),
  limit: z.int(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  queried_at,
})

export const FilingAnswer = z.strictObject({
  type: z.string(),
  period: z.string(),
  from_date: z.iso.date(),
  to_date: z.iso.date(),
  currency: z.string().nullable(),
  nil_return: z.boolean(),
  boxes: z.array(
    z.strictObject({
      box: z.string(),
      name: z.string(),
      amount: Amount.nullable(),
      note: z.string().nullable(),
      transactions_url: z.string().nullable(),
    }),
  ),
  supplies: z.array(
    z.strictObject({
      jurisdiction_id: z.string(),
      kind: z.enum(['goods', 'services']).nullable(),
      rate: z.number().nullable(),
      currency: z.string(),
      gross_sales: Amount,
      exempt_sales: Amount,
      taxable_amount: Amount,
      tax_amount: Amount,
      transactions_url: z.string(),
    }),
  ),
  corrections: z.array(
    z.strictObject({
      jurisdiction_id: z.string(),
      period: z.string(),
      currency: z.string(),
      taxable_amount: Amount,
      tax_amount: Amount,
      transactions_url: z.string(),
    }),
  ),
  totals: z
    .strictObject({
      taxable_amount: Amount,
      tax_amount: Amount,
      corrections_tax_amount: Amount,
      tax_due: Amount,
    })
    .nullable(),
  unconverted: z.array(
    z.strictObject({ currency: z.string(), taxable_amount: Amount, tax_amount: Amount, message: z.string() }),
  ),
  notes: z.array(z.string()),
  queried_at,
})
