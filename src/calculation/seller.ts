import type * as z from 'zod'
import type { Context } from '../context.ts'
import type { KnownCustomer } from '../customers/known-customers.ts'
import { fieldError } from '../errors.ts'
import { COUNTRIES } from '../http/iso-codes.ts'
import type { RateBook } from '../tax/rate-book.ts'
import { isScheme, type Seller, type VatId } from '../tax/sale.ts'
import type { VatIdStatus } from '../vat/statuses.ts'
import { readVatId } from '../vat/vat-id.ts'
import type { SellerRequest } from './schemas.ts'

/**
 * The seller of the request, completed by the account's profile and the registrations that it holds on the
 * day.
 */
export function sellerOf(
  context: Context,
  given: z.output<typeof SellerRequest> | undefined,
  day: string,
): Seller {
  const { principal } = context
  const own = principal.registrations
    .filter((held) => held.valid_from <= day && (held.valid_to === null || day <= held.valid_to))
    .map((held) => held.id)
  const address = given ?? principal.seller
  const known = given !== undefined || principal.seller !== null || principal.registrations.length > 0
  return {
    address:
      address === null
        ? null
        : { country: address.country, region: address.region, postal_code: address.postal_code },
    registrations: given?.registrations ?? (known ? own : null),
    over_eu_threshold: given?.over_eu_threshold ?? false,
  }
}

/**
 * Throws unknown_jurisdiction: a registration that is misspelt would pass for one that is missing, and no tax
 * be collected. One of a country that the data does not cover is none.
 */
export function refuseUnknownRegistrations(
  book: RateBook,
  given: z.output<typeof SellerRequest> | undefined,
): void {
  given?.registrations?.forEach((id, index) => {
    if (!book.jurisdictions.has(id) && !isScheme(id) && !COUNTRIES.has(id))
      throw fieldError(
        'unknown_jurisdiction',
        `seller.registrations[${index}]`,
        `${JSON.stringify(id)} is not known`,
      )
  })
}

type GivenCustomer = { vat_id?: string | null | undefined; vat_id_validated?: boolean | null | undefined }

/**
 * The VAT id of the request, else the one on file with what the authority said of it. `country` issues one
 * without a prefix.
 */
export function customerVatIdOf(
  context: Context,
  given: GivenCustomer | undefined,
  known: KnownCustomer | null,
  country: string,
): { status: VatIdStatus; vat_id: VatId | null } {
  if (given?.vat_id || known === null)
    return vatIdOf(context, given?.vat_id, given?.vat_id_validated, country)
  return vatIdOf(
    context,
    known.vat_id,
    given?.vat_id_validated ?? known.vat_id_validated,
    known.address?.country ?? country,
  )
}

/**
 * What may be relied on of a VAT id. The caller's own check wins; an account may ask for nothing less than a
 * valid answer.
 */
function vatIdOf(
  context: Context,
  vat_id: string | null | undefined,
  validated: boolean | null | undefined,
  country: string,
): { status: VatIdStatus; vat_id: VatId | null } {
  if (!vat_id) return { status: 'none', vat_id: null }
  const read = readVatId(vat_id, country)
  if (read.scheme_number) return { status: 'not_a_customer_id', vat_id: null }
  if (validated === true)
    return { status: 'valid', vat_id: { country: read.country, good: true, invalid: false } }
  if (validated === false)
    return { status: 'invalid', vat_id: { country: read.country, good: false, invalid: true } }
  const good = read.format_valid && context.principal.vat_id_policy === 'format'
  return {
    status: read.format_valid ? 'format_valid' : 'format_invalid',
    vat_id: { country: read.country, good, invalid: !read.format_valid },
  }
}
