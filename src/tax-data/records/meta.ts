import type { DeliveryFee, ProductRule, Rate, Threshold } from '../../engine/book/facts.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { metaOf } from './provenance.ts'
import { FRESH_DAYS } from '../../platform/regions.ts'
import type { Meta } from './schemas.ts'

/** The source and age of the data that a calculation used. `version` also names that of the local taxes. */
export function metaOfAssessment(
  book: RateBook,
  rates: readonly Rate[],
  rules: readonly (ProductRule | DeliveryFee)[],
  now: Date,
  version: string,
): Meta {
  return metaOf(book, rates, { records: rules, days: FRESH_DAYS.product_rule }, now, version)
}

/** The same for a list of thresholds and the rates of an answer. */
export function metaOfThresholds(
  book: RateBook,
  rates: readonly Rate[],
  thresholds: readonly Threshold[],
  now: Date,
): Meta {
  return metaOf(book, rates, { records: thresholds, days: FRESH_DAYS.threshold }, now, book.version)
}
