import { z } from 'zod'
import { type Route, route } from '../http/route.ts'
import { PRODUCT_TYPES } from '../tax/product-types.ts'
import { calculate, calculateBatch } from './calculate.ts'
import { decideCollect } from './decision.ts'
import { listRates } from './rates.ts'
import { BatchRequest, CalculateRequest, DecisionRequest, RatesQuery, ThresholdsQuery } from './schemas.ts'
import { listThresholds } from './thresholds.ts'

const Answer = z.looseObject({ queried_at: z.iso.datetime() })
const WithMeta = Answer.extend({
  meta: z.looseObject({
    source: z.string().nullable(),
    source_url: z.string().nullable(),
    last_verified_at: z.string().nullable(),
    data_freshness: z.enum(['fresh', 'stale']),
    data_version: z.string(),
  }),
})

export const calculationRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/v1/calculate',
    scope: 'tax:read',
    tag: 'Calculation',
    summary: 'Calculate tax for a transaction',
    body: CalculateRequest,
    answer: WithMeta.extend({ tax_amount: z.int(), subtotal: z.int(), total: z.int(), tax_rate: z.number() }),
    handle: (context, { body }) => calculate(context, body),
  }),
  route({
    method: 'post',
    path: '/v1/calculate/batch',
    scope: 'tax:read',
    tag: 'Calculation',
    summary: 'Calculate up to 100 transactions, each on its own',
    body: BatchRequest,
    answer: Answer.extend({ results: z.array(z.unknown()), summary: z.object({ total: z.int(), succeeded: z.int(), failed: z.int() }) }),
    handle: (context, { body }) => calculateBatch(context, body.calculations),
  }),
  route({
    method: 'get',
    path: '/v1/rates',
    scope: 'tax:read',
    tag: 'Rules',
    summary: 'Tax rates of a jurisdiction or region',
    query: RatesQuery,
    answer: WithMeta,
    handle: (context, { query }) => listRates(context, query),
  }),
  route({
    method: 'get',
    path: '/v1/thresholds',
    scope: 'tax:read',
    tag: 'Rules',
    summary: 'Nexus and registration thresholds',
    query: ThresholdsQuery,
    answer: WithMeta,
    handle: (context, { query }) => listThresholds(context, query),
  }),
  route({
    method: 'post',
    path: '/v1/decision/collect',
    scope: 'tax:read',
    tag: 'Rules',
    summary: 'Decide whether tax has to be collected',
    body: DecisionRequest,
    answer: WithMeta,
    handle: (context, { body }) => decideCollect(context, body),
  }),
  route({
    method: 'get',
    path: '/v1/metadata/product-types',
    scope: 'tax:read',
    tag: 'Metadata',
    summary: 'List the product types',
    answer: Answer.extend({ product_types: z.array(z.unknown()), total: z.int() }),
    handle: () => ({ product_types: PRODUCT_TYPES, total: PRODUCT_TYPES.length }),
  }),
]
