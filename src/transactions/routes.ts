import { type Route, route } from '../http/route.ts'
import { pageOfTransactions } from './list.ts'
import { completeTransaction, voidTransaction } from './move-pending.ts'
import { presentTransaction } from './present.ts'
import { recordTransactions } from './record-batch.ts'
import { recordTransaction } from './record.ts'
import { refundTransaction } from './refund.ts'
import {
  RefundAnswer,
  RefundRequest,
  TransactionAnswer,
  TransactionBatchAnswer,
  TransactionBatchRequest,
  TransactionRequest,
  TransactionsAnswer,
  TransactionsQuery,
  VoidAnswer,
} from './schemas.ts'
import { findTransaction } from './store.ts'

/** A sale of 100.00 EUR with the tax of its invoice. */
const TRANSACTION_EXAMPLE = {
  external_id: 'order-1001',
  customer: { address: { country: 'DE', postal_code: '10115' } },
  line_items: [
    { amount: 10_000, quantity: 1, product_type: 'saas', description: 'Plan, monthly', taxable: true, tax_rate: 0.19, tax_amount: 1_900 },
  ],
  currency: 'EUR',
  jurisdiction_id: 'DE',
  seller_registered: true,
}

const reading = { tag: 'Transactions', method: 'get', scope: 'transactions:read' } as const
const writing = { tag: 'Transactions', method: 'post', scope: 'transactions:write', idempotent: true } as const

export const transactionRoutes: readonly Route[] = [
  route({
    ...writing,
    path: '/v1/transactions',
    summary: 'Record a transaction, with its tax given or calculated',
    status: 201,
    body: TransactionRequest,
    example: TRANSACTION_EXAMPLE,
    answer: TransactionAnswer,
    handle: (context, { body }) => recordTransaction(context, body),
  }),
  route({
    ...reading,
    path: '/v1/transactions',
    summary: 'List the transactions, newest first',
    query: TransactionsQuery,
    answer: TransactionsAnswer,
    handle: (context, { query }) => pageOfTransactions(context, query),
  }),
  route({
    ...writing,
    path: '/v1/transactions/batch',
    summary: 'Record up to 50 transactions; each stands or falls alone',
    body: TransactionBatchRequest,
    example: { transactions: [{ ...TRANSACTION_EXAMPLE, external_id: 'order-1002' }] },
    answer: TransactionBatchAnswer,
    handle: (context, { body }) => recordTransactions(context, body.transactions),
  }),
  route({
    ...reading,
    path: '/v1/transactions/external/:externalId',
    summary: 'One transaction by the caller’s own reference',
    answer: TransactionAnswer,
    handle: async (context, { params }) => presentTransaction(await findTransaction(context, { external_id: params['externalId'] ?? '' })),
  }),
  route({
    ...reading,
    path: '/v1/transactions/:id',
    summary: 'One transaction',
    answer: TransactionAnswer,
    handle: async (context, { params }) => presentTransaction(await findTransaction(context, { id: params['id'] ?? '' })),
  }),
  route({
    ...writing,
    path: '/v1/transactions/:id/refund',
    summary: 'Refund a completed transaction, wholly or in part',
    body: RefundRequest,
    example: { amount: 5_950, reason: 'Returned by the customer' },
    answer: RefundAnswer,
    handle: (context, { params, body }) => refundTransaction(context, params['id'] ?? '', body),
  }),
  route({
    ...writing,
    path: '/v1/transactions/:id/complete',
    summary: 'Complete a pending transaction',
    answer: TransactionAnswer,
    handle: (context, { params }) => completeTransaction(context, params['id'] ?? ''),
  }),
  route({
    ...writing,
    path: '/v1/transactions/:id/void',
    summary: 'Void a pending transaction',
    answer: VoidAnswer,
    handle: (context, { params }) => voidTransaction(context, params['id'] ?? ''),
  }),
]
