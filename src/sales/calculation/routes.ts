import { PRODUCT_DESCRIPTIONS } from '../../engine/book/product-descriptions.ts'
import { feature, route } from '../../platform/http/route.ts'
import {
  broaderType,
  PRODUCT_TYPE_IDS,
  PRODUCT_TYPES,
  type ProductTypeName,
} from '../../engine/book/product-types.ts'
import { REFUSAL_REASONS } from '../../engine/ground/refusal.ts'
import {
  CalculateAnswer,
  CalculateBatchAnswer,
  DecisionAnswer,
  ProductTypesAnswer,
  RatesAnswer,
  ThresholdsAnswer,
} from './answers.ts'
import { decideCollect } from './decision.ts'
import { listRates } from './rates.ts'
import { CalculateBatchRequest, CalculateRequest } from './schemas.ts'
import { DecisionRequest, RatesQuery, ThresholdsQuery } from './rule-schemas.ts'
import { CALCULATE, CALCULATE_BATCH } from './served.ts'
import { listThresholds } from './thresholds.ts'

/** A company in Germany sells software to a consumer in Paris. */
const CALCULATION_EXAMPLE = {
  currency: 'EUR',
  seller: { country: 'DE', registrations: ['oss_union'] },
  customer: { address: { country: 'FR', postal_code: '75002', city: 'Paris' } },
  line_items: [{ reference: 'plan-monthly', amount: 1999, product_type: 'saas' }],
}

const productTypes = PRODUCT_TYPES.map((each) => ({
  id: each.id,
  name: each.name,
  kind: each.kind,
  description: PRODUCT_DESCRIPTIONS[each.id],
  broader: broaderOf(each.id),
}))

/** The type whose rule is used if a place has none for this one; null: there is none. */
function broaderOf(id: ProductTypeName): ProductTypeName | null {
  const broader = broaderType(id)
  return PRODUCT_TYPE_IDS.find((each) => each === broader?.id) ?? null
}

const serves = ['/v1/calculate', '/v1/rates', '/v1/thresholds', '/v1/decision/', '/v1/metadata/product-types']

export const calculationRoutes = feature(serves, [
  route({
    ...CALCULATE,
    body: CalculateRequest,
    operation: 'calculateTax',
    client: 'calculate',
    tag: 'Calculation',
    summary: 'Calculate tax for a transaction',
    description:
      'Nothing is recorded. After the payment, send the whole answer to `POST /v1/transactions` as ' +
      '`calculation`, or its `calculation_token`: the cart sent again would be calculated again. With ' +
      '`explain: true` the answer lists each rule that was applied, and why.',
    errors: [
      ...REFUSAL_REASONS,
      'not_found',
      'unknown_jurisdiction',
      'unknown_product_code',
      'data_version_not_found',
    ],
    example: CALCULATION_EXAMPLE,
    answer: CalculateAnswer,
  }),
  route({
    ...CALCULATE_BATCH,
    body: CalculateBatchRequest,
    operation: 'calculateTaxBatch',
    client: 'calculateBatch',
    tag: 'Calculation',
    summary: 'Calculate up to 100 transactions, each on its own',
    description:
      'A refused calculation has an error instead of data. A batch may use at most four data versions. Its ' +
      'calculations have at most 2,000 lines together, 500 of them with `explain` or `compare`.',
    example: { calculations: [CALCULATION_EXAMPLE] },
    answer: CalculateBatchAnswer,
  }),
  route({
    method: 'get',
    path: '/v1/rates',
    operation: 'getRates',
    client: 'rates',
    scope: 'tax:read',
    tag: 'Rules',
    summary: 'Tax rates of a jurisdiction or region',
    errors: ['invalid_jurisdiction', 'data_version_not_found', ...REFUSAL_REASONS],
    query: RatesQuery,
    answer: RatesAnswer,
    etag: true,
    // The rates of an address depend on the local book too, and those of an earlier version on no clock.
    repeats: ({ postal_code, data_version }) => postal_code === undefined && data_version === undefined,
    handle: (context, { query }) => listRates(context, query),
  }),
  route({
    method: 'get',
    path: '/v1/thresholds',
    operation: 'listThresholds',
    client: 'thresholds',
    scope: 'tax:read',
    tag: 'Rules',
    summary: 'Nexus and registration thresholds',
    errors: ['invalid_jurisdiction'],
    query: ThresholdsQuery,
    answer: ThresholdsAnswer,
    etag: true,
    repeats: () => true,
    handle: (context, { query }) => listThresholds(context, query),
  }),
  route({
    method: 'post',
    path: '/v1/decision/collect',
    operation: 'decideCollection',
    client: 'decide',
    scope: 'tax:read',
    tag: 'Rules',
    summary: 'Decide whether tax has to be collected',
    description:
      'Decides by your registrations. Without one, decides by the threshold and `sales`. ' +
      'If `sales` is left out, the recorded transactions count.',
    errors: [...REFUSAL_REASONS, 'not_found', 'invalid_jurisdiction', 'unknown_jurisdiction'],
    body: DecisionRequest,
    example: {
      jurisdiction_id: 'US-WA',
      sales: { amount: 9_000_000, currency: 'USD', transaction_count: 120 },
    },
    answer: DecisionAnswer,
    handle: (context, { body }) => decideCollect(context, body),
  }),
  route({
    method: 'get',
    path: '/v1/metadata/product-types',
    operation: 'listProductTypes',
    client: 'metadata.productTypes',
    scope: 'tax:read',
    tag: 'Metadata',
    summary: 'List the product types',
    answer: ProductTypesAnswer,
    etag: true,
    handle: () => ({ product_types: productTypes, total: productTypes.length }),
  }),
])
