import { fieldError } from '../../platform/errors.ts'
import { isKnownIssuer } from './check-digits.ts'
import { FORMATS } from './formats.ts'
import { hasCheckDigits, hasForm, readVatId } from './vat-id.ts'

/** A VAT id as an endpoint reads it, in its usual form, with the results of the checks of its form. */
export type ReadNumber = {
  /** With its prefix and without spaces. */
  vat_id: string
  country: string
  number: string
  format_valid: boolean
  checksum_valid: boolean
  /** Whether it names a seller in a one-stop shop, which is never a customer. */
  scheme_number: boolean
}

/**
 * Reads a VAT id. Without a prefix, it is of the given country. Throws invalid_request if the country is
 * unknown or has no VAT ids that can be checked.
 */
export function readNumber(text: string, given_country: string | undefined): ReadNumber {
  const read = readVatId(text, given_country ?? '')
  if (read.scheme_number) {
    const country = read.number.slice(0, 2)
    return {
      vat_id: read.number,
      country,
      number: read.number.slice(2),
      format_valid: false,
      checksum_valid: false,
      scheme_number: true,
    }
  }
  const { country, number } = read
  if (country === '')
    throw fieldError('invalid_request', 'country', 'is required for a VAT id without the prefix of a country')
  if (!isKnownIssuer(country))
    throw fieldError('invalid_request', 'country', `${country} has no VAT ids that can be checked`)
  const format_valid = hasForm(country, number)
  const checksum_valid = format_valid && hasCheckDigits(country, number)
  return {
    vat_id: `${FORMATS.get(country)?.prefix ?? ''}${number}`,
    country,
    number,
    format_valid,
    checksum_valid,
    scheme_number: false,
  }
}
