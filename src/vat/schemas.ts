import * as z from 'zod'
import { CustomerFields } from '../customers/schemas.ts'
import { Country, text } from '../http/fields.ts'

const Timestamp = z.iso.datetime()
const VatId = text(40).min(2, 'must have at least 2 characters')

export const ValidateRequest = z.strictObject({
  vat_id: VatId,
  country: Country.nullish(),
  requester_vat_id: VatId.nullish(),
})
export const FormatQuery = z.strictObject({ vat_id: VatId, country: Country.optional() })

const Validation = {
  vat_id: z.string(),
  country_code: z.string(),
  vat_number: z.string(),
  status: z
    .enum(['valid', 'invalid', 'unavailable'])
    .describe('An outage of the authority is unavailable, never invalid'),
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

export const ValidationAnswer = z.strictObject({ ...Validation, queried_at: Timestamp })
export const CustomerValidationAnswer = z.strictObject({
  customer: z.strictObject(CustomerFields),
  validation: z.strictObject(Validation),
  queried_at: Timestamp,
})
export const FormatAnswer = z.strictObject({
  vat_id: z.string(),
  country_code: z.string(),
  format_valid: z.boolean(),
  checksum_valid: z.boolean(),
  expected_format: z.string().nullable(),
  example: z.string().nullable(),
  queried_at: Timestamp,
})
export const VatCountriesAnswer = z.strictObject({
  countries: z.array(
    z.strictObject({
      country_code: z.string(),
      vat_prefix: z.string(),
      name: z.string(),
      expected_format: z.string(),
      example: z.string(),
      online_validation: z.boolean(),
      source: z.string(),
    }),
  ),
  total: z.int(),
  queried_at: Timestamp,
})
