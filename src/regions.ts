import type { Region } from './tax/book/regions.ts'

/** A record is fresh if it was verified within so many days (specification, section 2.8). */
export const FRESH_DAYS = {
  standard_rate: 7,
  other_rate: 30,
  threshold: 30,
  product_rule: 90,
  exchange_rate: 7,
} as const

type CollectedRegion = {
  /** The region of the tax data whose jurisdictions the collector reads. Null if there is not exactly one. */
  facts: Region | null
  name: string
  /** What is collected, in the words of the specification. */
  data: string
  /** Days between two runs. */
  cadence_days: number
  /** Days after the last success until the data counts as stale. */
  window_days: number
  /**
   * When the collector is due, in UTC. The times are spread over the night. Weekday: 0 is Sunday, null is
   * every day.
   */
  hour: number
  minute: number
  weekday: number | null
  /** One of the seven regions of the specification. Another region worsens no status before its first run. */
  specified: boolean
}

/**
 * The collected regions by id, in the order of answers: those of the specification (section 2.8), then later
 * ones. Types, schedule, schemas and pages are derived from this table. Each region of the tax data must have
 * a row, or it does not compile.
 */
export const REGIONS = {
  EU: {
    facts: 'EU',
    name: 'European Union',
    data: 'VAT rates and thresholds',
    cadence_days: 1,
    window_days: FRESH_DAYS.standard_rate,
    hour: 1,
    minute: 10,
    weekday: null,
    specified: true,
  },
  UK: {
    facts: 'UK',
    name: 'United Kingdom',
    data: 'VAT rates and thresholds',
    cadence_days: 1,
    window_days: FRESH_DAYS.standard_rate,
    hour: 1,
    minute: 40,
    weekday: null,
    specified: true,
  },
  US: {
    facts: 'US',
    name: 'United States',
    data: 'Economic nexus thresholds',
    cadence_days: 1,
    window_days: FRESH_DAYS.threshold,
    hour: 2,
    minute: 10,
    weekday: null,
    specified: true,
  },
  'US-TAX': {
    facts: 'US',
    name: 'United States',
    data: 'State sales tax rates',
    cadence_days: 1,
    window_days: FRESH_DAYS.standard_rate,
    hour: 2,
    minute: 40,
    weekday: null,
    specified: true,
  },
  CA: {
    facts: 'CA',
    name: 'Canada',
    data: 'GST/HST/PST rates and thresholds',
    cadence_days: 1,
    window_days: FRESH_DAYS.standard_rate,
    hour: 3,
    minute: 10,
    weekday: null,
    specified: true,
  },
  AU: {
    facts: 'AU',
    name: 'Australia',
    data: 'GST rates and thresholds',
    cadence_days: 1,
    window_days: FRESH_DAYS.standard_rate,
    hour: 3,
    minute: 40,
    weekday: null,
    specified: true,
  },
  TAXABILITY: {
    facts: null,
    name: 'All regions',
    data: 'Product taxability rules',
    cadence_days: 7,
    window_days: FRESH_DAYS.product_rule,
    hour: 4,
    minute: 10,
    weekday: 1,
    specified: true,
  },
  NZ: {
    facts: 'NZ',
    name: 'New Zealand',
    data: 'GST rate and threshold',
    cadence_days: 1,
    window_days: FRESH_DAYS.standard_rate,
    hour: 4,
    minute: 40,
    weekday: null,
    specified: false,
  },
  'FX-ECB': {
    facts: null,
    name: 'European Union',
    data: 'Euro reference rates of the European Central Bank',
    cadence_days: 1,
    window_days: FRESH_DAYS.exchange_rate,
    hour: 5,
    minute: 10,
    weekday: null,
    specified: false,
  },
  'FX-HMRC': {
    facts: null,
    name: 'United Kingdom',
    data: 'Monthly exchange rates of HM Revenue & Customs',
    cadence_days: 1,
    window_days: FRESH_DAYS.exchange_rate,
    hour: 5,
    minute: 40,
    weekday: null,
    specified: false,
  },
  'FX-BOC': {
    facts: null,
    name: 'Canada',
    data: 'Daily exchange rates of the Bank of Canada',
    cadence_days: 1,
    window_days: FRESH_DAYS.exchange_rate,
    hour: 5,
    minute: 25,
    weekday: null,
    specified: false,
  },
  'US-LOCAL': {
    facts: null,
    name: 'United States',
    data: 'Local sales tax rates',
    cadence_days: 1,
    window_days: FRESH_DAYS.threshold,
    hour: 6,
    minute: 10,
    weekday: null,
    specified: false,
  },
} as const satisfies Readonly<Record<string, CollectedRegion> & Record<Region, CollectedRegion>>

export type RegionId = keyof typeof REGIONS

export const REGION_IDS = Object.keys(REGIONS).filter(isRegionId)

/** The collected regions that belong to one region of the tax data, so they have rates. */
export const RATE_REGION_IDS = REGION_IDS.filter((id) => REGIONS[id].facts !== null)

export function isRegionId(text: string): text is RegionId {
  return Object.hasOwn(REGIONS, text)
}
