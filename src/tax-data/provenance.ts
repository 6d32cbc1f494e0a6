import { DAY_MS } from '../calendar.ts'
import { FRESH_DAYS } from '../regions.ts'
import type { Provenance, Rate } from '../tax/book/facts.ts'
import type { Meta } from './schemas.ts'

/**
 * The provenance of an answer. `source` is `multiple` if there is more than one. The answer is fresh only if
 * every record was verified within its number of days.
 */
export function metaOf(
  rates: readonly Rate[],
  others: readonly { provenance: Provenance; days: number }[],
  now: Date,
  data_version: string,
): Meta {
  const records: { provenance: Provenance; days: number }[] = rates.map((rate) => ({
    provenance: rate,
    days: daysOf(rate),
  }))
  records.push(...others)
  const [first] = records
  if (first === undefined)
    return { source: null, source_url: null, last_verified_at: null, data_freshness: 'stale', data_version }
  let {
    source,
    source_url,
    last_verified_at: oldest,
  }: { source: string; source_url: string | null; last_verified_at: string | null } = first.provenance
  let fresh = true
  for (const { provenance, days } of records) {
    if (provenance.source !== source) source = 'multiple'
    if (provenance.source_url !== source_url) source_url = null
    const at = provenance.last_verified_at
    const age = at === null ? Number.POSITIVE_INFINITY : now.getTime() - timeOf(at)
    if (provenance.doubted_since !== undefined || (days !== AGELESS && age > days * DAY_MS)) fresh = false
    if (at !== null && (oldest === null || at < oldest)) oldest = at
  }
  return {
    source,
    source_url,
    last_verified_at: oldest,
    data_freshness: fresh ? 'fresh' : 'stale',
    data_version,
  }
}

/** The age of such a record says nothing. */
const AGELESS = Number.POSITIVE_INFINITY

/** A zero rate is 0 by definition. What is zero-rated is a product rule, which has an age of its own. */
function daysOf({ category, rate_millionths }: Rate): number {
  if (category === 'zero' && rate_millionths === 0) return AGELESS
  return category === 'standard' ? FRESH_DAYS.standard_rate : FRESH_DAYS.other_rate
}

/** A cache of the last text, because one run verifies many facts at the same time. */
let last = { text: '', time: Number.NaN }

function timeOf(text: string): number {
  if (text !== last.text) last = { text, time: Date.parse(text) }
  return last.time
}
