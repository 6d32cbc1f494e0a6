import * as z from 'zod'
import { Country, text } from '../../platform/http/fields.ts'
import { DecimalNumber } from './amounts.ts'

/** An empty text means that the field is not given. */
const orNothing = (value: string): string | null => (value.trim() === '' ? null : value.trim())

/** A text that may be empty or missing. */
export const Words = (max: number) => text(max).transform(orNothing).nullish()

/** A part of an address. WooCommerce sends `false` for one that is not given. */
const Part = (max: number) =>
  z
    .union([z.literal(false).transform(() => null), text(max).transform(orNothing)], {
      error: ({ input }) => (typeof input === 'number' ? IN_QUOTES : undefined),
    })
    .nullish()

const IN_QUOTES = 'must be a text in quotes: a number loses the leading zero of "02134"'

/** An id: shops send texts and numbers. It becomes a text. */
const Id = z
  .union([text(255), z.number()])
  .transform((id) => orNothing(String(id)))
  .nullish()

export const CountryCode = z
  .union([z.literal(''), Country])
  .transform((code) => (code === '' ? null : code))
  .nullish()

/** What makes an order exempt, and two words that say that it is not. */
export const EXEMPTIONS = ['wholesale', 'government', 'other', 'marketplace', 'non_exempt'] as const
const ExemptionName = z
  .union([z.literal(''), z.enum(EXEMPTIONS, `must be one of ${EXEMPTIONS.join(', ')}`)])
  .transform((name) => (name === '' ? null : name))
  .nullish()

export const FROM = {
  from_country: CountryCode,
  from_zip: Part(20),
  from_state: Part(100),
  from_city: Part(200),
  from_street: Part(300),
}

export const TO = {
  to_country: CountryCode,
  to_zip: Part(20),
  to_state: Part(100),
  to_city: Part(200),
  to_street: Part(300),
}

/** An address of which all may be missing. */
export const ADDRESS = {
  country: CountryCode,
  state: Part(100),
  zip: Part(20),
  city: Part(200),
  street: Part(300),
}

const NexusAddress = z.object(ADDRESS)

const TaxesLine = z.object({
  id: Id,
  quantity: DecimalNumber.nullish(),
  product_tax_code: Id,
  unit_price: DecimalNumber.nullish(),
  discount: DecimalNumber.nullish(),
})

const LINES_MAX = 500

export const TaxesRequest = z.object({
  ...FROM,
  ...TO,
  amount: DecimalNumber.nullish(),
  shipping: DecimalNumber,
  customer_id: Id,
  exemption_type: ExemptionName,
  nexus_addresses: z.array(NexusAddress).max(LINES_MAX, 'must contain at most 500 addresses').nullish(),
  line_items: z.array(TaxesLine).max(LINES_MAX, 'must contain at most 500 lines').nullish(),
})
export type TaxesBody = z.output<typeof TaxesRequest>

const DocumentLine = z.object({
  id: Id,
  quantity: DecimalNumber.nullish(),
  product_identifier: Id,
  description: Words(1000),
  product_tax_code: Id,
  unit_price: DecimalNumber.nullish(),
  discount: DecimalNumber.nullish(),
  sales_tax: DecimalNumber.nullish(),
})

/** An order or a refund. An update may leave out all fields. */
export const DocumentRequest = z.object({
  transaction_id: Id,
  transaction_reference_id: Id,
  transaction_date: Words(40),
  provider: Words(60),
  ...FROM,
  ...TO,
  amount: DecimalNumber.nullish(),
  shipping: DecimalNumber.nullish(),
  sales_tax: DecimalNumber.nullish(),
  customer_id: Id,
  exemption_type: ExemptionName,
  line_items: z.array(DocumentLine).max(LINES_MAX, 'must contain at most 500 lines').nullish(),
})
export type DocumentInput = z.output<typeof DocumentRequest>

export const ProviderQuery = z.object({
  provider: Words(60).describe('Where the document was first recorded. Left out: api'),
})
/** The body of a deletion: WooCommerce names the provider there, and the document again. */
export const DeleteRequest = z.object(ProviderQuery.shape)

export const DocumentsQuery = z.object({
  transaction_date: Words(40).describe('The day of the documents'),
  from_transaction_date: Words(40).describe('The first day'),
  to_transaction_date: Words(40).describe('The last day'),
  provider: Words(60).describe('Where the documents were first recorded. Left out: api'),
})

const ExemptRegion = z.object({ country: CountryCode, state: Words(100) })

export const CustomerRequest = z.object({
  customer_id: Id,
  exemption_type: ExemptionName,
  exempt_regions: z.array(ExemptRegion).max(70, 'must contain at most 70 regions').nullish(),
  name: Words(300),
  ...ADDRESS,
})
export type CustomerInput = z.output<typeof CustomerRequest>
