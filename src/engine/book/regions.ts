/** Countries of which only what sellers abroad sell there is covered. */
const INBOUND_DIGITAL_REGIONS = ['TW', 'CL', 'IS', 'BH', 'OM', 'TR', 'ZA', 'MY', 'MX'] as const

/**
 * The regions of the data: one law each, of a country, of two that share a tax, or of a union. REGIMES has
 * the law of each.
 */
export const FACTS_REGIONS = [
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
  ...INBOUND_DIGITAL_REGIONS,
] as const
export type Region = (typeof FACTS_REGIONS)[number]
