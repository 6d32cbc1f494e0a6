import type { Context } from '../../platform/context.ts'
import { calculateBatch, calculateTax } from './calculate.ts'
import { checkCalculation, checkCalculationBatch } from './check-request.ts'
import type { CalculateBatchBody, CalculateRequested } from './schemas.ts'

/**
 * The routes that a checkout calls while a buyer waits, as they are served. A start evaluates them. routes.ts
 * adds what only documents them: to evaluate the schemas takes half of a start.
 */
export const CALCULATE = {
  method: 'post',
  path: '/v1/calculate',
  scope: 'tax:read',
  checkBody: checkCalculation,
  handle: (context: Context, { body }: { body: CalculateRequested }) => calculateTax(context, body),
} as const

export const CALCULATE_BATCH = {
  method: 'post',
  path: '/v1/calculate/batch',
  scope: 'tax:read',
  checkBody: checkCalculationBatch,
  handle: (context: Context, { body }: { body: CalculateBatchBody }) =>
    calculateBatch(context, body.calculations),
} as const
