import { feature, route } from '../../platform/http/route.ts'
import { REFUSAL_REASONS } from '../../engine/ground/refusal.ts'
import { pageOfTransactions } from './read/list.ts'
import { COMPLETE, RECORD, RECORD_BATCH, REFUND, VOID } from './served.ts'
import {
  RefundAnswer,
  TransactionAnswer,
  TransactionBatchAnswer,
  TransactionsAnswer,
  VoidAnswer,
} from './sale/answers.ts'
import {
  RefundRequest,
  TransactionBatchRequest,
  TransactionRequest,
  TransactionsQuery,
} from './sale/schemas.ts'

/** A sale of 100.00 EUR with the tax of its invoice. */
const TRANSACTION_EXAMPLE = {
  external_id: 'order-1001',
  customer: { address: { country: 'DE', postal_code: '10115' } },
  line_items: [
    {
      amount: 10_000,
      quantity: 1,
      product_type: 'saas',
      description: 'Plan, monthly',
      taxable: true,
      tax_rate: 0.19,
      tax_amount: 1_900,
    },
  ],
  currency: 'EUR',
  jurisdiction_id: 'DE',
  seller_registered: true,
}

const tag = 'Transactions'

const serves = ['/v1/transactions']

export const transactionRoutes = feature(serves, [
  route({
    ...RECORD,
    tag,
    operation: 'createTransaction',
    client: 'transactions.create',
    summary: 'Record a transaction, with its tax given or calculated',
    description:
      'If the lines have `tax_amount`, it is recorded as given, and `tax_variance` is its difference from ' +
      'the tax that the service calculates. Otherwise the calculated tax is recorded.',
    errors: [
      ...REFUSAL_REASONS,
      'not_found',
      'unknown_jurisdiction',
      'unknown_product_code',
      'external_id_taken',
      'refund_exceeds_remaining',
      'concurrent_change',
    ],
    body: TransactionRequest,
    example: TRANSACTION_EXAMPLE,
    answer: TransactionAnswer,
  }),
  route({
    method: 'get',
    path: '/v1/transactions',
    scope: 'transactions:read',
    tag,
    operation: 'listTransactions',
    client: 'transactions.list',
    summary: 'List, search and sort the transactions',
    description:
      '`next_cursor` leads to the next page. A page costs the same at any depth. With `currency` or ' +
      '`product_type`, a page can have fewer rows than `limit` although more follow: go on while ' +
      '`has_more` is true.',
    errors: ['unknown_product_type', 'amount_out_of_range'],
    query: TransactionsQuery,
    answer: TransactionsAnswer,
    handle: (context, { query }) => pageOfTransactions(context, query),
  }),
  route({
    ...RECORD_BATCH,
    tag,
    operation: 'createTransactionBatch',
    client: 'transactions.createBatch',
    summary: 'Record up to 50 transactions, each on its own',
    description:
      'A refused transaction has an error instead of data; the others are recorded. The transactions have ' +
      'at most 2,000 lines together.',
    body: TransactionBatchRequest,
    example: { transactions: [{ ...TRANSACTION_EXAMPLE, external_id: 'order-1002' }] },
    answer: TransactionBatchAnswer,
  }),
  route({
    ...REFUND,
    tag,
    operation: 'refundTransaction',
    client: 'transactions.refund',
    params: { id: 'The id of the transaction, `txn_…`' },
    summary: 'Refund a completed transaction, wholly or in part',
    description:
      'The tax is refunded in proportion. Several refunds of the whole amount add up to its tax, to ' +
      'the cent.',
    errors: [
      'transaction_not_refundable',
      'refund_exceeds_remaining',
      'concurrent_change',
      'external_id_taken',
    ],
    body: RefundRequest,
    example: { amount: 5_950, reason: 'Returned by the customer' },
    answer: RefundAnswer,
  }),
  route({
    ...COMPLETE,
    tag,
    operation: 'completeTransaction',
    client: 'transactions.complete',
    params: { id: 'The id of the transaction, `txn_…`' },
    summary: 'Complete a pending transaction',
    errors: ['transaction_not_pending', 'concurrent_change'],
    answer: TransactionAnswer,
  }),
  route({
    ...VOID,
    tag,
    operation: 'voidTransaction',
    client: 'transactions.void',
    params: { id: 'The id of the transaction, `txn_…`' },
    summary: 'Void a pending transaction',
    errors: ['transaction_not_pending', 'concurrent_change'],
    answer: VoidAnswer,
  }),
])
