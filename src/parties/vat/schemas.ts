import * as z from 'zod'
import { Timestamp } from '../../platform/http/answers.ts'
import { Country, text } from '../../platform/http/fields.ts'
import { VALIDATION_STATUSES } from '../../platform/database/values/vat-statuses.ts'

const VatId = text(40).min(2, 'must have at least 2 characters')
const COUNTRY = 'The country that issued an id without a prefix'

export const ValidateVatIdRequest = z.strictObject({
  vat_id: VatId,
  country: Country.nullish().describe(COUNTRY),
  requester_vat_id: VatId.nullish().describe(
    'Your own VAT id: the authority then gives a consultation number',
  ),
})

export const VatFormatQuery = z.strictObject({
  vat_id: VatId.describe('With or without its prefix; spaces, dots and hyphens do not count'),
  country: Country.optional().describe(COUNTRY),
})

export const ValidationStatus = z.enum(VALIDATION_STATUSES)

const VALIDATION = {
  vat_id: z.string(),
  country_code: z.string(),
  vat_number: z.string(),
  status: ValidationStatus.describe('An outage of the authority is unavailable, never invalid'),
  valid: z.boolean().nullable(),
  format_valid: z.boolean(),
  company_name: z.string().nullable(),
  company_address: z.string().nullable(),
  consultation_number: z
    .string()
    .nullable()
    .describe('The proof of the inquiry: comes when the requester is one that the same authority knows'),
  source: z.string().nullable(),
  reason: z
    .string()
    .nullable()
    .describe('Why there is no answer, in the word of the authority, or why no call was needed'),
  cached: z.boolean(),
  checked_at: Timestamp,
}

/** The answer about a VAT id. `valid` is null if there is no answer of the authority. */
export const VatValidation = z.strictObject(VALIDATION)
export type Validation = z.output<typeof VatValidation>

export const ValidateVatIdAnswer = z.strictObject({ ...VALIDATION, queried_at: Timestamp })

const FormatOnly = z
  .boolean()
  .describe('The country publishes no check digits, so nothing but the form of an id is looked at')

export const VatFormatAnswer = z.strictObject({
  vat_id: z.string(),
  country_code: z.string(),
  format_valid: z.boolean(),
  checksum_valid: z.boolean().describe('Also true of a right form if the country publishes no check digits'),
  format_only: FormatOnly,
  shows_business: z
    .boolean()
    .describe('Whether such an id shows a business in its country: not a number that everybody has'),
  expected_format: z.string().nullable(),
  example: z.string().nullable(),
  queried_at: Timestamp,
})

export const VatCountry = z.strictObject({
  country_code: z.string(),
  vat_prefix: z.string(),
  name: z.string(),
  expected_format: z.string(),
  example: z.string(),
  online_validation: z.boolean(),
  format_only: FormatOnly,
  shows_business: z
    .boolean()
    .describe('False: consumers have such a number too, so it does not show a business'),
  source: z.string(),
})

export const VatCountriesAnswer = z.strictObject({
  countries: z.array(VatCountry),
  total: z.int(),
  queried_at: Timestamp,
})
