import type { RateBook } from '../../engine/book/rate-book.ts'
import { ratesOfJurisdiction } from '../../tax-data/records/rates-of-jurisdiction.ts'

/** How the one-stop shops call a rate (Implementing Regulation (EU) 2020/194, annex III). */
export const RATE_TYPES = ['standard', 'reduced'] as const
export type RateType = (typeof RATE_TYPES)[number]

/**
 * The type of a rate that was in force in a place on one of two days, or null. Rates in millionths. A rate
 * that changed within the period is found by its first or its last day.
 */
export function rateTypeOf(
  book: RateBook,
  place: string,
  rate_millionths: number,
  days: readonly string[],
): RateType | null {
  const jurisdiction = book.jurisdictions.get(place)
  if (jurisdiction === undefined) return null
  const rate = days
    .flatMap((day) => ratesOfJurisdiction(book, jurisdiction, day))
    .find((each) => each.rate_millionths === rate_millionths)
  if (rate === undefined) return null
  return rate.category === 'standard' ? 'standard' : 'reduced'
}

/** The standard rate of a place on a day, in millionths; 0 if none is on file. */
export function standardRateOf(book: RateBook, place: string, day: string): number {
  const jurisdiction = book.jurisdictions.get(place)
  if (jurisdiction === undefined) return 0
  const rates = ratesOfJurisdiction(book, jurisdiction, day)
  return rates.find(({ category }) => category === 'standard')?.rate_millionths ?? 0
}
