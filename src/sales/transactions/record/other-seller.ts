import { memberStateOf, REGISTRATIONS_IN } from '../../../engine/regimes/eu-member-states.ts'
import { isScheme } from '../../../engine/ground/schemes.ts'
import type { Principal } from '../../../platform/context.ts'
import { readVatId } from '../../../parties/vat/vat-id.ts'
import { isOwnCountry } from '../../../parties/accounts/own-country.ts'

type StoredSeller = Pick<Principal, 'seller' | 'registrations' | 'establishments' | 'vat_id'>

/** A seller as the request of a sale states it. */
type StatedSeller = {
  country: string
  registrations?: readonly string[] | undefined
  vat_id?: string | null | undefined
  reference?: string | null | undefined
}

/**
 * Whether the seller of a recorded sale is another one than the account, on a day YYYY-MM-DD. It is if the
 * request gives it a reference; or if its country is neither that of the account nor that of an
 * establishment; or if the account lacks its VAT id or one of its registrations. If the account has stored
 * neither a country nor a registration, there is nothing to compare, so both are its own. A number without a
 * prefix is of the country that is stated with it.
 */
export function isOtherSeller(account: StoredSeller, given: StatedSeller, day: string): boolean {
  if (given.reference?.trim()) return true
  const number = given.vat_id ?? ''
  if (/[A-Z0-9]/i.test(number) && !hasVatId(account, number, given.country)) return true
  const { seller, registrations, vat_id } = account
  if (seller === null && registrations.length === 0) return false
  // Whatever their days: a registration is often stored after the first sale.
  const held = new Set(registrations.map(({ id }) => id))
  // Who stores a number or a registration elsewhere is registered at home too, and often leaves that out.
  if (seller !== null && (vat_id !== null || held.size > 0)) held.add(seller.country)
  return !isOwnCountry(account, given.country, day) || (given.registrations ?? []).some((id) => !held.has(id))
}

function hasVatId({ seller, vat_id, registrations }: StoredSeller, number: string, country: string): boolean {
  const home = seller?.country ?? country
  const stored = registrations.map(({ id, number: held }) =>
    nameOf(held, isScheme(id) ? home : id.slice(0, 2)),
  )
  return [nameOf(vat_id, home), ...stored].includes(nameOf(number, country))
}

/**
 * Equal for two spellings of one number. Without a prefix it is of `country`. One registration has the codes
 * GB and XI, and Monaco has the numbers of France.
 */
function nameOf(text: string | null, country: string): string | null {
  if (!text) return null
  const { country: issuer, number, scheme_number } = readVatId(text, country)
  if (scheme_number) return number
  const code = REGISTRATIONS_IN[issuer]?.at(-1) ?? memberStateOf(issuer)
  return `${code} ${number}`
}
