import { describeMoney, describeThreshold } from './explain.ts'
import type { Threshold } from './book/facts.ts'
import type { Place } from './place.ts'
import type { TaxLayer } from './book/product-rules.ts'
import type { RateBook } from './book/rate-book.ts'
import { compareSales, type Progress, type Sales } from './thresholds.ts'

/** A threshold with the sales that count towards it. */
export type Exposure = {
  threshold: Threshold
  sales: Sales | null
  /** Null: the sales are not known, or there is no exchange rate to compare them at. */
  progress: Progress | null
}

/** Sales as a threshold sees them. */
export function exposureOf(book: RateBook, threshold: Threshold, sales: Sales | null): Exposure {
  return { threshold, sales, progress: sales === null ? null : compareSales(book, threshold, sales) }
}

/** The one that is passed, else the one that is closest, else that of the closest jurisdiction. */
export function foremost(exposures: readonly Exposure[]): Exposure | null {
  const passed = exposures.find(({ progress }) => progress?.exceeded)
  return passed ?? exposures.toSorted((a, b) => ratioOf(b) - ratioOf(a))[0] ?? null
}

function ratioOf({ progress }: Exposure): number {
  return progress?.ratio_millionths ?? -1
}

/**
 * Whether a threshold obliges to register for a tax. In Canada the federal tax and each provincial one have
 * their own.
 */
export function obligesFor({ threshold }: Exposure, layer: TaxLayer, place: Place): boolean {
  if (place.regime !== 'CA') return true
  const federal = layer.tax_type === 'GST' || layer.tax_type === 'HST'
  return federal
    ? threshold.threshold_type === 'GST_REGISTRATION'
    : threshold.jurisdiction_id === layer.jurisdiction_id
}

/** How far the sales have come, as one sentence. */
export function describeExposure(
  book: RateBook,
  { threshold, sales, progress }: Exposure,
  place: Place,
): string {
  const id = place.regime === 'CA' ? threshold.jurisdiction_id : place.jurisdiction_id
  const limit = describeThreshold(book, threshold)
  if (sales === null) return `No sales are known; the threshold of ${id} is ${limit}`
  if (progress === null)
    return `No exchange rate is known for ${sales.currency}, so the sales could not be compared with the threshold of ${limit} of ${id}`
  return [describeProgress(book, threshold, progress, id), ...(sales.left_out ?? []).map(notCounted)].join(
    '. ',
  )
}

function notCounted(currency: string): string {
  return `Sales in ${currency} are not counted: no exchange rate is known`
}

function describeProgress(book: RateBook, threshold: Threshold, progress: Progress, id: string): string {
  const limit = describeThreshold(book, threshold)
  const sold = `${describeMoney(book, progress.amount, progress.currency)} in ${progress.transaction_count} transactions`
  const rate = progress.indicative ? ', compared at an indicative exchange rate' : ''
  if (progress.exceeded)
    return `Sales of ${sold} have passed the threshold of ${limit}${rate}: register in ${id}`
  if (progress.approaching) return `Sales of ${sold} are over 85 % of the threshold of ${limit}${rate}`
  return `Sales of ${sold} are below the threshold of ${limit}${rate}`
}
