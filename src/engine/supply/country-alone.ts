import { countryInSentence } from '../book/names.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { Place } from '../regimes/regime.ts'
import { REGIONAL } from '../regimes/list.ts'
import type { Address } from '../sale/sale.ts'
import { placeNamed, placeWithoutData } from './place.ts'

/**
 * The place of an address that names a country alone where the tax is that of a state or province: the whole
 * country, with the tax that it levies everywhere, such as the GST of Canada. Null: the address names more,
 * or the country decides.
 */
export function placeOfCountry(book: RateBook, address: Address): Place | null {
  const { country, region, postal_code } = address
  if (region || postal_code || !REGIONAL.has(country)) return null
  const federal = federalTaxes(book, country)
  return federal === null ? placeWithoutData(book, country) : { ...placeNamed(book, country), taxes: federal }
}

/** The taxes of the country where its parts add none, with their product rules; null: it levies none. */
function federalTaxes(book: RateBook, country: string): Place['taxes'] | null {
  for (const { id, parent_id } of book.facts.jurisdictions) {
    if (parent_id !== country) continue
    const { taxes } = placeNamed(book, id)
    if (taxes.length > 0 && taxes.every((layer) => layer.jurisdiction_id === country)) return taxes
  }
  return null
}

/** What the answer of such an address lacks; nothing for any other. */
export function notesOnCountry(book: RateBook, address: Address): readonly string[] {
  const place = placeOfCountry(book, address)
  if (place === null) return []
  const name = countryInSentence(address.country)
  return [
    `Attention: the address names ${name} alone, as place_policy allows, so no tax of its states or ` +
      'provinces is in the answer. It may be due: ask for the state or the postal code',
  ]
}
