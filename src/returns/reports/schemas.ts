import * as z from 'zod'
import { Amount, Timestamp } from '../../platform/http/answers.ts'
import { CalendarDate, Currency, JurisdictionId, RateFraction, text } from '../../platform/http/fields.ts'
import { CURSOR_ANSWER, cursorField, limitField, PAGE_ANSWER, pageFields } from '../../platform/http/page.ts'
import { keysOf } from '../../platform/kit/keys-of.ts'
import type { Form } from '../forms/form.ts'
import { FILING_TYPES, FORMS_OF_REGION } from '../forms/forms.ts'
import { SoldKind } from '../rows/sold-kind.ts'
import { SCHEMES } from '../../engine/ground/schemes.ts'
import { ProductTypeOrCode } from '../../platform/http/tax-enums.ts'
import { SEARCH_FILTER, TRANSACTION_CURSOR, TransactionStatus } from '../../sales/transactions/schemas.ts'

const FIRST_DAY = 'The first day, in the time zone of the account'
const LAST_DAY = 'The last day, in the time zone of the account'
/** A sold line, or what a refund gave back. */
export const LineEntryKind = z.enum(['sale', 'refund'])
const FX_RATES =
  'Exchange rates, such as `USD:1.0812`: USD for one unit of the return currency. ' +
  '`2026-Q2:USD:1.1` is the rate of a corrected period, a month or a day. They replace published rates'

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

const ONE_RATE = String.raw`(\d{4}(-Q[1-4]|-\d\d(-\d\d)?)?:)?[A-Z]{3}:\d{1,9}(\.\d{1,6})?`

/** `USD:1.0812,2026-Q2:USD:1.1`, in millionths by `USD` and `2026-Q2:USD`. */
const ExchangeRates = z
  .string()
  .max(2_000)
  .regex(new RegExp(`^${ONE_RATE}(,${ONE_RATE})*$`), 'must be like USD:1.0812,GBP:0.8533 or 2026-Q2:USD:1.1')
  .transform(
    (list) =>
      new Map(
        list.split(',').map((each) => {
          const rate = each.lastIndexOf(':')
          return [each.slice(0, rate), Math.round(Number(each.slice(rate + 1)) * 1_000_000)]
        }),
      ),
  )
  .refine((rates) => [...rates.values()].every((rate) => rate > 0), 'must be above 0')
  .meta({ type: 'string' })

const ONE_BOX = String.raw`[A-Z0-9]{1,4}:-?\d{1,15}`

/** `2:0,4:12345`, in minor units by box. */
const QueryBoxes = z
  .string()
  .max(500)
  .regex(new RegExp(`^${ONE_BOX}(,${ONE_BOX})*$`), 'must be like 2:0,4:12345')
  .transform(
    (list) =>
      new Map(
        list.split(',').map((each) => {
          const [box = '', amount] = each.split(':')
          return [box, Number(amount) + 0]
        }),
      ),
  )
  .meta({ type: 'string' })

export const FilingType = z.enum(FILING_TYPES)

/** `EU: oss_union, oss_non_union, ioss; UK: uk_vat100`, and so on. */
const FORMS_BY_REGION = Object.entries<readonly Form[]>(FORMS_OF_REGION)
  .filter(([, forms]) => forms.length > 0)
  .map(([region, forms]) => `${region}: ${forms.map(({ type }) => `\`${type}\``).join(', ')}`)
  .join('; ')

const Period = text(16).describe(
  'A year `2026`, a quarter `2026-Q3`, a month `2026-09` or several months `2026-07..2026-12`',
)

export const FilingQuery = z.strictObject({
  type: FilingType.describe(`The form of the return. ${FORMS_BY_REGION}; for all others \`generic\``),
  period: Period,
  jurisdiction_id: JurisdictionId.optional().describe(
    'For forms of one state: this state. Required for `eu_domestic`. `generic` takes a country ' +
      'whose form is in the data, such as `CH`',
  ),
  fx_rates: ExchangeRates.optional().describe(FX_RATES),
  boxes: QueryBoxes.optional().describe(
    'Amounts of boxes that sales do not determine, such as input tax, in minor units: `2:0,4:12345`',
  ),
})
export type FilingQuery = z.output<typeof FilingQuery>

/** The lines of a figure of a return, or all lines of some days. */
const lineFilter = {
  from_date: CalendarDate.optional().describe(FIRST_DAY),
  to_date: CalendarDate.optional().describe(LAST_DAY),
  type: FilingType.optional().describe('With `period` and `figure`: the lines of that figure of a return'),
  period: Period.optional(),
  figure: text(160).optional().describe('A figure of the return, as its link names it'),
  fx_rates: ExchangeRates.optional().describe('The exchange rates of the return, if the request gave any'),
  jurisdiction_id: JurisdictionId.optional().describe('Only lines of transactions of this jurisdiction'),
  place_of_supply: JurisdictionId.optional().describe('Only lines taxed there or in a part of it'),
  scheme: z
    .enum([...SCHEMES, 'none'])
    .optional()
    .describe('Only lines declared under this scheme'),
  currency: Currency.optional().describe('Only lines in this currency'),
  transaction_id: text(60).optional().describe('Only the lines of this transaction'),
  entry: LineEntryKind.optional().describe('Only sold lines, or only refunded ones'),
}

/** The place of a line in lists: its date and id. */
export const LINE_CURSOR = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z~(txn|rfd)_[0-9a-z]{26}(\/\d{1,6}){1,2}$/

export const LinesQuery = z.strictObject({
  ...lineFilter,
  limit: limitField(500, 100),
  cursor: cursorField(LINE_CURSOR),
})
export type LinesQuery = z.output<typeof LinesQuery>

/** The quantity of a sold line that has a unit price, in lists of lines and records. */
export const UnitQuantity = z
  .number()
  .nullable()
  .describe(
    'The quantity of a sold line with `unit_amount`. `quantity` is 1 if it is not a whole number. ' +
      'Else null',
  )

/**
 * A line of the books: a sold line, or what a refund gave back of one, with negative amounts. A line with
 * several rates is one row for each rate.
 */
export const ReportLine = z.strictObject({
  id: z.string(),
  entry: LineEntryKind,
  transaction_id: z.string(),
  external_id: z.string().nullable(),
  invoice_number: z.string().nullable(),
  line_id: z.string().nullable(),
  refund_id: z.string().nullable(),
  dated_at: Timestamp.describe('Of the sale, or of the refund'),
  day: z.iso.date().describe('The day in the time zone of the account'),
  sold_in: z.string().describe('The month of the sale, also for refunds and credit notes'),
  recorded_at: z.string(),
  jurisdiction_id: z.string(),
  place_of_supply: z.string(),
  scheme: z.string().nullable(),
  currency: z.string(),
  product_type: z.string(),
  kind: SoldKind,
  description: z.string().nullable(),
  quantity: z.int().nullable(),
  tax_rate: z.number(),
  taxability_reason: z.string().nullable(),
  exemption_type: z.string().nullable(),
  exported_to: z
    .string()
    .nullable()
    .describe('The other end of an export: where it goes, or what it left if the destination taxes it'),
  net_amount: Amount,
  taxable_amount: Amount,
  tax_amount: Amount,
  provincial_tax_amount: Amount,
  figure_amount: Amount.nullable().describe('What the line adds to the figure that was asked for'),
  customer_id: z.string().nullable(),
  customer_country: z.string(),
  customer_region: z.string().nullable(),
  customer_postal_code: z.string().nullable(),
  customer_vat_id: z.string().nullable(),
  tax_source: z.string(),
  data_version: z.string().nullable(),
  audit_id: z.string().nullable(),
  unit_quantity: UnitQuantity,
})
export type ReportLine = z.output<typeof ReportLine>

export const LINE_COLUMNS = keysOf(ReportLine.shape)

export const LinesAnswer = z.strictObject({
  lines: z.array(ReportLine),
  ...CURSOR_ANSWER,
  queried_at: Timestamp,
})

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

/** RFC 4180, in UTF-8. */
export const CsvFile = z.string()

const SUMS = {
  currency: z.string(),
  transactions: z.int(),
  refunds: z.int(),
  gross_sales: Amount,
  taxable_sales: Amount,
  exempt_sales: Amount,
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
  charged_tax: Amount.describe('The tax as it was given'),
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
})
export type ReportRow = z.output<typeof ReportRow>

/** The columns of the row, in the order of the file. */
export const REPORT_COLUMNS = keysOf(ReportRow.shape)

export const TransactionReportAnswer = z.strictObject({
  transactions: z.array(ReportRow),
  ...CURSOR_ANSWER,
  queried_at: Timestamp,
})
