import { FORMATS } from './formats.ts'
import { hasForm, readVatId } from './vat-id.ts'

/**
 * A VAT id in the form that tax offices know: with its prefix, without blanks and marks, EL for Greece
 * (Directive 2006/112/EC, art. 215). Without a prefix, `country` is the issuer. Null: it has not the form of
 * an id of any country. Check digits do not matter: two spellings of one id are one.
 */
export function usualVatId(text: string, country: string): string | null {
  const { country: issuer, number } = readVatId(text, country)
  return hasForm(issuer, number) ? `${FORMATS.get(issuer)?.prefix ?? ''}${number}` : null
}
