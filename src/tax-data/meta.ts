import type { ProductRule, Provenance, Rate } from '../tax/book/facts.ts'
import { metaOf } from './provenance.ts'
import { FRESH_DAYS } from '../regions.ts'
import type { Meta } from '../tax-data/schemas.ts'

/** The source and age of the data that a calculation used. */
export function metaOfAssessment(
  rates: readonly Rate[],
  rules: readonly ProductRule[],
  now: Date,
  version: string,
): Meta {
  return metaOf(
    rates,
    rules.map((rule) => ({ provenance: rule, days: FRESH_DAYS.product_rule })),
    now,
    version,
  )
}

/** The same for a list of thresholds and the rates of an answer. */
export function metaOfThresholds(
  rates: readonly Rate[],
  thresholds: readonly Provenance[],
  now: Date,
  version: string,
): Meta {
  return metaOf(
    rates,
    thresholds.map((threshold) => ({ provenance: threshold, days: FRESH_DAYS.threshold })),
    now,
    version,
  )
}
