/** The regions of the data: one law each, of a country or a union. REGIMES has the law of each. */
export const FACTS_REGIONS = ['EU', 'UK', 'US', 'CA', 'AU', 'NZ'] as const
export type Region = (typeof FACTS_REGIONS)[number]
