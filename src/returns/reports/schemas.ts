import * as z from 'zod'
import { Amount, Timestamp } from '../../platform/http/answers.ts'
import { CalendarDate, Currency, JurisdictionId, RateFraction, text } from '../../platform/http/fields.ts'
import { CURSOR_ANSWER, cursorField, limitField, PAGE_ANSWER, pageFields } from '../../platform/http/page.ts'
import { keysOf } from '../../platform/kit/keys-of.ts'
import {
  ExchangeRates,
  FilingType,
  FIRST_DAY,
  FX_RATES,
  LAST_DAY,
  lineFilter,
  Period,
} from '../forms/queries.ts'
import { SoldKind } from '../rows/sold-kind.ts'
import { TransactionSums } from '../../sales/transactions/sale/answers.ts'
import { SCHEMES } from '../../engine/ground/schemes.ts'
import { ProductTypeOrCode } from '../../platform/http/tax-enums.ts'
import {
  SEARCH_FILTER,
  TRANSACTION_CURSOR,
  TransactionStatus,
} from '../../sales/transactions/sale/schemas.ts'

export const SummaryGrouping = z.enum(['jurisdiction', 'month', 'product_type', 'jurisdiction_and_month'])
export type SummaryGrouping = z.output<typeof SummaryGrouping>

export const SummaryQuery = z.strictObject({
  from_date: CalendarDate.describe(FIRST_DAY),
  to_date: CalendarDate.describe(LAST_DAY),
  group_by: SummaryGrouping.optional().describe('Left out: `jurisdiction`'),
})
export type SummaryQuery = z.output<typeof SummaryQuery>

const QueryRate = z
  .string()
  .regex(/^[01](\.\d{1,6})?$/, 'must be a fraction such as 0.19')
  .transform(Number)
  .pipe(RateFraction)

const transactionFilter = {
  from_date: CalendarDate.optional().describe(FIRST_DAY),
  to_date: CalendarDate.optional().describe(LAST_DAY),
  jurisdiction_id: JurisdictionId.optional().describe('Only transactions of this jurisdiction'),
  status: TransactionStatus.optional().describe('Left out: `completed` and `refunded`'),
  currency: Currency.optional().describe('Only transactions in this currency'),
  place_of_supply: JurisdictionId.optional().describe(
    'Only those with a line taxed there or in a part of it',
  ),
  scheme: z
    .enum([...SCHEMES, 'none'])
    .optional()
    .describe('Only those with a line declared under this scheme'),
  tax_rate: QueryRate.optional().describe('Only those with a line of this rate, such as `0.19`'),
  kind: SoldKind.optional().describe('Only those with a line of this kind'),
  customer_id: text(60).optional().describe('Only those of this saved customer'),
  product_type: ProductTypeOrCode.optional().describe('Only those with a line of this type'),
  external_id_prefix: text(255)
    .min(1, 'must not be empty')
    .optional()
    .describe('Only those whose `external_id` begins with this text'),
  ...SEARCH_FILTER,
  refunded_from: CalendarDate.optional().describe('Only those refunded on this day or later'),
  refunded_to: CalendarDate.optional().describe('Only those refunded on this day or earlier'),
}

export const TransactionReportQuery = z.strictObject({
  ...transactionFilter,
  limit: limitField(1_000, 100),
  cursor: cursorField(TRANSACTION_CURSOR),
})
export type TransactionReportFilter = z.output<typeof TransactionReportQuery>

const REPORTS = ['summary', 'transactions', 'lines', 'filing', 'oss_records'] as const

export const ExportQuery = z.strictObject({
  report: z.enum(REPORTS).describe('Which report'),
  figure: lineFilter.figure,
  ...transactionFilter,
  group_by: SummaryGrouping.optional().describe('For a summary. Left out: `jurisdiction`'),
  type: FilingType.optional().describe('For a return: its form'),
  period: Period.optional(),
  fx_rates: ExchangeRates.optional().describe(FX_RATES),
})
export type ExportQuery = z.output<typeof ExportQuery>

const SUMS = {
  currency: z.string(),
  transactions: z.int(),
  refunds: z.int(),
  gross_sales: Amount,
  taxable_sales: Amount,
  exempt_sales: Amount.describe(
    'Without money that pays for no supply, and sales that the seller on a marketplace makes: these are in ' +
      '`gross_sales` alone',
  ),
  uncollected_sales: Amount,
  refunded_sales: Amount,
  tax_collected: Amount,
  tax_refunded: Amount,
  net_tax: Amount,
}

/** Sums of one currency, in its minor units. */
export const SummaryTotals = z.strictObject(SUMS)

/** Sums of a group and currency. Of the first three fields, the row has those of `group_by`. */
export const SummaryRow = z.strictObject({
  jurisdiction_id: z.string().optional(),
  month: z.string().optional(),
  product_type: z.string().optional(),
  ...SUMS,
  own_rate: z
    .boolean()
    .optional()
    .describe('Some of its sales have an own rate of the seller, which is not verified. Left out: none has'),
})

export const SummaryAnswer = z.strictObject({
  from_date: z.iso.date(),
  to_date: z.iso.date(),
  group_by: SummaryGrouping,
  rows: z.array(SummaryRow),
  totals: z.array(SummaryTotals),
  other_sellers: z
    .array(TransactionSums)
    .nullable()
    .optional()
    .describe(
      'The recorded sales of other sellers than the account, which no row and no total counts, by the day ' +
        'of the sale. Left out: there are none. Null: more than 10,000 sales would have to be read',
    ),
  queried_at: Timestamp,
})

export const TaxVarianceQuery = z.strictObject({
  ...pageFields(100),
  from_date: CalendarDate.describe(FIRST_DAY),
  to_date: CalendarDate.describe(LAST_DAY),
  jurisdiction_id: JurisdictionId.optional().describe('Only transactions of this jurisdiction'),
})
export type TaxVarianceQuery = z.output<typeof TaxVarianceQuery>

const VARIANCE_SUMS = {
  transactions: z.int(),
  charged_tax: Amount.describe('The tax as it was given, or by `expected_total`'),
  expected_tax: Amount.describe('The tax as the service calculated it when the sale was recorded'),
  variance: Amount.describe('`charged_tax` less `expected_tax`'),
}

/** The sales of a month, place and currency whose charged tax differs from the expected one. */
export const TaxVarianceRow = z.strictObject({
  month: z.string().describe('Such as `2026-05`'),
  jurisdiction_id: z.string(),
  currency: z.string(),
  ...VARIANCE_SUMS,
  transactions_url: z.string().describe('The list of these sales'),
})

export const TaxVarianceTotal = z.strictObject({ currency: z.string(), ...VARIANCE_SUMS })

export const TaxVarianceAnswer = z.strictObject({
  from_date: z.iso.date(),
  to_date: z.iso.date(),
  jurisdiction_id: z.string().nullable(),
  rows: z.array(TaxVarianceRow).describe('The latest month first'),
  totals: z.array(TaxVarianceTotal).describe('Of all rows, on every page'),
  ...PAGE_ANSWER,
  queried_at: Timestamp,
})

/** One flat row per transaction. Amounts in minor units, the rate as a fraction. */
export const ReportRow = z.strictObject({
  id: z.string(),
  external_id: z.string().nullable(),
  transaction_date: Timestamp,
  status: TransactionStatus,
  jurisdiction_id: z.string(),
  customer_id: z.string().nullable(),
  customer_country: z.string(),
  customer_region: z.string().nullable(),
  customer_postal_code: z.string().nullable(),
  currency: z.string(),
  subtotal: Amount,
  taxable_amount: Amount,
  tax_rate: z.number(),
  tax_amount: Amount,
  total: Amount,
  amount_refunded: Amount,
  tax_refunded: Amount,
  reverse_charge: z.boolean(),
  seller_registered: z.boolean(),
  invoice_number: z.string().nullable(),
  customer_name: z.string().nullable().describe('Of the saved customer; null: there is none, or no more'),
  of_other_seller: z
    .literal(true)
    .optional()
    .describe('The seller is another one than the account, so no return and no sum counts the transaction'),
})
export type ReportRow = z.output<typeof ReportRow>

/** The columns of the row, in the order of the file. The last column of the file says whose sale it is. */
export const REPORT_COLUMNS = keysOf(ReportRow.omit({ of_other_seller: true }).shape)

export const TransactionReportAnswer = z.strictObject({
  transactions: z.array(ReportRow),
  ...CURSOR_ANSWER,
  queried_at: Timestamp,
})
