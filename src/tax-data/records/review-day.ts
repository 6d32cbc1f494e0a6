import review from '../../../data/review.json' with { type: 'json' }
import type { Provenance } from '../../engine/book/facts.ts'

/**
 * The day on which people reviewed the data that this release ships. It is another day than that of the page
 * or data set that a record cites: a law of 2006 may have been reviewed last week.
 */
export const REVIEWED_ON = review.reviewed_on

const REVIEWED_AT = Date.parse(REVIEWED_ON)

/** A record that no collector has read is as the release ships it. */
export function isAsShipped({ verified_by }: Pick<Provenance, 'verified_by'>): boolean {
  // A table of records has null where one lacks what another has.
  return (verified_by ?? null) === null
}

/** When a record was reviewed, milliseconds; null: a collector has read it, or the review is later. */
export function reviewedAt(record: Pick<Provenance, 'verified_by'>, now: Date): number | null {
  return isAsShipped(record) && REVIEWED_AT <= now.getTime() ? REVIEWED_AT : null
}
