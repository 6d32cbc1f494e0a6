import type { Context } from './context.ts'
import type { Answer } from './http/answers.ts'
import { returnsOfSale } from './obligations/returns-of-sale.ts'
import type { ExplainedTransactionAnswer } from './recorded-sale-answer.ts'
import type { TransactionAsked } from './transactions/schemas.ts'
import { showTransaction } from './transactions/show.ts'
import { findTransaction } from './transactions/store.ts'

/** One recorded sale with all that is asked for. Throws not_found. */
export async function showRecordedSale(
  context: Context,
  by: { id: string } | { external_id: string },
  asked: TransactionAsked,
): Promise<Answer<typeof ExplainedTransactionAnswer>> {
  const sale = await findTransaction(context, by)
  const [shown, returns] = await Promise.all([
    showTransaction(context, sale, asked),
    returnsOfSale(context, sale),
  ])
  return { ...shown, returns }
}
