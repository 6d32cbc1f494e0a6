import type { Principal } from '../../platform/context.ts'
import { heldOn } from './established-on.ts'

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
 * neither a country nor a registration, there is nothing to compare, so both are its own.
 */
export function isOtherSeller(account: StoredSeller, given: StatedSeller, day: string): boolean {
  if (given.reference?.trim()) return true
  const number = given.vat_id ?? ''
  if (/[A-Z0-9]/i.test(number) && !hasVatId(account, number)) return true
  const { seller, registrations, establishments, vat_id } = account
  if (seller === null && registrations.length === 0) return false
  const countries = heldOn(establishments, day).map(({ country }) => country)
  const is_here = seller === null || seller.country === given.country || countries.includes(given.country)
  // Whatever their days: a registration is often stored after the first sale.
  const held = new Set(registrations.map(({ id }) => id))
  // Who stores a number or a registration elsewhere is registered at home too, and often leaves that out.
  if (seller !== null && (vat_id !== null || held.size > 0)) held.add(seller.country)
  return !is_here || (given.registrations ?? []).some((id) => !held.has(id))
}

function hasVatId({ vat_id, registrations }: StoredSeller, given: string): boolean {
  const numbers = [vat_id, ...registrations.map(({ number }) => number)].flatMap((each) => each ?? [])
  const stored = new Set(numbers.flatMap(formsOf))
  return formsOf(given).some((form) => stored.has(form))
}

/** A number without separators, as it is written and without the letters of its country. */
function formsOf(number: string): string[] {
  const plain = number.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return [plain, plain.replace(/^[A-Z]{2}/, '')]
}
