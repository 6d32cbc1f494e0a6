import { isKnownIssuer, passesCheckDigits } from './check-digits.ts'
import { FORMATS } from './formats.ts'

/** A VAT id as it was given: the country that issued it, and what its form alone tells. */
export type ReadVatId = { country: string; number: string; format_valid: boolean; scheme_number: boolean }

/** No VAT id is longer, and nothing longer is looked at. */
const LENGTH_MAX = 40

/**
 * Reads a VAT id: spaces, dots and hyphens do not count, EL is Greece. Without a prefix the customer's
 * country is taken. Numbers of the one-stop shops (`EU372022452`, `IM3720000224`) name sellers, never
 * customers.
 */
export function readVatId(text: string, country: string): ReadVatId {
  if (text.length > LENGTH_MAX)
    return { country, number: text.slice(0, LENGTH_MAX), format_valid: false, scheme_number: false }
  const compact = text.replace(/[\s.\-/]/g, '').toUpperCase()
  if (/^(EU\d{9}|IM\d{10})$/.test(compact))
    return { country, number: compact, format_valid: false, scheme_number: true }
  const prefix = compact.startsWith('EL') ? 'GR' : compact.slice(0, 2)
  const prefixed = isKnownIssuer(prefix) && FORMATS.get(prefix)?.prefix !== ''
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
 * Whether a number without its prefix is written as its country publishes it. The library of check digits
 * takes some that cannot be (DE000000000, GBZZ100), so both must hold.
 */
export function hasForm(issuer: string, number: string): boolean {
  const format = FORMATS.get(issuer)
  return format !== undefined && format.pattern.test(issuer === 'NO' ? number : format.prefix + number)
}

/** Whether the check digits of a number without its prefix are right. */
export function hasCheckDigits(issuer: string, number: string): boolean {
  return passesCheckDigits(issuer, digitsOf(issuer, number))
}

function withoutPrefix(issuer: string, compact: string): string {
  return issuer === 'CH' && compact.startsWith('CHE') ? compact.slice(3) : compact.slice(2)
}

/** Switzerland and Norway write the tax behind the number: `CHE-107.787.577 IVA`, `995 525 828 MVA`. */
function digitsOf(issuer: string, number: string): string {
  if (issuer === 'CH') return `CHE${number.slice(0, 9)}`
  return issuer === 'NO' ? number.slice(0, 9) : number
}
