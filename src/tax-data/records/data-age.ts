import { collectedOf, type RegionId, REGIONS } from '../../platform/regions.ts'
import type { Provenance } from '../../engine/book/facts.ts'
import { inForce, type RateBook } from '../../engine/book/rate-book.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import { isAsShipped, REVIEWED_ON } from './review-day.ts'
import { STATE_FIPS } from '../../engine/regimes/us-local/state-fips.ts'

/** How old facts are: the days of their oldest and newest source; null: no source has a day. */
export type DataAge = {
  records: number
  oldest: string | null
  newest: string | null
  /** The day of the review of those that no collector has read; null: there are none. */
  reviewed_on: string | null
  /** Records that no collector has read: a person keeps them. */
  by_hand: number
  /** Records without any day of verification. */
  undated: number
}

/** The age of the facts that a collector's region is about. Pure. */
export function ageOfRegion(book: RateBook, region: RegionId, day: string): DataAge {
  return ageOf(factsOf(book, region).filter((fact) => inForce(fact, day)))
}

/** The age of the local jurisdictions of the United States; null: there are none. Pure. */
export function ageOfLocalBook(book: LocalBook | null): DataAge {
  const ofState = (id: string) => [...(book?.state(id)?.jurisdictions.values() ?? [])]
  const all = Object.keys(STATE_FIPS).flatMap(ofState)
  const days = all.map(({ as_of }) => as_of.slice(0, 10)).toSorted()
  return {
    records: days.length,
    oldest: days[0] ?? null,
    newest: days.at(-1) ?? null,
    reviewed_on: null,
    by_hand: 0,
    undated: 0,
  }
}

/** `1204 rates, reviewed on 2026-11-27, 12 of them without a dated source` of each kind in force. Pure. */
export function agesInWords({ facts }: RateBook, now: Date): string {
  const day = now.toISOString().slice(0, 10)
  const kinds: [string, readonly Dated[]][] = [
    ['rates', facts.rates],
    ['thresholds', facts.thresholds],
    ['product rules', facts.product_rules],
  ]
  return kinds
    .map(([name, all]) => {
      const { records, reviewed_on, newest, undated } = ageOf(all.filter((fact) => inForce(fact, day)))
      const checked = reviewed_on === null ? `read on ${newest ?? 'no day'}` : `reviewed on ${reviewed_on}`
      return `${records} ${name}, ${checked}, ${undated} of them without a dated source`
    })
    .join('; ')
}

/** What is said of data that no collector reads. Null: the data cannot be read. Pure. */
export function reviewedInWords(age: DataAge | null): string {
  if (age === null) return 'no source is collected'
  const reviewed = age.reviewed_on === null ? 'not reviewed yet' : `reviewed on ${age.reviewed_on}`
  return `no source is collected, ${reviewed}`
}

type Dated = Provenance & { effective_from: string | null; effective_to: string | null }

/**
 * Nexus and rates of the United States are two regions, and product rules are one for all places that are
 * collected.
 */
function factsOf({ facts, jurisdictions }: RateBook, region: RegionId): Dated[] {
  if (region === 'TAXABILITY') return facts.product_rules
  const inside = ({ jurisdiction_id }: { jurisdiction_id: string }) =>
    jurisdictions.get(jurisdiction_id)?.region === REGIONS[region].facts
  const rates = region === 'US' ? [] : facts.rates.filter(inside)
  const thresholds = region === 'US-TAX' ? [] : facts.thresholds.filter(inside)
  const rules = collectedOf(region) === null ? facts.product_rules.filter(inside) : []
  return [...rates, ...thresholds, ...rules]
}

function ageOf(facts: readonly Dated[]): DataAge {
  const days = facts.flatMap(({ last_verified_at }) => last_verified_at?.slice(0, 10) ?? []).toSorted()
  const by_hand = facts.filter(isAsShipped).length
  return {
    records: facts.length,
    oldest: days[0] ?? null,
    newest: days.at(-1) ?? null,
    reviewed_on: by_hand === 0 ? null : REVIEWED_ON,
    by_hand,
    undated: facts.length - days.length,
  }
}
