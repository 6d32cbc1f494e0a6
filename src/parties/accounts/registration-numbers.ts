import type { SellerNumber } from '../../engine/ground/invoice-details.ts'
import { numberInTerritory } from '../../engine/regimes/gb-territory.ts'
import { type GivenSeller, isOwnSeller, type Numbered } from './has-numbers.ts'

/**
 * The number of each registration that goes with a sale on a day YYYY-MM-DD; null: the account has none on
 * file. Its own country without a registration on file has the VAT id of the account. A seller of the request
 * whose registrations are ids alone has no numbers.
 */
export function registrationNumbersOf(
  principal: Numbered,
  given: GivenSeller,
  numbers: readonly Pick<SellerNumber, 'jurisdiction_id' | 'scheme'>[],
  day: string,
): (string | null)[] {
  if (!isOwnSeller(principal, given)) return numbers.map(() => null)
  return numbers.map(({ jurisdiction_id, scheme }) => {
    const held = (id: string) => heldNumber(principal, id, day)
    if (jurisdiction_id === null) return scheme === null ? null : held(scheme)
    const inCountry = (id: string) => held(id) ?? ownVatId(principal, id)
    // The Union scheme has no number of its own, so what is stored with it is that of the home state.
    return numberInTerritory(jurisdiction_id, inCountry) ?? (scheme === 'oss_union' ? held(scheme) : null)
  })
}

function heldNumber({ registrations }: Numbered, id: string, day: string): string | null {
  const held = registrations.find(
    (each) =>
      each.id === id &&
      each.number !== null &&
      each.valid_from <= day &&
      (each.valid_to === null || day <= each.valid_to),
  )
  return withGreekPrefix(held?.number ?? null)
}

/** A VAT id of Greece begins with EL on an invoice, also if it was typed with GR (2006/112/EC, art. 215). */
function withGreekPrefix(number: string | null): string | null {
  const [, digits] = /^GR(\d{9})$/i.exec(number?.replaceAll(/[\s.-]/g, '') ?? '') ?? []
  return digits === undefined ? number : `EL${digits}`
}

/** The VAT id of the account, if the country gave it. Its prefix says so: in Monaco it is that of France. */
function ownVatId({ seller, vat_id }: Numbered, country: string): string | null {
  const own = vat_id !== null && (country === seller?.country || vat_id.startsWith(country))
  return own ? withGreekPrefix(vat_id) : null
}
