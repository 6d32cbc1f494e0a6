import * as z from 'zod'
import { Timestamp } from '../../platform/http/answers.ts'
import { text } from '../../platform/http/fields.ts'

/** As people type it: codes in any case, or the names of countries and regions. */
export const UncheckedAddressRequest = z.strictObject({
  country: text(100).min(1, 'must not be empty').describe('Its code in any case, or its English name'),
  region: text(100).nullish(),
  city: text(200).nullish(),
  postal_code: text(20).nullish(),
  line1: text(300).nullish(),
  line2: text(300).nullish(),
})
export type AddressBody = z.output<typeof UncheckedAddressRequest>

export const ValidateAddressRequest = z.strictObject({ address: UncheckedAddressRequest })

/** An address in an answer: each field is there, and null if it is not known. */
export const Address = z.strictObject({
  country: z.string(),
  region: z.string().nullable(),
  city: z.string().nullable(),
  postal_code: z.string().nullable(),
  line1: z.string().nullable(),
  line2: z.string().nullable(),
})

export const AddressField = Address.keyof()

export const SpecialTerritory = z.strictObject({
  id: z.string(),
  name: z.string(),
  treatment: z.string().nullable(),
})

export const AddressChange = z.strictObject({
  field: AddressField,
  from: z.string().nullable(),
  to: z.string().nullable(),
})

export const AddressIssue = z.strictObject({ field: AddressField, code: z.string(), message: z.string() })

export const ValidateAddressAnswer = z.strictObject({
  valid: z.boolean(),
  address: Address,
  jurisdiction_id: z
    .string()
    .nullable()
    .describe('Null where the address is not valid, or no tax data covers it'),
  special_territory: SpecialTerritory.nullable(),
  changes: z.array(AddressChange),
  issues: z.array(AddressIssue),
  checked: z.string().describe('What was looked at, and what was not'),
  queried_at: Timestamp,
})

export const Country = z.strictObject({
  code: z.string(),
  name: z.string(),
  tax_supported: z.boolean(),
  has_regions: z.boolean(),
  has_postal_codes: z.boolean(),
})

export const CountriesAnswer = z.strictObject({
  countries: z.array(Country),
  total: z.int(),
  queried_at: Timestamp,
})

export const CountryRegion = z.strictObject({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  type: z.string(),
})

export const RegionsAnswer = z.strictObject({
  country: z.string(),
  regions: z.array(CountryRegion),
  total: z.int(),
  queried_at: Timestamp,
})
