import * as z from 'zod'
import { text } from '../http/fields.ts'

/** As people type it: codes in any case, or the names of countries and regions. */
const Address = z.strictObject({
  country: text(100).min(1, 'must not be empty'),
  region: text(100).nullish(),
  city: text(200).nullish(),
  postal_code: text(20).nullish(),
  line1: text(300).nullish(),
  line2: text(300).nullish(),
})
export type AddressBody = z.output<typeof Address>

export const ValidateAddressRequest = z.strictObject({ address: Address })

const FieldName = z.enum(['country', 'region', 'city', 'postal_code', 'line1', 'line2'])

export const AddressAnswer = z.strictObject({
  valid: z.boolean(),
  address: z.strictObject({
    country: z.string(),
    region: z.string().nullable(),
    city: z.string().nullable(),
    postal_code: z.string().nullable(),
    line1: z.string().nullable(),
    line2: z.string().nullable(),
  }),
  jurisdiction_id: z
    .string()
    .nullable()
    .describe('Null where the address is not valid, or no tax data covers it'),
  special_territory: z
    .strictObject({ id: z.string(), name: z.string(), treatment: z.string().nullable() })
    .nullable(),
  changes: z.array(
    z.strictObject({ field: FieldName, from: z.string().nullable(), to: z.string().nullable() }),
  ),
  issues: z.array(z.strictObject({ field: FieldName, code: z.string(), message: z.string() })),
  checked: z.string().describe('What was looked at, and what was not'),
  queried_at: z.iso.datetime(),
})

export const CountriesAnswer = z.strictObject({
  countries: z.array(
    z.strictObject({
      code: z.string(),
      name: z.string(),
      tax_supported: z.boolean(),
      has_regions: z.boolean(),
      has_postal_codes: z.boolean(),
    }),
  ),
  total: z.int(),
  queried_at: z.iso.datetime(),
})

export const RegionsAnswer = z.strictObject({
  country: z.string(),
  regions: z.array(z.strictObject({ id: z.string(), code: z.string(), name: z.string(), type: z.string() })),
  total: z.int(),
  queried_at: z.iso.datetime(),
})
