import * as z from 'zod'
import { batchAnswer } from '../http/batch-answer.ts'
import { PRODUCT_TYPES } from '../tax/product-types.ts'

const Timestamp = z.iso.datetime()
const Amount = z.int()
const Words = z.array(z.string())

export const Meta = z.strictObject({
  source: z.string().nullable(),
  source_url: z.string().nullable(),
  last_verified_at: Timestamp.nullable(),
  data_freshness: z.enum(['fresh', 'stale']),
  data_version: z.string(),
})

const Answered = { meta: Meta, queried_at: Timestamp }

const BreakdownEntry = z.strictObject({
  jurisdiction_id: z.string(),
  tax_type: z.string(),
  category: z.string(),
  rate: z.number(),
  taxable_amount: Amount,
  tax_amount: Amount,
})

const TAXABILITY_REASONS = [
  'reduced_rated',
  'zero_rated',
  'product_exempt',
  'portion_product_exempt',
  'taxable_basis_reduced',
  'customer_exempt',
  'reverse_charge',
  'not_collecting',
  'not_subject_to_tax',
  'not_supported',
  'intra_community_supply',
  'export',
] as const

const Tax = {
  net_amount: Amount,
  taxable: z.boolean(),
  taxable_amount: Amount,
  tax_rate: z.number(),
  tax_amount: Amount,
  taxability_reason: z.enum(TAXABILITY_REASONS).nullable(),
  reason_detail: z.string().nullable(),
  tax_if_registered: Amount.nullable(),
  tax_breakdown: z.array(BreakdownEntry),
  notes: Words,
}

const TaxBehavior = z.enum(['exclusive', 'inclusive'])

const Line = z.strictObject({
  reference: z.string().nullable(),
  amount: Amount,
  quantity: z.int(),
  product_type: z.string(),
  description: z.string().nullable(),
  tax_behavior: TaxBehavior,
  discount: Amount,
  ...Tax,
})

const DecisionReason = z.enum([
  'not_subject_to_tax',
  'established_here',
  'registered',
  'registration_assumed',
  'threshold_exceeded',
  'approaching_threshold',
  'below_threshold',
  'reverse_charge',
  'customer_exempt',
  'product_exempt',
])

const Exemption = z.strictObject({
  id: z.string(),
  jurisdiction_id: z.string(),
  exemption_type: z.enum(['resale', 'nonprofit', 'government', 'other']),
  valid_from: z.string(),
  valid_to: z.string().nullable(),
})

const CALCULATED = {
  currency: z.string(),
  jurisdiction_id: z.string(),
  jurisdiction_name: z.string(),
  coverage: z.enum(['state', 'full']),
  transaction_date: z.iso.date(),
  customer: z.strictObject({
    jurisdiction_id: z.string(),
    vat_id_status: z.enum([
      'none',
      'valid',
      'invalid',
      'format_valid',
      'format_invalid',
      'not_a_customer_id',
    ]),
  }),
  subtotal: Amount,
  discount_amount: Amount,
  tax_amount: Amount,
  total: Amount,
  tax_rate: z.number(),
  seller_registered: z.boolean(),
  reverse_charge: z.boolean(),
  line_items: z.array(Line),
  shipping_cost: z.strictObject({ amount: Amount, tax_behavior: TaxBehavior, ...Tax }).nullable(),
  tax_breakdown: z.array(BreakdownEntry),
  decision: z.strictObject({ collect: z.boolean(), reason: DecisionReason }),
  exemption: Exemption.nullable(),
  notes: Words,
  trace: z
    .array(
      z.strictObject({
        step: z.string(),
        line: z.int().nullable(),
        rule: z.string(),
        outcome: z.string(),
        basis: z.string().nullable(),
      }),
    )
    .optional(),
  meta: Meta,
}

export const CalculateAnswer = z.strictObject({ ...CALCULATED, queried_at: Timestamp })

export const BatchAnswer = batchAnswer(CALCULATED)

const RECORD = { source: z.string(), source_url: z.string(), last_verified_at: Timestamp.nullable() }

export const RatesAnswer = z.strictObject({
  jurisdiction: z
    .strictObject({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      region: z.string(),
      currency: z.string(),
      tax_system: z.string(),
      coverage: z.enum(['state', 'full']),
    })
    .nullable(),
  date: z.iso.date(),
  combined_rate: z.number().nullable(),
  rates: z.array(
    z.strictObject({
      id: z.string(),
      jurisdiction_id: z.string(),
      tax_type: z.string(),
      category: z.string(),
      name: z.string(),
      rate: z.number(),
      effective_from: z.iso.date(),
      effective_to: z.iso.date().nullable(),
      ...RECORD,
    }),
  ),
  total: z.int(),
  ...Answered,
})

export const ThresholdAnswer = z.strictObject({
  id: z.string(),
  jurisdiction_id: z.string(),
  jurisdiction_name: z.string(),
  threshold_type: z.string(),
  scope: z.string(),
  amount: Amount.nullable(),
  currency: z.string(),
  transaction_count: z.int().nullable(),
  combinator: z.enum(['or', 'and']).nullable(),
  amount_test: z.enum(['exceeds', 'reaches']),
  count_test: z.enum(['exceeds', 'reaches']),
  measurement_period: z.string().nullable(),
  included_sales: z.string().nullable(),
  effective_from: z.iso.date(),
  effective_to: z.iso.date().nullable(),
  notes: z.string().nullable(),
  ...RECORD,
})

export const ThresholdsAnswer = z.strictObject({
  thresholds: z.array(ThresholdAnswer),
  total: z.int(),
  ...Answered,
})

export const DecisionAnswer = z.strictObject({
  jurisdiction_id: z.string(),
  collect: z.boolean(),
  reason: DecisionReason,
  reasons: z.array(
    z.strictObject({ code: DecisionReason, outcome: z.enum(['yes', 'no']), detail: z.string() }),
  ),
  seller_registered: z.boolean(),
  must_register: z.boolean(),
  threshold: ThresholdAnswer.nullable(),
  progress: z
    .strictObject({ amount: Amount, currency: z.string(), transaction_count: z.int(), ratio: z.number() })
    .nullable(),
  explanation: z.string(),
  ...Answered,
})

export const ProductTypesAnswer = z.strictObject({
  product_types: z.array(
    z.strictObject({
      id: z.enum(PRODUCT_TYPES.map((product) => product.id)),
      name: z.string(),
      kind: z.enum(['goods', 'digital', 'service', 'on_site', 'shipping']),
      description: z.string(),
    }),
  ),
  total: z.int(),
  queried_at: Timestamp,
})
