import { isKnownIssuer } from '../../src/parties/vat/check-digits.ts'
import { FORMATS } from '../../src/parties/vat/formats.ts'
import { readVatId } from '../../src/parties/vat/vat-id.ts'

/** What is wrong with the form of a VAT id; null: nothing, or no form of its country is known. */
export function vatIdFault(vat_id: string, country: string): string | null {
  const { country: issuer, format_valid, scheme_number } = readVatId(vat_id, country)
  if (scheme_number) return `"${vat_id}" is the number of a seller in a one-stop shop, not of a customer`
  if (format_valid || !isKnownIssuer(issuer)) return null
  const example = FORMATS.get(issuer)?.example ?? ''
  return `"${vat_id}" is no VAT id of ${issuer}, such as ${example}. The sale is recorded with it`
}
