import { fieldError } from '../../../platform/errors.ts'
import type { RateBook } from '../../../engine/book/rate-book.ts'

/** The type of the line that records the retail delivery fee of a sale. No request names it. */
export const FEE_LINE = 'retail_delivery_fee'

/** A fee of a sale to record, in minor units. */
export type FeeToRecord = { jurisdiction_id: string; tax_amount: number }

/** Throws invalid_request for a place that levies no such fee. */
export function refuseUnknownFees(book: RateBook, fees: readonly FeeToRecord[]): void {
  fees.forEach(({ jurisdiction_id }, index) => {
    if (!book.delivery_fees.has(jurisdiction_id))
      throw fieldError(
        'invalid_request',
        `fees[${index}].jurisdiction_id`,
        `${JSON.stringify(jurisdiction_id)} levies no retail delivery fee`,
      )
  })
}
