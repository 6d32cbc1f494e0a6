import { isKnownIssuer, passesCheckDigits } from './check-digits.ts'
import { FORMATS } from './formats.ts'

/** A VAT id as it was given: the country that issued it, and the results of the checks of its form. */
export type ReadVatId = { country: string; number: string; format_valid: boolean; scheme_number: boolean }

/** No VAT id is longer. Longer texts are not parsed. */
const LENGTH_MAX = 40

/**
 * Reads a VAT id. Spaces, dots and hyphens are ignored, EL is Greece, and without a prefix `country` is the
 * issuer. A number that has no prefix by law may be given with the code of its own country (`CA123026635`).
 * Numbers of the one-stop shops (`EU372022452`, `IM3720000224`) name sellers, never customers.
 */
export function readVatId(text: string, country: string): ReadVatId {
  if (text.length > LENGTH_MAX)
    return { country, number: text.slice(0, LENGTH_MAX), format_valid: false, scheme_number: false }
  const compact = text.replace(/[\s.\-/]/g, '').toUpperCase()
  if (/^(EU\d{9}|IM\d{10})$/.test(compact))
    return { country, number: compact, format_valid: false, scheme_number: true }
  const prefix = compact.startsWith('EL') ? 'GR' : compact.slice(0, 2)
  // A number without a prefix may begin like one: the RFC of a company may begin with DE.
  const own = FORMATS.get(country)?.prefix === '' && hasForm(country, compact)
  const prefixed = !own && isKnownIssuer(prefix) && (prefix === country || FORMATS.get(prefix)?.prefix !== '')
  const issuer = prefixed ? prefix : country
  const number = prefixed ? withoutPrefix(issuer, compact) : compact
  return {
    country: issuer,
    number,
    format_valid: hasForm(issuer, number) && hasCheckDigits(issuer, number),
    scheme_number: false,
  }
}

/**
 * Whether a number without its prefix has the form that its country publishes. The library of check digits
 * accepts some impossible numbers (DE000000000, GBZZ100), so both checks are needed.
 */
export function hasForm(issuer: string, number: string): boolean {
  const format = FORMATS.get(issuer)
  return format !== undefined && format.pattern.test(issuer === 'NO' ? number : format.prefix + number)
}

/** Whether a number without its prefix, of a right form, shows a business of the country that issued it. */
export function showsBusiness(issuer: string, number: string): boolean {
  const { business_pattern, prefix } = FORMATS.get(issuer) ?? { business_pattern: null, prefix: '' }
  return business_pattern !== null && business_pattern.test(issuer === 'NO' ? number : prefix + number)
}

/** Whether the check digits of a number without its prefix are right. */
export function hasCheckDigits(issuer: string, number: string): boolean {
  return passesCheckDigits(issuer, digitsOf(issuer, number))
}

function withoutPrefix(issuer: string, compact: string): string {
  return issuer === 'CH' && compact.startsWith('CHE') ? compact.slice(3) : compact.slice(2)
}

/** The number without the name of the tax: `CHE-107.787.577 IVA`, `995 525 828 MVA`. */
function digitsOf(issuer: string, number: string): string {
  if (issuer === 'CH') return `CHE${number.slice(0, 9)}`
  return issuer === 'NO' ? number.slice(0, 9) : number
}
