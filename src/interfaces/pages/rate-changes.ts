import { dayBefore } from '../../platform/kit/calendar.ts'
import type { Rate } from '../../engine/book/facts.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { invariant } from '../../engine/ground/invariant.ts'

/** A rate that replaced another one, or will. `place` is the name of the jurisdiction. */
export type RateChange = { place: string; before: Rate; after: Rate }

/** The latest changes of rates, announced ones included, the newest first. */
export function rateChanges(book: RateBook, max: number): RateChange[] {
  return [...book.jurisdictions.values()]
    .flatMap(({ id, name }) => changesOf(book.rates.get(id) ?? [], name))
    .toSorted(newestFirst)
    .slice(0, max)
}

/** The history of one tax of one place: its periods, the newest first. */
export type RateSeries = { name: string; periods: readonly Rate[] }

/** The taxes of a place that have more than one period. */
export function seriesOf(rates: readonly Rate[]): RateSeries[] {
  return [...Map.groupBy(rates, rateKeyOf).values()]
    .filter((periods) => new Set(periods.map(({ rate_millionths }) => rate_millionths)).size > 1)
    .map((periods) => ({
      name: invariant(periods[0], 'a group has a member').name,
      periods: periods.toSorted((a, b) => b.effective_from.localeCompare(a.effective_from)),
    }))
}

/** A rate replaces the one that ends on the day before, if it is of the same tax, kind and name. */
function changesOf(rates: readonly Rate[], place: string): RateChange[] {
  return rates.flatMap((after) => {
    const before = rates.find(
      (each) => rateKeyOf(each) === rateKeyOf(after) && each.effective_to === dayBefore(after.effective_from),
    )
    return before === undefined || before.rate_millionths === after.rate_millionths
      ? []
      : [{ place, before, after }]
  })
}

function rateKeyOf({ tax_type, category, name }: Rate): string {
  return `${tax_type} ${category} ${name}`
}

function newestFirst(a: RateChange, b: RateChange): number {
  return b.after.effective_from.localeCompare(a.after.effective_from) || a.place.localeCompare(b.place)
}
