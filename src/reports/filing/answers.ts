import * as z from 'zod'
import { Amount, Timestamp } from '../../http/answers.ts'
import { RATE_TYPES } from './rate-types.ts'
import { LOCAL_TYPES } from '../../tax/regimes/us-local/local-book.ts'
import { FilingType, SoldKind } from '../schemas.ts'

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

export const RateType = z.enum(RATE_TYPES)

/** The exempt sales of a state by reason. */
export const ExemptByReason = z.strictObject({
  resale: Amount,
  government: Amount,
  nonprofit: Amount,
  food: Amount,
  export: Amount,
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
  transactions_url: z.string(),
})

/** What this period changes of sales in an earlier period, such as refunds and late entries. */
export const FilingCorrection = z.strictObject({
  jurisdiction_id: z.string(),
  period: z.string(),
  currency: z.string(),
  taxable_amount: Amount,
  tax_amount: Amount,
  transactions_url: z.string(),
})

const TAX_LEVELS = ['state', ...LOCAL_TYPES, 'not_split'] as const

/**
 * The tax of one jurisdiction with one rate, in the currency of the sales, after refunds. Those of a state
 * add up to its tax.
 */
export const FilingTax = z.strictObject({
  jurisdiction_id: z.string(),
  state: z.string(),
  level: z
    .enum(TAX_LEVELS)
    .describe('`not_split`: the tax was given with the sale, and differs from the calculated tax'),
  name: z.string(),
  code: z.string().nullable().describe("The code in the state's files, or the FIPS code. Null: it has none"),
  tax_type: z.string().nullable(),
  levied_as: z.string().nullable().describe('The tax that stands instead of sales tax'),
  rate: z.number().nullable(),
  currency: z.string(),
  taxable_amount: Amount,
  tax_amount: Amount,
  transactions_url: z.string(),
})
export type FilingTax = z.output<typeof FilingTax>

export const FilingTotals = z.strictObject({
  taxable_amount: Amount,
  tax_amount: Amount,
  corrections_tax_amount: Amount,
  tax_due: Amount,
})

/** An exchange rate that the return used: units of `currency` for one unit of the return's currency. */
export const UsedExchangeRate = z.strictObject({
  currency: z.string(),
  period: z.string().describe('The period, the month or the day whose sales the rate converts'),
  rate: z.number(),
  source: z.string().describe('Who published the rate, or `request`'),
  rate_day: z.iso
    .date()
    .nullable()
    .describe('The day for which it was published, or the first day of its month. Null: from the request'),
})

/**
 * The published rates of one currency that a return used, if its law takes the rate of the day of the sale:
 * units of `currency` for one unit of the return's currency, by the day of publication.
 */
export const DailyExchangeRates = z.strictObject({
  currency: z.string(),
  source: z.string().describe('Who published the rates'),
  days: z.int().describe('The number of days whose rates were used'),
  rates: z
    .record(z.iso.date(), z.number())
    .describe('By day, the newest 400. Figures use the exact quotient of the published rates'),
})

/** Sales in a currency for which the return has no rate. */
export const UnconvertedSales = z.strictObject({
  currency: z.string(),
  taxable_amount: Amount,
  tax_amount: Amount,
  message: z.string(),
})

/** Who files: the account's profile, and its registrations of the period with their numbers. */
export const FilingSeller = z.strictObject({
  name: z.string(),
  country: z.string().nullable(),
  vat_id: z.string().nullable(),
  registrations: z.array(
    z.strictObject({
      id: z.string().describe('A jurisdiction or a scheme'),
      registration_number: z.string().nullable(),
    }),
  ),
})

/** Which version of a filed return the figures are from. */
export const FiledAs = z.strictObject({ return_id: z.string(), version: z.int(), filed_at: Timestamp })

export const FilingAnswer = z.strictObject({
  type: FilingType,
  period: z.string(),
  from_date: z.iso.date(),
  to_date: z.iso.date(),
  currency: z.string().nullable(),
  jurisdiction_id: z.string().nullable(),
  seller: FilingSeller,
  period_ended: z.boolean(),
  nil_return: z.boolean().describe('The period has ended, and nothing is to be declared'),
  boxes: z.array(FilingBox),
  supplies: z.array(FilingSupply),
  jurisdiction_taxes: z
    .array(FilingTax)
    .nullable()
    .describe(
      'For `us_state`: the tax of each state, county, city and district, corrections included. ' +
        'Null: there are more than 100,000 sales',
    ),
  corrections: z.array(FilingCorrection),
  expired_corrections: z
    .array(FilingCorrection)
    .describe('Corrections that this return no longer takes: tell them to the member state itself'),
  totals: FilingTotals.nullable(),
  exchange_rates: z.array(UsedExchangeRate),
  daily_exchange_rates: z
    .array(DailyExchangeRates)
    .describe('The rates of a return that converts each sale by the day'),
  unconverted: z.array(UnconvertedSales),
  notes: z.array(z.string()),
  filed: FiledAs.nullable().describe('Not null: these are the figures of a filed return'),
  queried_at: Timestamp,
})
