import * as z from 'zod'
import { Address } from '../addresses/schemas.ts'
import { Exemption } from '../exemptions/schemas.ts'
import { Timestamp } from '../../platform/http/answers.ts'
import { AddressRequest, ExternalId, text } from '../../platform/http/fields.ts'
import { hasFewKeys, hasNoPrototypeKey } from './metadata-rules.ts'
import { VatScheme } from '../../platform/http/tax-enums.ts'
import { VatValidation } from '../vat/schemas.ts'
import { cursorField, PAGE_ANSWER, pageFields } from '../../platform/http/page.ts'

/** Stored as given, so that the same text finds it. Only the form is checked, not whether mail arrives. */
// Python and others cannot read `\p`, so the pattern of the OpenAPI document does without.
const Email = text(254)
  .regex(/^[^@\s]+@[^@\s]+$/, { error: 'must be an e-mail address', abort: true })
  .refine((email) => !/[\p{Cc}\p{Cf}]/u.test(email), 'must be an e-mail address')

const VatId = text(40)
  .trim()
  .min(1, 'must not be empty')
  .describe('Kept as given; its format is not checked here but where it decides tax')

export const Metadata = z
  .unknown()
  .refine(hasNoPrototypeKey, 'must not have a key __proto__')
  .refine(hasFewKeys, 'must have at most 50 keys')
  .pipe(
    z.record(text(40).min(1), text(500), {
      error: ({ code }) => (code === 'invalid_key' ? 'is not a key of 1 to 40 characters' : undefined),
    }),
  )
  .meta({ type: 'object', maxProperties: 50, additionalProperties: { type: 'string', maxLength: 500 } })

export const CustomerRequest = z.strictObject({
  external_id: ExternalId.nullish().describe('Your own reference, unique in the account'),
  email: Email.nullish(),
  name: text(300).min(1, 'must not be empty').nullish(),
  address: AddressRequest.nullish().describe('Replaces the whole address'),
  vat_id: VatId.nullish(),
  vat_scheme: VatScheme.nullish().describe(
    'Sales to it have the second tax of the scheme. Only with an address in the country of the scheme',
  ),
  metadata: Metadata.nullish().describe('Up to 50 keys of your own'),
})
export type CustomerBody = z.output<typeof CustomerRequest>

export const CustomersQuery = z.strictObject({
  ...pageFields(100),
  email: text(254).optional().describe('Exactly as stored'),
  q: text(100)
    .trim()
    .min(1, 'must not be empty')
    .optional()
    .describe(
      'Only customers with a word of the name, an e-mail or its domain that begins with this text, in any ' +
        'case and without accents, or a VAT id, with or without its prefix, or an `external_id` that ' +
        'begins with it as it is written, or the `id` that it is',
    ),
  cursor: cursorField(/^cust_[0-9a-z]{26}$/),
})
export type CustomerFilter = z.output<typeof CustomersQuery>

const CUSTOMER = {
  id: z.string(),
  external_id: z.string().nullable(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  address: Address.nullable(),
  vat_id: z.string().nullable(),
  vat_id_validated: z.boolean(),
  vat_id_validated_at: Timestamp.nullable(),
  vat_id_company_name: z.string().nullable(),
  vat_scheme: VatScheme.nullable(),
  metadata: z.record(z.string(), z.string()),
  exemptions: z.array(Exemption),
  created_at: Timestamp,
  updated_at: Timestamp,
}

/** A customer as the API shows it: 2.1 of the specification. */
export const Customer = z.strictObject(CUSTOMER)

export const CustomerAnswer = z.strictObject({ ...CUSTOMER, queried_at: Timestamp })

export const CustomersAnswer = z.strictObject({
  customers: z.array(Customer),
  ...PAGE_ANSWER,
  search_complete: z
    .boolean()
    .optional()
    .describe(
      'Only with `q`: false if more customers match than a search looks at, or if more than 10,000 have ' +
        'names of over four words',
    ),
  next_cursor: z.string().nullable(),
  queried_at: Timestamp,
})

export const CustomerValidationAnswer = z.strictObject({
  customer: Customer,
  validation: VatValidation,
  queried_at: Timestamp,
})
