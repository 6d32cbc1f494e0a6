import type { Context } from '../../platform/context.ts'
import type { VatId } from '../../engine/sale/sale.ts'
import { isFormOnly } from '../vat/check-digits.ts'
import { readVatId, type ReadVatId, showsBusiness } from '../vat/vat-id.ts'
import type { VatIdStatus } from '../../platform/database/values/vat-statuses.ts'
import type { KnownCustomer } from './known-customers.ts'

type Policy = { principal: Pick<Context['principal'], 'vat_id_policy'> }
type GivenCustomer = { vat_id?: string | null | undefined; vat_id_validated?: boolean | null | undefined }

/**
 * The VAT id of a customer: the one of the request, else the one on file with the answer of the authority.
 * `country` is the issuer of an id without a prefix.
 */
export function customerVatIdOf(
  context: Policy,
  given: GivenCustomer | null | undefined,
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
 * The status of a VAT id, and the id as sales use it. `validated` decides: the caller's own check, or the
 * answer of the authority. Without it, a valid form is enough if the account's `vat_id_policy` is `format`.
 */
function vatIdOf(
  context: Policy,
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
    vat_id: { country: read.country, good, invalid: !read.format_valid, ...worthOf(read) },
  }
}

/** What a right form is worth, if it is worth less than an id with check digits. */
function worthOf({ country, number, format_valid }: ReadVatId): Pick<VatId, 'worth'> {
  if (!format_valid) return {}
  if (!showsBusiness(country, number)) return { worth: 'nothing' }
  return isFormOnly(country, number) ? { worth: 'form' } : {}
}

/** What to do about an id that the account takes only with an answer of its authority; none: it has one. */
export function noteOnVatId({ principal }: Policy, status: VatIdStatus): string[] {
  if (status !== 'format_valid' || principal.vat_id_policy !== 'validated') return []
  return [
    'The authority has not confirmed the VAT id, because it was not asked or did not answer. Under ' +
      'the vat_id_policy of the account, the customer counts as a consumer until it does. Ask it by ' +
      'POST /v1/vat/validate, or send vat_id_validated',
  ]
}
