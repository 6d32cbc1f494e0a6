import * as z from 'zod'
import { OWN_TAX_TYPES, type OwnRate as HeldOwnRate } from '../../engine/sale/sale.ts'
import { Timestamp } from '../../platform/http/answers.ts'
import { CalendarDate, RateFraction, text } from '../../platform/http/fields.ts'
import { PAGE_ANSWER, pageFields } from '../../platform/http/page.ts'
import { ProductTypeId, TaxType } from '../../platform/http/tax-enums.ts'

export type { HeldOwnRate }
/** The own rates of one place as the account keeps them. */
export type HeldOwnRates = {
  jurisdiction_id: string
  rates: HeldOwnRate[]
  updated_at: string
  /** They replace what the data has, until this day. */
  until?: string
}

const OwnTaxType = z.enum(OWN_TAX_TYPES)
const OF_PRODUCT = 'The product that it is for. Null: all products without a rate of their own'

/** A rate that the account says itself. */
export const OwnRateRequest = z
  .strictObject({
    product_type: ProductTypeId.nullish().describe(OF_PRODUCT),
    tax_type: OwnTaxType.optional().describe(
      'Left out: `VAT`. With `replaces`, leave it out: it is the tax of the place',
    ),
    rate: RateFraction.describe('A fraction: 0.17 is 17 %'),
    valid_from: CalendarDate.describe('The first day'),
    valid_to: CalendarDate.nullish().describe('The last day; null: no end'),
    source: text(120).nullish().describe('Where you have it from. It is the basis in each answer'),
  })
  .refine(({ valid_from, valid_to }) => !valid_to || valid_from <= valid_to, {
    path: ['valid_to'],
    message: 'must not be before valid_from',
  })

export const OwnRatesRequest = z.strictObject({
  rates: z
    .array(OwnRateRequest)
    .min(1, 'must not be empty')
    .max(20, 'must contain at most 20 rates')
    .describe('All own rates of the place. Two for one product share no day'),
  replaces: z
    .boolean()
    .optional()
    .describe(
      'The data has the tax of the place, and these rates replace it for your account until `until`. Each ' +
        'line has a note that says so',
    ),
  until: CalendarDate.optional().describe(
    'With `replaces`: the last day of a sale that has them, at most 90 days from today',
  ),
})
export type OwnRatesBody = z.output<typeof OwnRatesRequest>

export const OwnRatesQuery = z.strictObject(pageFields(100))

export const OwnRate = z.strictObject({
  product_type: z.string().nullable().describe(OF_PRODUCT),
  tax_type: TaxType,
  rate: z.number(),
  valid_from: z.iso.date(),
  valid_to: z.iso.date().nullable(),
  source: z.string().nullable(),
})

const OWN_RATES = {
  jurisdiction_id: z.string(),
  jurisdiction_name: z.string(),
  rates: z.array(OwnRate),
  replaces: z.boolean().describe('They replace what the data has'),
  until: z.iso
    .date()
    .nullable()
    .describe('The last day of what replaces the data; null: it replaces nothing'),
  updated_at: Timestamp,
}

/** The own rates of the account for one place: for what the data does not cover, or in place of it. */
export const OwnRates = z.strictObject(OWN_RATES)

export const OwnRatesOfPlace = z.strictObject({ ...OWN_RATES, queried_at: Timestamp })

export const OwnRatesAnswer = z.strictObject({
  own_rates: z.array(OwnRates),
  ...PAGE_ANSWER,
  queried_at: Timestamp,
})
