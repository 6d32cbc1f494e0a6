import { COUNTRY_CODES } from './country-codes.generated.ts'

/** The regions whose law is a file of src/engine/regimes/. REGIMES has the law of each. */
export const CODED_REGIONS = [
  'EU',
  'UK',
  'US',
  'CA',
  'AU',
  'NZ',
  'CH',
  'NO',
  'SG',
  'AE',
  'SA',
  'KR',
  'JP',
  'IN',
] as const
export type CodedRegion = (typeof CODED_REGIONS)[number]

/**
 * The regions of the data: one law each, of a country, of two that share a tax, or of a union. The law of a
 * country of data/countries is in the rate book.
 */
export const FACTS_REGIONS = [...CODED_REGIONS, ...COUNTRY_CODES] as const
export type Region = (typeof FACTS_REGIONS)[number]

/** A region with a law of its own, or all countries of data/countries together: they are alike. */
export type RegionGroup = CodedRegion | 'digital'
export const REGION_GROUPS: readonly RegionGroup[] = [...CODED_REGIONS, 'digital']

const COUNTRIES: ReadonlySet<string> = new Set(COUNTRY_CODES)

export function isOfFile(region: Region): region is (typeof COUNTRY_CODES)[number] {
  return COUNTRIES.has(region)
}

export function groupOfRegion(region: Region): RegionGroup {
  return isOfFile(region) ? 'digital' : region
}
