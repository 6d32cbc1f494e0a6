import { late } from '../../platform/kit/late.ts'
import { feature, route } from '../../platform/http/route.ts'
import { REFUSAL_REASONS } from '../../engine/ground/refusal.ts'
import {
  type TransactionAsked,
  TransactionQuery,
  TransactionRequest,
} from '../../sales/transactions/sale/schemas.ts'
import { TransactionAnswer } from '../../sales/transactions/sale/answers.ts'
import { ExplainedTransactionAnswer } from './answer.ts'
import type { Context } from '../../platform/context.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { returnsOfSale } from '../obligations/returns-of-sale.ts'
import { showTransaction } from '../../sales/transactions/read/show.ts'
import { readTransaction } from '../../sales/transactions/sale/store.ts'

const reading = { tag: 'Transactions', method: 'get', scope: 'transactions:read' } as const

const serves = ['/v1/transactions/']

const deleting = late(() => import('../../sales/transactions/give-back/delete-refund.ts'))
const saving = late(() => import('../../sales/transactions/record/save-again.ts'))

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
    method: 'put',
    path: '/v1/transactions/external/:external_id',
    scope: 'transactions:write',
    tag: 'Transactions',
    operation: 'recordTransactionByExternalId',
    client: 'transactions.saveByExternalId',
    params: { external_id: 'Your own reference' },
    summary: 'Record a transaction, in place of the one with this reference',
    description:
      'For systems that save an invoice several times. A pending or completed sale that has no refund, no ' +
      'credit note, no final sale and no filed return is replaced: it stays as `superseded`, with ' +
      '`superseded_by`. The same content again changes nothing and answers the same sale. Without ' +
      '`transaction_date`, the sale keeps its day.',
    errors: [
      ...REFUSAL_REASONS,
      'not_found',
      'unknown_jurisdiction',
      'unknown_product_code',
      'transaction_not_replaceable',
      'period_already_filed',
      'refund_exceeds_remaining',
      'concurrent_change',
    ],
    body: TransactionRequest,
    example: {
      currency: 'EUR',
      customer: { address: { country: 'DE', postal_code: '10115' } },
      line_items: [{ amount: 12_000, product_type: 'saas' }],
    },
    answer: TransactionAnswer,
    handle: async (context, { params, body }) =>
      (await saving.load()).saveTransaction(context, params.external_id, body),
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
  const sale = await readTransaction(context, by)
  const [shown, returns] = await Promise.all([
    showTransaction(context, sale, asked),
    returnsOfSale(context, sale),
  ])
  return { ...shown, returns }
}
