import type { Answer } from '../../platform/http/answers.ts'
import { countryName } from '../../platform/http/country-name.ts'
import { VIES } from './authorities/vies-answer.ts'
import { FORMATS } from './formats.ts'
import type { VatCountriesAnswer } from './schemas.ts'

/**
 * The authority that knows the VAT ids of a country: VIES for member states and Northern Ireland, HMRC for
 * Great Britain. Null: no register can be asked.
 */
export function authorityOf(country: string): 'vies' | 'hmrc' | null {
  if (country === 'GB') return 'hmrc'
  return VIES_COUNTRIES.has(country) ? 'vies' : null
}

const VIES_COUNTRIES = new Set(
  'AT BE BG CY CZ DE DK EE GR ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '),
)

/** The countries whose VAT ids can be checked, by their codes. */
export function listVatCountries(): Answer<typeof VatCountriesAnswer> {
  const countries = [...FORMATS]
    .map(([country_code, { prefix, structure, example, source, validators, business_pattern }]) => ({
      country_code,
      vat_prefix: prefix,
      name: country_code === 'XI' ? 'Northern Ireland' : countryName(country_code),
      expected_format: structure,
      example,
      online_validation: authorityOf(country_code) !== null,
      format_only: validators.length === 0,
      shows_business: business_pattern !== null,
      source: authorityOf(country_code) === 'vies' ? VIES : source,
    }))
    .toSorted((a, b) => (a.country_code < b.country_code ? -1 : 1))
  return { countries, total: countries.length }
}
