import { countryInSentence } from '../../engine/book/names.ts'
import { countryOfScheme, type VatScheme } from '../../engine/ground/vat-schemes.ts'

/** Why a scheme is refused for an address. */
export function schemeElsewhere(id: VatScheme): string {
  const country = countryInSentence(countryOfScheme(id))
  return `is for customers with an address in ${country}. Give null for others`
}
