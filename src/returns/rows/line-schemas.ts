import * as z from 'zod'
import { Amount, Timestamp } from '../../platform/http/answers.ts'
import { CURSOR_ANSWER } from '../../platform/http/page.ts'
import { keysOf } from '../../platform/kit/keys-of.ts'
import { SoldKind } from './sold-kind.ts'

/** A sold line, or what a refund gave back. */
export const LineEntryKind = z.enum(['sale', 'refund'])

/** The place of a line in lists: its date and id. */
export const LINE_CURSOR = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z~(txn|rfd)_[0-9a-z]{26}(\/\d{1,6}){1,2}$/

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
