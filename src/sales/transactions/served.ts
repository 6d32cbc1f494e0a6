import type { Context } from '../../platform/context.ts'
import { type ServedRoute, servedRoute } from '../../platform/http/route.ts'
import { checkRefund, checkTransaction, checkTransactionBatch } from './sale/check-request.ts'
import { completeTransaction, voidTransaction } from './record/move-pending.ts'
import { recordTransactions } from './record/record-batch.ts'
import { recordTransaction } from './record/record.ts'
import { refundTransaction } from './give-back/refund.ts'
import type { RefundBody, TransactionBatchBody, TransactionRequested } from './sale/schemas.ts'

/** How a shop writes its sales, as it is served. routes.ts adds what only documents these routes. */
const writing = { method: 'post', scope: 'transactions:write', idempotent: true } as const

type OfOne = { params: { id: string } }

export const RECORD = {
  ...writing,
  path: '/v1/transactions',
  status: 201,
  checkBody: checkTransaction,
  handle: (context: Context, { body }: { body: TransactionRequested }) => recordTransaction(context, body),
} as const

export const RECORD_BATCH = {
  ...writing,
  path: '/v1/transactions/batch',
  checkBody: checkTransactionBatch,
  handle: (context: Context, { body }: { body: TransactionBatchBody }) =>
    recordTransactions(context, body.transactions),
} as const

export const REFUND = {
  ...writing,
  path: '/v1/transactions/:id/refund',
  checkBody: checkRefund,
  handle: (context: Context, { params, body }: OfOne & { body: RefundBody }) =>
    refundTransaction(context, params.id, body),
} as const

export const COMPLETE = {
  ...writing,
  path: '/v1/transactions/:id/complete',
  handle: (context: Context, { params }: OfOne) => completeTransaction(context, params.id),
} as const

export const VOID = {
  ...writing,
  path: '/v1/transactions/:id/void',
  handle: (context: Context, { params }: OfOne) => voidTransaction(context, params.id),
} as const

/** All of them. A start of them evaluates no schema. */
export const writtenSales: readonly ServedRoute[] = [
  servedRoute(RECORD),
  servedRoute(RECORD_BATCH),
  servedRoute(REFUND),
  servedRoute(COMPLETE),
  servedRoute(VOID),
]
