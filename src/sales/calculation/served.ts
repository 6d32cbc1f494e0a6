import type { Context } from '../../platform/context.ts'
import { calculateBatch, calculateTax } from './calculate.ts'
import {
  type CalculateBatchBody,
  CalculateBatchRequest,
  CalculateRequest,
  type CalculateRequested,
} from './schemas.ts'

/**
 * The routes that a checkout calls while a buyer waits, as they are served. A start evaluates them. routes.ts
 * adds what only documents them: to evaluate the schemas of the answers takes an eighth of a start.
 */
export const CALCULATE = {
  method: 'post',
  path: '/v1/calculate',
  scope: 'tax:read',
  body: CalculateRequest,
  handle: (context: Context, { body }: { body: CalculateRequested }) => calculateTax(context, body),
} as const

export const CALCULATE_BATCH = {
  method: 'post',
  path: '/v1/calculate/batch',
  scope: 'tax:read',
  body: CalculateBatchRequest,
  handle: (context: Context, { body }: { body: CalculateBatchBody }) =>
    calculateBatch(context, body.calculations),
} as const
