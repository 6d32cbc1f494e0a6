import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import { withoutCountryPrefix } from '../../engine/book/postal-code.ts'

/** At home too the code is written with the country before it: `LV-1010`. */
const PREFIXED_AT_HOME = new Set(['LT', 'LV'])

/** Whether we know how the postal codes of a country are written. */
export function hasPostalCodes(country: string): boolean {
  return postcodeValidatorExistsForCountry(postalCountry(country))
}

/**
 * A postal code as its country writes it: upper case, spaces where they belong, and no country before it
 * (`FI-22100` becomes `22100`).
 */
export function normalisePostalCode(country: string, text: string): string {
  const bare = withoutCountryPrefix(country, text)
  if (bare !== text && hasPostalCodes(country) && !PREFIXED_AT_HOME.has(country)) {
    const code = inUsualForm(country, bare)
    // Elsewhere the letters may be a part of the code: Andorra's AD 100, Jersey's JE 2 3AB.
    if (isPostalCode(country, code)) return code
  }
  return inUsualForm(country, text)
}

function inUsualForm(country: string, text: string): string {
  const spaced = text.trim().replaceAll(/\s+/g, ' ').toUpperCase()
  const compact = spaced.replaceAll(/[\s-]/g, '')
  switch (country) {
    case 'US':
      return /^\d{9}$/.test(compact) ? `${compact.slice(0, 5)}-${compact.slice(5)}` : compact
    case 'CA':
      return /^[A-Z]\d[A-Z]\d[A-Z]\d$/.test(compact) ? `${compact.slice(0, 3)} ${compact.slice(3)}` : compact
    case 'GB':
    case 'XI':
      return compact.length >= 5 ? `${compact.slice(0, -3)} ${compact.slice(-3)}` : compact
    default:
      return spaced
  }
}

/**
 * Whether a code is written as its country writes them, with or without the space in it. True where nobody
 * knows.
 */
export function isPostalCode(country: string, code: string): boolean {
  if (!hasPostalCodes(country)) return true
  return [code, code.replaceAll(' ', '')].some((form) => postcodeValidator(form, postalCountry(country)))
}

function postalCountry(country: string): string {
  return country === 'XI' ? 'GB' : country
}
