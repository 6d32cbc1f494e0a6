import { dayOfRequest } from './day-of-request.ts'
import type * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { inForce } from '../../engine/book/rate-book.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import { findJurisdiction } from '../../tax-data/records/find-jurisdiction.ts'
import { metaOfThresholds } from '../../tax-data/records/meta.ts'
import { presentThreshold } from '../../tax-data/records/present-facts.ts'
import type { Answer } from '../../platform/http/answers.ts'
import type { ThresholdsAnswer } from './answers.ts'
import type { ThresholdsQuery } from './rule-schemas.ts'

/** The thresholds in force on a day, of all jurisdictions or those asked for. */
export async function listThresholds(
  context: Context,
  query: z.output<typeof ThresholdsQuery>,
): Promise<Answer<typeof ThresholdsAnswer>> {
  const book = await bookFor(context)
  const day = dayOfRequest(context, query.date)
  const jurisdiction_id =
    query.jurisdiction === undefined ? null : findJurisdiction(book, query.jurisdiction, 'jurisdiction').id
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
    notes: thresholds.length === 0 ? [`No threshold in the data fits this question on ${day}`] : [],
    meta: metaOfThresholds(book, [], thresholds, context.now),
  }
}
