import { type CheckBody, checkQuickly } from '../../../platform/http/check-body.ts'
import { quickRefund, quickTransaction, quickTransactionBatch } from './quick-checks.generated.ts'
import type { RefundBody, TransactionBatchBody, TransactionRequested } from './schemas.ts'

/** Checks a sale to record without zod, unless it is at fault. */
export const checkTransaction: CheckBody<TransactionRequested> = checkQuickly(
  quickTransaction,
  async () => (await import('./schemas.ts')).TransactionRequest,
)

export const checkTransactionBatch: CheckBody<TransactionBatchBody> = checkQuickly(
  quickTransactionBatch,
  async () => (await import('./schemas.ts')).TransactionBatchRequest,
)

export const checkRefund: CheckBody<RefundBody> = checkQuickly(
  quickRefund,
  async () => (await import('./schemas.ts')).RefundRequest,
)
