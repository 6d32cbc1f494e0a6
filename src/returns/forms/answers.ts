import * as z from 'zod'
import { Amount, Timestamp } from '../../platform/http/answers.ts'
import { LOCAL_TYPES } from '../../engine/regimes/us-local/local-book.ts'
import { FilingType } from './queries.ts'
import { FilingAmendment, FilingBox, FilingCorrection, FilingSupply } from '../rows/figure-answers.ts'

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
  code: z
    .string()
    .nullable()
    .describe("The code in the state's files, or the FIPS code. Null: it is not in the data"),
  office_code: z
    .string()
    .nullable()
    .optional()
    .describe(
      "The code of the place on the office's form. Null: it is not in the data, which does not " +
        'mean that the ' +
        'place has none. Returns that were filed by earlier releases lack it',
    ),
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

/** What a return declares of one state, with the corrections of earlier periods there. */
export const FilingStateTotals = z.strictObject({
  jurisdiction_id: z.string(),
  currency: z.string(),
  taxable_amount: Amount,
  tax_amount: Amount,
  corrections_tax_amount: Amount,
  tax_due: Amount.describe('Never negative: what a state owes back is not set off against another one'),
})
export type FilingStateTotals = z.output<typeof FilingStateTotals>

/** An exchange rate that the return used: units of `currency` for one unit of the return's currency. */
export const UsedExchangeRate = z.strictObject({
  currency: z.string(),
  period: z.string().describe('The period, the month or the day whose sales the rate converts'),
  rate: z.number(),
  source: z
    .string()
    .describe(
      'The publisher of the rate, `request`, or `filed_return`: the rate with which the sale was filed',
    ),
  rate_day: z.iso
    .date()
    .nullable()
    .describe(
      'The day for which it was published, or the first day of its month. Null: it was not published',
    ),
})

/**
 * The published rates of one currency that a return used, if its law takes the rate of the day of the sale:
 * units of `currency` for one unit of the return's currency, by the day of publication.
 */
export const DailyExchangeRates = z.strictObject({
  currency: z.string(),
  source: z.string().describe('The publisher of the rates'),
  days: z.int().describe('The number of days whose rates were used'),
  rates: z
    .record(z.iso.date(), z.number())
    .describe('By day, the newest 400. Figures use the exact quotient of the published rates'),
})

/** Sales in a currency for which the return has no rate. */
export const UnconvertedSales = z.strictObject({
  currency: z.string(),
  net_amount: Amount.describe('The price of the sales without tax, taxable or not'),
  taxable_amount: Amount,
  tax_amount: Amount.describe('The tax that this return would declare, without the tax of other places'),
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

/** A filed return of some of the same days. */
export const OverlappingReturn = z.strictObject({
  return_id: z.string(),
  period: z.string(),
  jurisdiction_id: z.string().nullable(),
})

/** What a state lets a seller keep of its tax if the return is filed and paid on time. */
export const VendorCompensation = z.strictObject({
  jurisdiction_id: z.string(),
  status: z.enum(['computed', 'not_on_file']).describe('`not_on_file`: the state may have one'),
  amount: Amount.nullable().describe('Not taken off in `totals`'),
  conditions: z.string().nullable(),
  source: z.string().nullable(),
  source_url: z.string().nullable(),
  verified_at: z.iso.date().nullable().describe('Null: the source was not read'),
  confidence: z.string().nullable(),
})

/** Amounts of boxes that sales do not determine, in minor units. */
export const FilingInputs = z.strictObject({ boxes: z.record(z.string(), Amount) })

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
  corrections: z
    .array(FilingCorrection)
    .describe('Late entries of filed periods that this return declares. The boxes of a form contain them'),
  amendments: z
    .array(FilingAmendment)
    .describe(
      'Late entries of filed periods that are not on this return, its boxes or `tax_due`: the tax office ' +
        'wants the return of their period corrected. Reopen it and file it again',
    ),
  expired_corrections: z
    .array(FilingCorrection)
    .describe('Corrections that this return no longer takes. Report them to the member state itself'),
  totals: FilingTotals.nullable(),
  state_totals: z
    .array(FilingStateTotals)
    .describe(
      'The sums of `supplies` and `corrections` by state, which add up to `totals`. Forms of boxes have none',
    ),
  exchange_rates: z.array(UsedExchangeRate),
  daily_exchange_rates: z
    .array(DailyExchangeRates)
    .describe('The rates of a return that converts each sale by the day'),
  unconverted: z.array(UnconvertedSales),
  vendor_compensation: z
    .array(VendorCompensation)
    .describe('For `us_state`: of each state. It has no prepayments and no tax that was collected in excess'),
  inputs: FilingInputs.describe('What the request gave. A filed return keeps it'),
  notes: z.array(z.string()),
  time_zone: z
    .string()
    .nullable()
    .describe('The zone in which its days are days. Null: filed by an earlier release'),
  overlaps_filed: z
    .array(OverlappingReturn)
    .describe('Filed returns of some of these days under another period or jurisdiction; at most 100'),
  filed: FiledAs.nullable().describe('Not null: these are the figures of a filed return'),
  queried_at: Timestamp,
})
