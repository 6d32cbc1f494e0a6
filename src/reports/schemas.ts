import * as z from 'zod'
import { Amount, Timestamp } from '../http/answers.ts'
import { CalendarDate, Currency, JurisdictionId, RateFraction, text } from '../http/fields.ts'
import { cursorField, limitField } from '../http/page.ts'
import { keysOf } from '../keys-of.ts'
import { FILING_TYPES, FORMS_OF_REGION } from './filing/forms.ts'
import { SOLD_KINDS } from './sold-kind.ts'
import { SCHEMES } from '../tax/schemes.ts'
import { TRANSACTION_CURSOR, TransactionStatus } from '../transactions/schemas.ts'

const FIRST_DAY = 'The first day, in UTC'
const LAST_DAY = 'The last day, in UTC'
const FX_RATES = 'Exchange rates, such as `USD:1.0812`: USD for one unit of the currency of the return'

export const SummaryGrouping = z.enum(['jurisdiction', 'month', 'product_type'])

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

/** Goods come with their shipping; everything else is a service. */
export const SoldKind = z.enum(SOLD_KINDS)

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
  refunded_from: CalendarDate.optional().describe('Only those refunded on this day or later'),
  refunded_to: CalendarDate.optional().describe('Only those refunded on this day or earlier'),
}

export const TransactionReportQuery = z.strictObject({
  ...transactionFilter,
  limit: limitField(1_000, 100),
  cursor: cursorField(TRANSACTION_CURSOR),
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

export const FilingType = z.enum(FILING_TYPES)

/** `EU: oss_union, oss_non_union, ioss; UK: uk_vat100`, and so on. */
const FORMS_BY_REGION = Object.entries(FORMS_OF_REGION)
  .map(([region, forms]) => `${region}: ${forms.map(({ type }) => `\`${type}\``).join(', ')}`)
  .join('; ')

const Period = text(10).describe('A year `2026`, a quarter `2026-Q3` or a month `2026-09`')

export const FilingQuery = z.strictObject({
  type: FilingType.describe(`The form of the return. ${FORMS_BY_REGION}; for all others \`generic\``),
  period: Period,
  fx_rates: ExchangeRates.optional().describe(FX_RATES),
})
export type FilingQuery = z.output<typeof FilingQuery>

export const ExportQuery = z.strictObject({
  report: z.enum(['summary', 'transactions', 'filing']).describe('Which report'),
  ...transactionFilter,
  group_by: SummaryGrouping.optional().describe('For a summary. Left out: `jurisdiction`'),
  type: FilingType.optional().describe('For a return: its form'),
  period: Period.optional(),
  fx_rates: ExchangeRates.optional().describe(FX_RATES),
})
export type ExportQuery = z.output<typeof ExportQuery>

/** RFC 4180, in UTF-8. */
export const CsvFile = z.string()

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

/** Sums of one currency, in its minor units. */
export const SummaryTotals = z.strictObject(SUMS)

/** Sums of a group and currency. The row has one of the first three fields: the one of `group_by`. */
export const SummaryRow = z.strictObject({
  jurisdiction_id: z.string().optional(),
  month: z.string().optional(),
  product_type: z.string().optional(),
  ...SUMS,
})

export const SummaryAnswer = z.strictObject({
  from_date: z.iso.date(),
  to_date: z.iso.date(),
  group_by: SummaryGrouping,
  rows: z.array(SummaryRow),
  totals: z.array(SummaryTotals),
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
})
export type ReportRow = z.output<typeof ReportRow>

/** The columns of the row, in the order of the file. */
export const REPORT_COLUMNS = keysOf(ReportRow.shape)

export const TransactionReportAnswer = z.strictObject({
  transactions: z.array(ReportRow),
  limit: z.int(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  queried_at: Timestamp,
})

/** A box of a form. `amount` is null if sales alone do not determine it, and the note says why. */
export const FilingBox = z.strictObject({
  box: z.string(),
  name: z.string(),
  amount: Amount.nullable(),
  note: z.string().nullable(),
  transactions_url: z.string().nullable().describe('Lists the transactions of the figure'),
})

/**
 * Supplies of one kind after refunds. Amounts are without tax, except `tax_amount`. The rate is a fraction.
 */
export const FilingSupply = z.strictObject({
  jurisdiction_id: z.string(),
  kind: SoldKind.nullable(),
  rate: z.number().nullable(),
  currency: z.string(),
  gross_sales: Amount,
  exempt_sales: Amount,
  taxable_amount: Amount,
  tax_amount: Amount,
  transactions_url: z.string(),
})

/** Refunds in this period of sales that an earlier return declared. */
export const FilingCorrection = z.strictObject({
  jurisdiction_id: z.string(),
  period: z.string(),
  currency: z.string(),
  taxable_amount: Amount,
  tax_amount: Amount,
  transactions_url: z.string(),
})

export const FilingTotals = z.strictObject({
  taxable_amount: Amount,
  tax_amount: Amount,
  corrections_tax_amount: Amount,
  tax_due: Amount,
})

/** Sales in a currency for which the return has no rate. */
export const UnconvertedSales = z.strictObject({
  currency: z.string(),
  taxable_amount: Amount,
  tax_amount: Amount,
  message: z.string(),
})

export const FilingAnswer = z.strictObject({
  type: FilingType,
  period: z.string(),
  from_date: z.iso.date(),
  to_date: z.iso.date(),
  currency: z.string().nullable(),
  nil_return: z.boolean(),
  boxes: z.array(FilingBox),
  supplies: z.array(FilingSupply),
  corrections: z.array(FilingCorrection),
  totals: FilingTotals.nullable(),
  unconverted: z.array(UnconvertedSales),
  notes: z.array(z.string()),
  queried_at: Timestamp,
})
