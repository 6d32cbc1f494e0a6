import { bookFor } from '../../tax-data/records/book-for.ts'
import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { findExemption } from '../../engine/sale/exemptions.ts'
import type { ExemptionCheckAnswer } from './schemas.ts'
import { readFreeingExemptions } from './store.ts'

/**
 * Whether the customer is exempt in a jurisdiction on a day, as for a sale of goods there.
 * A certificate for resale frees no services; the calculation looks at the product too.
 */
export async function checkExemption(
  context: Context,
  customer_id: string,
  jurisdiction_id: string,
  day: string,
): Promise<Answer<typeof ExemptionCheckAnswer>> {
  const book = await bookFor(context)
  if (!book.jurisdictions.has(jurisdiction_id)) {
    throw fieldError(
      'unknown_jurisdiction',
      'jurisdiction_id',
      `${JSON.stringify(jurisdiction_id)} is unknown`,
    )
  }
  const freeing = await readFreeingExemptions(context, customer_id)
  const found = findExemption(book, freeing, jurisdiction_id, 'goods', day)
  const answer = {
    customer_id,
    jurisdiction_id,
    is_exempt: found !== null,
    checked_at: context.now.toISOString(),
  }
  if (found === null) return answer
  const { id, exemption_type, status, valid_from, valid_to } = found
  return { ...answer, exemption: { id, exemption_type, status, valid_from, valid_to } }
}
