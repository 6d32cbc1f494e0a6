import { describeThreshold, moneyInWords } from '../book/money-in-words.ts'
import { placeInSentence } from '../book/names.ts'
import type { Threshold } from '../book/facts.ts'
import { lineage, type RateBook } from '../book/rate-book.ts'
import type { Duty } from '../found/found.ts'
import type { Place } from '../regimes/regime.ts'
import { compareSales, type Progress, type Sales } from './thresholds.ts'

/** A threshold with the sales that count towards it. */
export type Exposure = {
  threshold: Threshold
  sales: Sales | null
  /** Null: the sales are unknown, or there is no exchange rate to compare them at. */
  progress: Progress | null
}

/** Compares sales with a threshold. */
export function exposureOf(book: RateBook, threshold: Threshold, sales: Sales | null): Exposure {
  return { threshold, sales, progress: sales === null ? null : compareSales(book, threshold, sales) }
}

/** The first exposure that is passed; else the one closest to its threshold; else the first in the list. */
export function nearestExposure(exposures: readonly Exposure[]): Exposure | null {
  const passed = exposures.find(isPassed)
  return passed ?? exposures.toSorted((a, b) => ratioOf(b) - ratioOf(a))[0] ?? null
}

/** Whether the sales have passed the threshold. */
export function isPassed({ progress }: Exposure): boolean {
  return progress?.exceeded ?? false
}

function ratioOf({ progress }: Exposure): number {
  return progress?.ratio_millionths ?? -1
}

/** The exposure to the threshold of a duty, or to its other limit if that is nearer; null: there is none. */
export function exposureTo(duty: Duty, exposures: readonly Exposure[]): Exposure | null {
  return nearestExposure(exposures.filter((exposure) => isOf(duty, exposure)))
}

/** Whether an exposure is to the threshold of a duty, or to its other limit. */
export function isOf({ threshold, other_limit }: Duty, exposure: Exposure): boolean {
  return exposure.threshold === threshold || exposure.threshold === other_limit
}

/** How close the sales are to the threshold, as one sentence. */
export function describeExposure(
  book: RateBook,
  { threshold, sales, progress }: Exposure,
  place: Place,
): string {
  const name = nameOfPlace(book, place, threshold)
  const limit = describeThreshold(threshold)
  if (sales === null) return `The sales are unknown; the threshold of ${name} is ${limit}`
  if (progress === null)
    return (
      `The sales in ${sales.currency} could not be compared with the threshold of ${limit} of ${name}, ` +
      'because the exchange rate is unknown'
    )
  const left_out = (sales.left_out ?? []).map(notCounted)
  return [describeProgress(threshold, progress, name), ...left_out].join('. ')
}

/** What leaves the duty to register open, although the sales are known; null: nothing does. */
export function doubtOfExposure(book: RateBook, { threshold, progress }: Exposure): string | null {
  const { confidence, notes } = threshold
  const name = placeInSentence(book, threshold.jurisdiction_id)
  if (progress?.undecided !== true)
    return confidence === 'low' ? `The threshold of ${name} is not certain. ${notes ?? 'Confirm it'}` : null
  return dependsOnTurnover(name, threshold)
}

/** What a duty to register depends on and no field says. */
export function dependsOnTurnover(place: string, threshold: Threshold): string {
  const limit = moneyInWords(threshold.worldwide_amount ?? 0, threshold.currency)
  const test = threshold.amount_test === 'exceeds' ? `over ${limit}` : `${limit} or more`
  return (
    `The seller must register in ${place} if its worldwide turnover is ${test}. ` +
    'This turnover is unknown. Send it in seller.global_turnover'
  )
}

/** A place with several taxes has a threshold for each: the sentence names the one that is meant. */
function nameOfPlace(book: RateBook, { law, name }: Place, threshold: Threshold): string {
  return law.provinces === null ? name : placeInSentence(book, threshold.jurisdiction_id)
}

/** Where a seller is established, by name: in the state of a tax, or in the country that shares its tax. */
export function homeOf(book: RateBook, { law, jurisdiction_id, name }: Place): string {
  const country = lineage(book, jurisdiction_id).at(-1) ?? jurisdiction_id
  return law.provinces === null ? name : placeInSentence(book, country)
}

function notCounted(currency: string): string {
  return `Sales in ${currency} are not counted, because the exchange rate is unknown`
}

function describeProgress(threshold: Threshold, progress: Progress, name: string): string {
  const limit = describeThreshold(threshold)
  const amount = moneyInWords(progress.amount, progress.currency)
  const sold = `${amount} in ${progress.transaction_count} transactions`
  const rate = progress.indicative ? ', compared at an indicative exchange rate' : ''
  if (progress.exceeded)
    return `Sales of ${sold} have passed the threshold of ${limit}${rate}. Register in ${name}`
  if (progress.undecided)
    return (
      `Sales of ${sold}${rate}. The threshold of ${name} is ${limit}, and the worldwide ` +
      `turnover is unknown`
    )
  if (progress.approaching) return `Sales of ${sold} are over 85 % of the threshold of ${limit}${rate}`
  return `Sales of ${sold} are below the threshold of ${limit}${rate}`
}
