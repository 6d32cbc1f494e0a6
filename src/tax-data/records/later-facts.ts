import { FACTS_REGIONS } from '../../engine/book/regions.ts'
import type { StoredFact } from './stored-facts.ts'

/** The regions of which every release has the law that reads the table `facts`. */
const EARLIER: readonly string[] = ['EU', 'UK', 'US', 'CA', 'AU', 'NZ']

/** Law regions and countries that came later. Liechtenstein is of the region of Switzerland. */
const LATER: ReadonlySet<string> = new Set([...FACTS_REGIONS.filter((id) => !EARLIER.includes(id)), 'LI'])

/**
 * Whether a fact is of a country whose law the releases before `later_facts` lack. They answer 500 about such
 * a country if they find it in `facts`, so a rollback to them works only if it is not there. Pure.
 */
export function isLaterFact({ content }: Pick<StoredFact, 'content'>): boolean {
  const { region, jurisdiction_id, country }: Placed = JSON.parse(content)
  const place = region ?? country ?? jurisdiction_id?.split('-')[0]
  return place !== undefined && place !== null && LATER.has(place)
}

/** What facts of the several kinds say of their place. */
type Placed = { region?: string; country?: string; jurisdiction_id?: string | null }
