import { FACTS_REGIONS, isOfFile, type Region } from '../engine/book/regions.ts'
import { nameOfRegion } from '../engine/regimes/list.ts'

/** A record is fresh if it was verified within so many days (specification, section 2.8). */
export const FRESH_DAYS = {
  standard_rate: 7,
  other_rate: 30,
  threshold: 30,
  product_rule: 90,
  exchange_rate: 7,
} as const

/** When the collector of a region runs, and how long its data counts as fresh. */
type Collected = {
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
}

/** Data of one kind, whether or not a collector reads it. */
export type DataRegion = {
  /** The law region whose jurisdictions the data is about. Null if there is not exactly one. */
  facts: Region | null
  name: string
  /** What the data is, in the words of the specification. */
  data: string
  /** False: no collector reads a source. A person reviews the data, and no status calls it fresh. */
  collected: Collected | false
  /** One of the seven regions of the specification. Another region worsens no status before its first run. */
  specified: boolean
}

const nightly = (hour: number, minute: number, window_days: number) => ({
  cadence_days: 1,
  window_days,
  hour,
  minute,
  weekday: null,
})

/**
 * The regions that a collector reads, in the order of answers: those of the specification (section 2.8), then
 * later ones. A law region may have several rows. One without a row is kept by hand.
 */
const COLLECTED = {
  EU: {
    facts: 'EU',
    name: 'European Union',
    data: 'VAT rates and thresholds',
    collected: nightly(1, 10, FRESH_DAYS.standard_rate),
    specified: true,
  },
  UK: {
    facts: 'UK',
    name: 'United Kingdom',
    data: 'VAT rates and thresholds',
    collected: nightly(1, 40, FRESH_DAYS.standard_rate),
    specified: true,
  },
  US: {
    facts: 'US',
    name: 'United States',
    data: 'Economic nexus thresholds',
    collected: nightly(2, 10, FRESH_DAYS.threshold),
    specified: true,
  },
  'US-TAX': {
    facts: 'US',
    name: 'United States',
    data: 'State sales tax rates',
    collected: nightly(2, 40, FRESH_DAYS.standard_rate),
    specified: true,
  },
  CA: {
    facts: 'CA',
    name: 'Canada',
    data: 'GST/HST/PST rates and thresholds',
    collected: nightly(3, 10, FRESH_DAYS.standard_rate),
    specified: true,
  },
  AU: {
    facts: 'AU',
    name: 'Australia',
    data: 'GST rates and thresholds',
    collected: nightly(3, 40, FRESH_DAYS.standard_rate),
    specified: true,
  },
  TAXABILITY: {
    facts: null,
    name: 'All regions',
    data: 'Product taxability rules',
    collected: { cadence_days: 7, window_days: FRESH_DAYS.product_rule, hour: 4, minute: 10, weekday: 1 },
    specified: true,
  },
  NZ: {
    facts: 'NZ',
    name: 'New Zealand',
    data: 'GST rate and threshold',
    collected: nightly(4, 40, FRESH_DAYS.standard_rate),
    specified: false,
  },
  'FX-ECB': {
    facts: null,
    name: 'European Union',
    data: 'Euro reference rates of the European Central Bank',
    collected: nightly(5, 10, FRESH_DAYS.exchange_rate),
    specified: false,
  },
  'FX-HMRC': {
    facts: null,
    name: 'United Kingdom',
    data: 'Monthly exchange rates of HM Revenue & Customs',
    collected: nightly(5, 40, FRESH_DAYS.exchange_rate),
    specified: false,
  },
  'FX-BOC': {
    facts: null,
    name: 'Canada',
    data: 'Daily exchange rates of the Bank of Canada',
    collected: nightly(5, 25, FRESH_DAYS.exchange_rate),
    specified: false,
  },
  'US-LOCAL': {
    facts: null,
    name: 'United States',
    data: 'Local sales tax rates',
    collected: nightly(6, 10, FRESH_DAYS.threshold),
    specified: false,
  },
} as const satisfies Readonly<Record<string, DataRegion & { collected: Collected }>>

/** A region whose data a collector reads. */
export type CollectedId = keyof typeof COLLECTED

/** A law region whose data people keep. */
type KeptByHand = Exclude<Region, CollectedId>

export type RegionId = CollectedId | KeptByHand

/** The regions of the data by id. Types, schedule, schemas and pages are derived from this table. */
export const REGIONS: Readonly<typeof COLLECTED & Record<KeptByHand, DataRegion>> = {
  ...COLLECTED,
  ...keptByHand(),
}

function keptByHand(): Record<KeptByHand, DataRegion> {
  const rows = FACTS_REGIONS.filter((id) => !Object.hasOwn(COLLECTED, id)).map((id) => [
    id,
    {
      facts: id,
      // Made when it is asked for: names of countries take a start a millisecond.
      get name() {
        return nameOfRegion(id)
      },
      data: 'Rates, thresholds and product rules',
      collected: false,
      specified: false,
    } satisfies DataRegion,
  ])
  return Object.fromEntries(rows)
}

export const REGION_IDS = Object.keys(REGIONS).filter(isRegionId)

export const COLLECTED_IDS = REGION_IDS.filter(isCollected)

export function isRegionId(text: string): text is RegionId {
  return Object.hasOwn(REGIONS, text)
}

/** Whether a text is the id of a region that a collector reads. */
export function isCollected(text: string): text is CollectedId {
  return collectedOf(text) !== null
}

const COLLECTED_LAWS: ReadonlySet<Region | null> = new Set(COLLECTED_IDS.map((id) => REGIONS[id].facts))

/** Whether a collector reads data of a law region. */
export function isLawCollected(law: Region): boolean {
  return COLLECTED_LAWS.has(law)
}

/** Whether a region is a country of data/countries. */
export function isOfCountryFile(id: RegionId): boolean {
  const { facts }: DataRegion = REGIONS[id]
  return facts !== null && isOfFile(facts)
}

/** How a region is collected; null: no collector reads it. */
export function collectedOf(region: string): Collected | null {
  const row: DataRegion | null = isRegionId(region) ? REGIONS[region] : null
  return row === null || row.collected === false ? null : row.collected
}
