import type { RateBook } from './rate-book.ts'
import { nameOfTerritory } from './territories.ts'

/** Made at its first use: most sales are to places with a name in the data. */
let countryNames: Intl.DisplayNames | null = null

/** A place as a sentence names it: `France`, `the Netherlands`; an id that has no name as it is. */
export function placeInSentence(book: Pick<RateBook, 'jurisdictions'>, id: string): string {
  const name = book.jurisdictions.get(id)?.name
  return name === undefined ? countryInSentence(id) : nameInSentence(name)
}

/** A country or territory that the data lacks. */
export function countryInSentence(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? nameInSentence(nameOfCountry(code)) : (nameOfTerritory(code) ?? code)
}

/** The English name of a country by its code of two letters; a code that has no name as it is. */
export function nameOfCountry(code: string): string {
  countryNames ??= new Intl.DisplayNames('en', { type: 'region' })
  return countryNames.of(code) ?? code
}

const WITH_ARTICLE =
  /^(?:UK |United |District of |(?:Azores|Bahamas|Gambia|Isle of Man|Maldives|Netherlands|Northwest Territories|Philippines|Seychelles|European Union)$|(?!Prince).* Islands$)/

/** The name of a place with its article, if English writes one. */
export function nameInSentence(name: string): string {
  return WITH_ARTICLE.test(name) ? `the ${name}` : name
}

/** The name of a place at the start of a sentence. */
export function atStart(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** `SALES_TAX` as `sales tax`; abbreviations such as `VAT` stay. */
export function taxInWords(tax_type: string): string {
  return tax_type.includes('_') ? tax_type.toLowerCase().replaceAll('_', ' ') : tax_type
}
