import { REGIMES } from '../../engine/regimes/list.ts'

// What the form of TaxJar knows of countries. These are facts of its answers, not of tax law.

/** The country of a request that names none. */
export const DEFAULT_COUNTRY = REGIMES.US.id

/** How TaxJar lists the taxes of a country. `european`: its rates by category. */
export type CountryForm = 'us' | 'canadian' | 'european' | 'national'

const FORMS: Readonly<Partial<Record<string, CountryForm>>> = { US: 'us', CA: 'canadian', GB: 'european' }

/** The form of a jurisdiction, which its country decides, and the region of a country in the Union. */
export function formOf(jurisdiction_id: string, region: string | null = null): CountryForm {
  return FORMS[jurisdiction_id.slice(0, 2)] ?? (region === REGIMES.EU.id ? 'european' : 'national')
}

const SUMMARY_CODES: Readonly<Partial<Record<string, string>>> = { GB: 'UK' }

/** The code of a country in the summary of rates. */
export function summaryCodeOf(country: string): string {
  return SUMMARY_CODES[country] ?? country
}

/** An Australian answer names no city. */
const WITHOUT_CITY = new Set<string>([REGIMES.AU.id])

export function namesCity(country: string): boolean {
  return !WITHOUT_CITY.has(country)
}

/** Members of the Streamlined Sales Tax project: the rates of these states name the country, too. */
export const STREAMLINED: ReadonlySet<string> = new Set(
  'AR GA IN IA KS KY MI MN NE NV NJ NC ND OK RI SD UT VT WA WV WI WY'.split(' '),
)

type NamedPlace = { country?: string | null | undefined; zip?: string | null | undefined }

/** The postal code of an address. Australian codes may begin with the state: `VIC 3002`. */
export function postalCode({ country, zip }: NamedPlace): string | null {
  if (!zip) return null
  return country === REGIMES.AU.id ? zip.replace(/^[A-Za-z]{2,3}\s+(?=\d{4}$)/, '') : zip
}
