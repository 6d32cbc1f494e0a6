import { DAY_MS } from '../../platform/kit/calendar.ts'
import { FRESH_DAYS, isLawCollected } from '../../platform/regions.ts'
import type { Provenance, Rate } from '../../engine/book/facts.ts'
import { isSurcharge } from '../../engine/book/surcharge.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { isAsShipped, REVIEWED_ON, reviewedAt } from './review-day.ts'
import type { Meta } from './schemas.ts'

/** Other records of an answer than rates. Each is fresh for so many days after it was verified. */
type Aging = { records: readonly AgingRecord[]; days: number }
type AgingRecord = Provenance & { id?: string; jurisdiction_id: string }

/**
 * The provenance of an answer. `source` is `multiple` if there is more than one. The answer is fresh only if
 * every record was verified within its number of days, and none is of a region that no collector reads. A
 * record as shipped is verified on the day of its review, if its source is older.
 * `last_verified_at` is null if one of the records was never verified. `stale_record` is the first record
 * that makes the answer stale. `rule_age` is of the other records, and of the rates if there are none.
 */
export function metaOf(
  book: RateBook,
  rates: readonly Rate[],
  others: Aging,
  now: Date,
  data_version: string,
): Meta {
  const records: readonly AgingRecord[] = others.records.length === 0 ? rates : [...rates, ...others.records]
  const first = records[0]
  if (first === undefined) return { ...NO_RECORD, data_version }
  let {
    source,
    source_url,
    last_verified_at: oldest,
  }: { source: string; source_url: string | null; last_verified_at: string | null } = first
  let freshness: Meta['data_freshness'] = 'fresh'
  let stale_record: string | null = null
  records.forEach((record, index) => {
    const rate = rates[index]
    const days = rate === undefined ? others.days : daysOf(rate)
    if (record.source !== source) source = 'multiple'
    if (record.source_url !== source_url) source_url = null
    const at = record.last_verified_at
    const verified = at === null ? Number.NEGATIVE_INFINITY : timeOf(record, at)
    const age = now.getTime() - Math.max(verified, reviewedAt(record, now) ?? verified)
    if (isUncollected(book, record)) {
      if (freshness === 'fresh') freshness = 'not_collected'
    } else if ((record.doubted_since ?? null) !== null || (days !== AGELESS && age > days * DAY_MS)) {
      freshness = 'stale'
      stale_record ??= record.id ?? `delivery fee of ${record.jurisdiction_id}`
    }
    if (at === null || (oldest !== null && at < oldest)) oldest = at
  })
  const reviewed_on = records.some(isAsShipped) ? REVIEWED_ON : null
  // An own rate of the seller has no page.
  const meta = {
    source,
    source_url: source_url || null,
    last_verified_at: oldest,
    reviewed_on,
    data_freshness: freshness,
    rule_age: ageOf(others.records.length === 0 ? rates : others.records),
  }
  return stale_record === null ? { ...meta, data_version } : { ...meta, stale_record, data_version }
}

/** Of records, at least one, that which was verified first, or never: the answer is no better than that. */
function ageOf(records: readonly AgingRecord[]): Meta['rule_age'] {
  const { last_verified_at, source_kind } = records.reduce((weakest, each) =>
    (each.last_verified_at ?? '') < (weakest.last_verified_at ?? '') ? each : weakest,
  )
  return { verified_on: last_verified_at?.slice(0, 10) ?? null, source_kind: source_kind ?? 'unknown' }
}

const NO_RECORD = {
  source: null,
  source_url: null,
  last_verified_at: null,
  reviewed_on: null,
  data_freshness: 'stale',
  rule_age: null,
} as const

/** Whether no collector reads the law region of a record. */
function isUncollected({ jurisdictions }: RateBook, { jurisdiction_id }: AgingRecord): boolean {
  const region = jurisdictions.get(jurisdiction_id)?.region
  return region !== undefined && !isLawCollected(region)
}

/** The age of such a record says nothing. */
const AGELESS = Number.POSITIVE_INFINITY

/** A zero rate is 0 by definition. What is zero-rated is a product rule, which has an age of its own. */
function daysOf({ category, rate_millionths, tax_type }: Rate): number {
  if (category === 'zero' && rate_millionths === 0) return AGELESS
  // No collector reads it: people review it as they review a product rule.
  if (isSurcharge(tax_type)) return FRESH_DAYS.product_rule
  return category === 'standard' ? FRESH_DAYS.standard_rate : FRESH_DAYS.other_rate
}

/** When the records in memory were verified: each text is parsed once. */
const verified_at = new WeakMap<Provenance, number>()

function timeOf(record: Provenance, text: string): number {
  const known = verified_at.get(record)
  if (known !== undefined) return known
  const time = Date.parse(text)
  verified_at.set(record, time)
  return time
}
