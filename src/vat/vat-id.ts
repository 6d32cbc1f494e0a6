import { stdnum } from 'stdnum'

/** Which of the library's validators check the VAT ids of a country. XI numbers are those of GB. */
const VALIDATORS = new Map<string, readonly [country: string, ...names: string[]]>([
  ['AT', ['AT', 'uid']],
  ['BE', ['BE', 'vat']],
  ['BG', ['BG', 'vat', 'egn', 'pnf']],
  ['HR', ['HR', 'oib']],
  ['CY', ['CY', 'vat']],
  ['CZ', ['CZ', 'dic']],
  ['DK', ['DK', 'cvr']],
  ['EE', ['EE', 'kmkr']],
  ['FI', ['FI', 'alv']],
  ['FR', ['FR', 'tva']],
  ['DE', ['DE', 'vat']],
  ['GR', ['GR', 'vat']],
  ['HU', ['HU', 'anum']],
  ['IE', ['IE', 'vat']],
  ['IT', ['IT', 'iva']],
  ['LV', ['LV', 'pvn']],
  ['LT', ['LT', 'pvm']],
  ['LU', ['LU', 'tva']],
  ['MT', ['MT', 'vat']],
  ['NL', ['NL', 'btw']],
  ['PL', ['PL', 'nip']],
  ['PT', ['PT', 'nif']],
  ['RO', ['RO', 'cif', 'cui']],
  ['SK', ['SK', 'dph']],
  ['SI', ['SI', 'ddv']],
  ['ES', ['ES', 'nif', 'cif', 'dni', 'nie']],
  ['SE', ['SE', 'vat']],
  ['GB', ['GB', 'vat']],
  ['XI', ['GB', 'vat']],
  ['AU', ['AU', 'abn']],
])

export type VatIdStatus = 'none' | 'valid' | 'invalid' | 'format_valid' | 'format_invalid' | 'not_a_customer_id'

/** A VAT id as it was given: the country that issued it, and what its form alone tells. */
export type ReadVatId = { country: string; number: string; format_valid: boolean; scheme_number: boolean }

/**
 * Reads a VAT id: spaces, dots and hyphens do not count, EL is Greece. Without a prefix the customer's country is taken.
 * Numbers of the one-stop shops (`EU372022452`, `IM3720000224`) name sellers, never customers.
 */
export function readVatId(text: string, country: string): ReadVatId {
  const compact = text.replace(/[\s.\-/]/g, '').toUpperCase()
  if (/^(EU\d{9}|IM\d{10})$/.test(compact)) return { country, number: compact, format_valid: false, scheme_number: true }
  const prefix = compact.startsWith('EL') ? 'GR' : compact.slice(0, 2)
  const prefixed = VALIDATORS.has(prefix) && prefix !== 'AU'
  const issuer = prefixed ? prefix : country
  const number = prefixed ? compact.slice(2) : compact
  return { country: issuer, number, format_valid: /^[0-9A-Z+*]{2,20}$/.test(number) && passesCheck(issuer, number), scheme_number: false }
}

function passesCheck(issuer: string, number: string): boolean {
  const [country, ...names] = VALIDATORS.get(issuer) ?? ['']
  const validators = stdnum[country]
  return names.some((name) => validators?.[name]?.validate(number).isValid === true)
}
