import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'

/** Whether we know how the postal codes of a country are written. */
export function hasPostalCodes(country: string): boolean {
  return postcodeValidatorExistsForCountry(postalCountry(country))
}

/** A postal code as its country writes it: upper case, and spaces where they belong. */
export function normalisePostalCode(country: string, text: string): string {
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

/** Whether a code is written as its country writes them, with or without the space in it. True where nobody knows. */
export function isPostalCode(country: string, code: string): boolean {
  if (!hasPostalCodes(country)) return true
  return [code, code.replaceAll(' ', '')].some((form) => postcodeValidator(form, postalCountry(country)))
}

function postalCountry(country: string): string {
  return country === 'XI' ? 'GB' : country
}
