import * as z from 'zod'
import { Amount } from '../../platform/http/answers.ts'
import { SoldKind } from './sold-kind.ts'
import { RATE_TYPES } from './rate-types.ts'

/** A box of a form. `amount` is null if sales alone do not determine it, and the note says why. */
export const FilingBox = z.strictObject({
  box: z.string(),
  name: z.string(),
  amount: Amount.nullable(),
  note: z.string().nullable(),
  form_amount: z
    .int()
    .nullable()
    .describe('The amount in whole units of the currency, if the form takes no minor units'),
  transactions_url: z
    .string()
    .nullable()
    .describe('Lists the lines of the figure. Their `figure_amount` adds up to it'),
})
export type FilingBox = z.output<typeof FilingBox>

export const RateType = z.enum(RATE_TYPES)

/** The exempt sales of a state by reason. */
export const ExemptByReason = z.strictObject({
  resale: Amount,
  government: Amount,
  nonprofit: Amount,
  food: Amount,
  export: Amount,
  marketplace: Amount.optional().describe(
    'Sales on which a marketplace collects: states deduct them on a line of their own. Missing in returns ' +
      'that were filed by earlier releases',
  ),
  other: Amount,
})

/**
 * Supplies of one kind after refunds. Amounts are without tax, except `tax_amount`. The rate is a fraction.
 */
export const FilingSupply = z.strictObject({
  jurisdiction_id: z.string(),
  kind: SoldKind.nullable(),
  rate: z.number().nullable(),
  rate_type: RateType.nullable().describe('Null if no such rate was in force there in the period'),
  currency: z.string(),
  gross_sales: Amount,
  exempt_sales: Amount,
  uncollected_sales: Amount.describe('Sales that the seller would tax if it were registered there'),
  exempt_by_reason: ExemptByReason.nullable(),
  taxable_amount: Amount,
  tax_amount: Amount,
  tax_type: z
    .literal('RETAIL_DELIVERY_FEE')
    .optional()
    .describe('Only of a row of its own for fees, which have another return than the sales tax'),
  transactions_url: z.string(),
})
export type FilingSupply = z.output<typeof FilingSupply>

/** What this period changes of sales in an earlier period, such as refunds and late entries. */
export const FilingCorrection = z.strictObject({
  jurisdiction_id: z.string(),
  period: z.string(),
  currency: z.string(),
  taxable_amount: Amount,
  tax_amount: Amount,
  transactions_url: z.string(),
})
export type FilingCorrection = z.output<typeof FilingCorrection>

/** Late entries of a filed return that are not on this one: the office wants the old return corrected. */
export const FilingAmendment = z.strictObject({
  ...FilingCorrection.shape,
  transactions_url: z.string().nullable().describe('Null: of a filed return, which does not keep the lines'),
  notice: z.string().describe('The notice that the tax office needs'),
  source: z.string(),
  source_url: z.string().nullable(),
})
export type FilingAmendment = z.output<typeof FilingAmendment>
