import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { returnsOfSale } from '../obligations/returns-of-sale.ts'
import type { ExplainedTransactionAnswer } from './answer.ts'
import type { TransactionAsked } from '../../sales/transactions/schemas.ts'
import { showTransaction } from '../../sales/transactions/show.ts'
import { findTransaction } from '../../sales/transactions/store.ts'

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
