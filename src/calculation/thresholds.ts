import { dayOf } from '../days.ts'
import type * as z from 'zod'
import type { Context } from '../context.ts'
import type { Answer } from '../http/answers.ts'
import type { Threshold } from '../tax/facts.ts'
import { inForce, type RateBook } from '../tax/rate-book.ts'
import type { Threshold as ThresholdAnswer, ThresholdsAnswer } from './answers.ts'
import { bookFor, nameOf } from './calculate.ts'
import { metaOfThresholds } from './meta.ts'
import { findJurisdiction } from './rates.ts'
import type { ThresholdsQuery } from './schemas.ts'

/** The thresholds in force on a day, of all jurisdictions or those asked for. */
export async function listThresholds(
  context: Context,
  query: z.output<typeof ThresholdsQuery>,
): Promise<Answer<typeof ThresholdsAnswer>> {
  const book = await bookFor(context, null)
  const day = query.date ?? dayOf(context.now)
  const jurisdiction_id =
    query.jurisdiction === undefined ? null : findJurisdiction(book, query.jurisdiction).id
  const thresholds = book.facts.thresholds.filter(
    (threshold) =>
      inForce(threshold, day) &&
      (jurisdiction_id === null || threshold.jurisdiction_id === jurisdiction_id) &&
      (query.region === undefined ||
        book.jurisdictions.get(threshold.jurisdiction_id)?.region === query.region) &&
      (query.type === undefined || threshold.threshold_type === query.type),
  )
  return {
    thresholds: thresholds.map((threshold) => presentThreshold(book, threshold)),
    total: thresholds.length,
    meta: metaOfThresholds([], thresholds, context.now, book.version),
  }
}

/** A threshold as the API shows it; the amount in minor units. */
export function presentThreshold(book: RateBook, threshold: Threshold): Answer<typeof ThresholdAnswer> {
  return {
    id: threshold.id,
    jurisdiction_id: threshold.jurisdiction_id,
    jurisdiction_name: nameOf(book, threshold.jurisdiction_id),
    threshold_type: threshold.threshold_type,
    scope: threshold.scope,
    amount: threshold.amount,
    currency: threshold.currency,
    transaction_count: threshold.transaction_count,
    combinator: threshold.combinator,
    amount_test: threshold.amount_test,
    count_test: threshold.count_test,
    measurement_period: threshold.measurement_period,
    included_sales: threshold.included_sales,
    effective_from: threshold.effective_from,
    effective_to: threshold.effective_to,
    notes: threshold.notes,
    source: threshold.source,
    source_url: threshold.source_url,
    last_verified_at: threshold.last_verified_at,
  }
}
