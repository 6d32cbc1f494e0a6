import type { Answer } from '../http/answers.ts'
import { FORMATS } from './formats.ts'
import { readNumber } from './read-number.ts'
import type { VatFormatAnswer } from './schemas.ts'

/** Checks the form and the check digits of a VAT id, without an authority. Throws invalid_request. */
export function checkFormat(vat_id: string, country: string | undefined): Answer<typeof VatFormatAnswer> {
  const read = readNumber(vat_id, country)
  const format = FORMATS.get(read.country)
  return {
    vat_id: read.vat_id,
    country_code: read.country,
    format_valid: read.format_valid,
    checksum_valid: read.checksum_valid,
    expected_format: format?.structure ?? null,
    example: format?.example ?? null,
  }
}
