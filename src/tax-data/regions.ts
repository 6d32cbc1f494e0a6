import { keysOf } from '../keys-of.ts'

/** Days within which a record must have been verified to be fresh (specification, section 2.8). */
export const FRESH_DAYS = { standard_rate: 7, other_rate: 30, threshold: 30, product_rule: 90 } as const

/**
 * The seven regions of the specification, section 2.8: what each holds, how often it is synchronised, and
 * when its data counts as stale.
 */
export const REGIONS = {
  EU: { data: 'VAT rates and thresholds', cadence_days: 1, window_days: FRESH_DAYS.standard_rate },
  UK: { data: 'VAT rates and thresholds', cadence_days: 1, window_days: FRESH_DAYS.standard_rate },
  US: { data: 'Economic nexus thresholds', cadence_days: 1, window_days: FRESH_DAYS.threshold },
  'US-TAX': { data: 'State sales tax rates', cadence_days: 1, window_days: FRESH_DAYS.standard_rate },
  CA: { data: 'GST/HST/PST rates and thresholds', cadence_days: 1, window_days: FRESH_DAYS.standard_rate },
  AU: { data: 'GST rates and thresholds', cadence_days: 1, window_days: FRESH_DAYS.standard_rate },
  TAXABILITY: { data: 'Product taxability rules', cadence_days: 7, window_days: FRESH_DAYS.product_rule },
} as const satisfies Record<string, { data: string; cadence_days: number; window_days: number }>

export type RegionId = keyof typeof REGIONS

export const REGION_IDS = keysOf(REGIONS)

export function isRegionId(text: string): text is RegionId {
  return Object.hasOwn(REGIONS, text)
}
