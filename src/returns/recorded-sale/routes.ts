import { late } from '../../platform/kit/late.ts'
import { feature, route } from '../../platform/http/route.ts'
import { type TransactionAsked, TransactionQuery } from '../../sales/transactions/sale/schemas.ts'
import { TransactionAnswer } from '../../sales/transactions/sale/answers.ts'
import { ExplainedTransactionAnswer } from './answer.ts'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { returnsOfSale } from '../obligations/returns-of-sale.ts'
import { showTransaction } from '../../sales/transactions/read/show.ts'
import { findTransaction } from '../../sales/transactions/sale/store.ts'

const reading = { tag: 'Transactions', method: 'get', scope: 'transactions:read' } as const

const serves = ['/v1/transactions/']

const deleting = late(() => import('../../sales/transactions/give-back/delete-refund.ts'))

/** A sale is shown here, not in sales/, because its answer names the returns that it is in. */
export const recordedSaleRoutes = feature(serves, [
  route({
    ...reading,
    path: '/v1/transactions/external/:external_id',
    operation: 'getTransactionByExternalId',
    client: 'transactions.getByExternalId',
    params: { external_id: 'Your own reference' },
    summary: 'One transaction by your own reference',
    query: TransactionQuery,
    answer: ExplainedTransactionAnswer,
    handle: (context, { params, query }) =>
      showRecordedSale(context, { external_id: params.external_id }, query),
  }),
  route({
    ...reading,
    path: '/v1/transactions/:id',
    operation: 'getTransaction',
    client: 'transactions.get',
    params: { id: 'The id of the transaction, `txn_…`' },
    summary: 'One transaction, and on request the reason for its tax',
    description:
      'The explanation is what was decided when the sale was recorded. It is never calculated again, so ' +
      'later registrations, certificates and rates leave it as it is. `einvoice` adds the view of its ' +
      'invoice. `returns` names the returns that the sale is in.',
    query: TransactionQuery,
    answer: ExplainedTransactionAnswer,
    handle: (context, { params, query }) => showRecordedSale(context, { id: params.id }, query),
  }),
  route({
    method: 'delete',
    path: '/v1/transactions/:id/refunds/:refund_id',
    scope: 'transactions:write',
    tag: 'Transactions',
    operation: 'deleteRefund',
    client: 'transactions.deleteRefund',
    params: { id: 'The id of the transaction, `txn_…`', refund_id: 'The id of the refund, `rfd_…`' },
    summary: 'Delete a refund that failed, or of a dispute that was won',
    description:
      'The refund then counts nowhere, and the answer is the transaction without it. A refund of a filed ' +
      'return stays: record a transaction with `credit_note_for` and a positive line instead.',
    errors: [
      'not_found',
      'period_already_filed',
      'refund_not_latest',
      'refund_exceeds_remaining',
      'concurrent_change',
    ],
    answer: TransactionAnswer,
    handle: async (context, { params }) =>
      (await deleting.load()).deleteRefundOfSale(context, params.id, params.refund_id),
  }),
])

/** One recorded sale with all that is asked for. Throws not_found. */
async function showRecordedSale(
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
