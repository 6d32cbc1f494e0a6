import type { Answer } from '../../platform/http/answers.ts'
import { isFormOnly } from './check-digits.ts'
import { FORMATS } from './formats.ts'
import { readNumber } from './read-number.ts'
import type { VatFormatAnswer } from './schemas.ts'
import { showsBusiness } from './vat-id.ts'

/** Checks the form and the check digits of a VAT id, without an authority. Throws invalid_request. */
export function checkFormat(vat_id: string, country: string | undefined): Answer<typeof VatFormatAnswer> {
  const read = readNumber(vat_id, country)
  const format = FORMATS.get(read.country)
  return {
    vat_id: read.vat_id,
    country_code: read.country,
    format_valid: read.format_valid,
    checksum_valid: read.checksum_valid,
    format_only: isFormOnly(read.country, read.number),
    shows_business: read.format_valid && showsBusiness(read.country, read.number),
    expected_format: format?.structure ?? null,
    example: format?.example ?? null,
  }
}
