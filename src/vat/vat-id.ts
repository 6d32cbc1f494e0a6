import { isKnownIssuer, passesCheckDigits } from './check-digits.ts'
import { FORMATS } from './formats.ts'

export type VatIdStatus = 'none' | 'valid' | 'invalid' | 'format_valid' | 'format_invalid' | 'not_a_customer_id'

/** A VAT id as it was given: the country that issued it, and what its form alone tells. */
export type ReadVatId = { country: string; number: string; format_valid: boolean; scheme_number: boolean }

/** No VAT id is longer, and nothing longer is looked at. */
const LENGTH_MAX = 40

/**
 * Reads a VAT id: spaces, dots and hyphens do not count, EL is Greece. Without a prefix the customer's country is taken.
 * Numbers of the one-stop shops (`EU372022452`, `IM3720000224`) name sellers, never customers.
 */
export function readVatId(text: string, country: string): ReadVatId {
  if (text.length > LENGTH_MAX) return { country, number: text.slice(0, LENGTH_MAX), format_valid: false, scheme_number: false }
  const compact = text.replace(/[\s.\-/]/g, '').toUpperCase()
  if (/^(EU\d{9}|IM\d{10})$/.test(compact)) return { country, number: compact, format_valid: false, scheme_number: true }
  const prefix = compact.startsWith('EL') ? 'GR' : compact.slice(0, 2)
  const prefixed = isKnownIssuer(prefix) && prefix !== 'AU'
  const issuer = prefixed ? prefix : country
  const number = prefixed ? withoutPrefix(issuer, compact) : compact
  const format_valid = hasForm(issuer, number) && passesCheckDigits(issuer, digitsOf(issuer, number))
  return { country: issuer, number, format_valid, scheme_number: false }
}

function withoutPrefix(issuer: string, compact: string): string {
  return issuer === 'CH' && compact.startsWith('CHE') ? compact.slice(3) : compact.slice(2)
}

/** The library takes some numbers that cannot be (DE000000000, GBZZ100): the form that the country publishes must hold too. */
function hasForm(issuer: string, number: string): boolean {
  const format = FORMATS.get(issuer)
  return format !== undefined && format.pattern.test(issuer === 'NO' ? number : format.prefix + number)
}

/** Switzerland and Norway write the tax behind the number: `CHE-107.787.577 IVA`, `995 525 828 MVA`. */
function digitsOf(issuer: string, number: string): string {
  if (issuer === 'CH') return `CHE${number.slice(0, 9)}`
  return issuer === 'NO' ? number.slice(0, 9) : number
}
