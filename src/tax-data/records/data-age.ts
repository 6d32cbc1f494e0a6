import { DAY_MS } from '../../platform/kit/calendar.ts'
import { collectedOf, type RegionId, REGIONS } from '../../platform/regions.ts'
import type { Provenance } from '../../engine/book/facts.ts'
import { inForce, type RateBook } from '../../engine/book/rate-book.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import { STATE_FIPS } from '../../engine/regimes/us-local/state-fips.ts'

/** How old facts are: the days of their oldest and newest verification; null: they have none. */
export type DataAge = {
  records: number
  oldest: string | null
  newest: string | null
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
    by_hand: 0,
    undated: 0,
  }
}

/** A year: records that nobody has looked at for longer are counted. */
const LONG_DAYS = 365

/** `1,204 rates, last reviewed on 2026-11-20, 12 of them over a year ago` of each kind in force. Pure. */
export function agesInWords({ facts }: RateBook, now: Date): string {
  const day = now.toISOString().slice(0, 10)
  const kinds: [string, readonly Dated[]][] = [
    ['rates', facts.rates],
    ['thresholds', facts.thresholds],
    ['product rules', facts.product_rules],
  ]
  return kinds
    .map(([name, all]) => {
      const own = all.filter((fact) => inForce(fact, day))
      const { records, newest } = ageOf(own)
      const old = own.filter(
        ({ last_verified_at: at }) => at === null || daysSince(at, now) > LONG_DAYS,
      ).length
      return `${records} ${name}, last reviewed on ${newest ?? 'no day'}, ${old} of them over a year ago`
    })
    .join('; ')
}

/** What is said of data that no collector reads. Null: the data cannot be read. Pure. */
export function reviewedInWords(age: DataAge | null): string {
  if (age === null) return 'no source is collected'
  return `no source is collected, ${age.newest === null ? 'not reviewed yet' : `reviewed on ${age.newest}`}`
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
  return {
    records: facts.length,
    oldest: days[0] ?? null,
    newest: days.at(-1) ?? null,
    by_hand: facts.filter(({ verified_by }) => verified_by === undefined).length,
    undated: facts.length - days.length,
  }
}

function daysSince(day: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(day)) / DAY_MS))
}
