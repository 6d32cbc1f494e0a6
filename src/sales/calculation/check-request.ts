import { type CheckBody, checkQuickly } from '../../platform/http/check-body.ts'
import { late } from '../../platform/kit/late.ts'
import { quickCalculation, quickCalculationBatch } from './quick-checks.generated.ts'
import type { CalculateBatchBody, CalculateRequested } from './schemas.ts'

const schemas = late(() => import('./schemas.ts'))

/** Checks the request of a calculation without zod, unless it is at fault. */
export const checkCalculation: CheckBody<CalculateRequested> = checkQuickly(
  quickCalculation,
  async () => (await schemas.load()).CalculateRequest,
)

export const checkCalculationBatch: CheckBody<CalculateBatchBody> = checkQuickly(
  quickCalculationBatch,
  async () => (await schemas.load()).CalculateBatchRequest,
)
