import { bookFor } from '../../tax-data/records/book-for.ts'
import type { Context } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { countryName } from '../../platform/http/country-name.ts'
import { Country } from '../../platform/http/fields.ts'
import { COUNTRIES } from '../../platform/http/iso-codes.ts'
import type { CountriesAnswer, RegionsAnswer } from './schemas.ts'
import { hasPostalCodes } from './postal-codes.ts'
import { regionsOf } from '../../platform/http/subdivisions.ts'

/** All countries, and which of them have tax data, regions and a known form of postal code. */
export async function listCountries(context: Context): Promise<Answer<typeof CountriesAnswer>> {
  const book = await bookFor(context)
  const countries = [...COUNTRIES].toSorted().map((code) => ({
    code,
    name: countryName(code),
    tax_supported: book.jurisdictions.has(code) || book.jurisdictions.has(`US-${code}`),
    has_regions: regionsOf(code).length > 0,
    has_postal_codes: hasPostalCodes(code),
  }))
  return { countries, total: countries.length }
}

/** The regions of a country. `type` is known where the region has tax data of its own. Throws not_found. */
export async function listRegions(context: Context, text: string): Promise<Answer<typeof RegionsAnswer>> {
  const country = Country.safeParse(text)
  if (!country.success)
    throw new ApiError('not_found', { message: `There is no country ${JSON.stringify(text.slice(0, 40))}` })
  const { jurisdictions } = await bookFor(context)
  const regions = regionsOf(country.data).map((region) => ({
    ...region,
    type: jurisdictions.get(region.id)?.type ?? 'subdivision',
  }))
  return { country: country.data, regions, total: regions.length }
}

/** Made at its first use: a checkout sends codes. */
let byName: ReadonlyMap<string, string> | null = null

/** A country by its code, `UK`, `EL`, or its English name; null when there is none. */
export function findCountry(text: string): string | null {
  const country = Country.safeParse(text.trim())
  if (country.success) return country.data
  byName ??= new Map([...COUNTRIES].map((code) => [countryName(code).toLowerCase(), code]))
  return byName.get(text.trim().toLowerCase()) ?? null
}
