import { type CheckBody, checkQuickly } from '../../../platform/http/check-body.ts'
import { late } from '../../../platform/kit/late.ts'
import { quickRefund, quickTransaction, quickTransactionBatch } from './quick-checks.generated.ts'
import type { RefundBody, TransactionBatchBody, TransactionRequested } from './schemas.ts'

const schemas = late(() => import('./schemas.ts'))

/** Checks a sale to record without zod, unless it is at fault. */
export const checkTransaction: CheckBody<TransactionRequested> = checkQuickly(
  quickTransaction,
  async () => (await schemas.load()).TransactionRequest,
)

export const checkTransactionBatch: CheckBody<TransactionBatchBody> = checkQuickly(
  quickTransactionBatch,
  async () => (await schemas.load()).TransactionBatchRequest,
)

export const checkRefund: CheckBody<RefundBody> = checkQuickly(
  quickRefund,
  async () => (await schemas.load()).RefundRequest,
)
