import * as z from 'zod'
import { OBLIGATION_DOCUMENTS } from '../../platform/database/values/return-statuses.ts'
import { Timestamp } from '../../platform/http/answers.ts'
import { JurisdictionType, LawRegion, RateCategory, TaxType } from '../../platform/http/tax-enums.ts'
import { TREATMENTS } from '../../engine/book/facts.ts'

/** What an authority says of a VAT id. */
export const VatAnswer = z.enum(['valid', 'invalid'])

const JURISDICTION = { jurisdiction_id: z.string(), jurisdiction_name: z.string() }

/** Rates as fractions. */
export const RateUpdate = z.strictObject({
  ...JURISDICTION,
  tax_type: TaxType,
  category: RateCategory,
  old_rate: z.number(),
  new_rate: z.number(),
  effective_from: z.iso.date(),
})

/** Amounts in minor units. */
export const ThresholdUpdate = z.strictObject({
  ...JURISDICTION,
  threshold_type: z.string(),
  old_amount: z.int().nullable(),
  new_amount: z.int().nullable(),
  currency: z.string(),
  effective_from: z.iso.date(),
})

export const Treatment = z.enum(TREATMENTS)

/** The effective_from of a rule may be null: it always applied. */
export const RuleUpdate = z.strictObject({
  ...JURISDICTION,
  tax_type: TaxType,
  product_type: z.string(),
  old_treatment: Treatment,
  new_treatment: Treatment,
  old_category: RateCategory.nullable(),
  new_category: RateCategory.nullable(),
  effective_from: z.iso.date().nullable(),
})

export const NewJurisdiction = z.strictObject({
  ...JURISDICTION,
  region: LawRegion,
  type: JurisdictionType,
  parent_id: z.string().nullable(),
  effective_from: z.iso.date().nullable(),
})

export const CompletedSync = z.strictObject({
  region: z.string(),
  records_updated: z.int(),
  duration_ms: z.int(),
})

/** The change of a local rate as fractions; null: it had none before, or has none after. */
export const LocalRateChange = z.strictObject({
  ...JURISDICTION,
  old_rate: z.number().nullable(),
  new_rate: z.number().nullable(),
  effective_from: z.iso.date().nullable(),
})

/** The changes of the local rates of a state on a day. */
export const LocalRatesUpdate = z.strictObject({
  ...JURISDICTION,
  source: z.string(),
  changed: z.int(),
  changes: z.array(LocalRateChange).describe('The first 50 changes'),
})

export const DisabledWebhook = z.strictObject({
  webhook_id: z.string(),
  url: z.string(),
  consecutive_failures: z.int(),
  last_failed_at: Timestamp.nullable(),
})

export const EndingExemption = z.strictObject({
  exemption_id: z.string(),
  customer_id: z.string(),
  jurisdiction_id: z.string(),
  valid_to: z.iso.date(),
})

/** A return that is due. `last_date` is later than `due_date` if the law moves a weekend. */
export const DueReturnData = z.strictObject({
  document: z
    .enum(OBLIGATION_DOCUMENTS)
    .describe('`ec_sales_list`: the recapitulative statement that the return of `type` has as a file'),
  registration_id: z.string(),
  jurisdiction_id: z.string().nullable(),
  scheme: z.string().nullable(),
  type: z.string().nullable(),
  period: z.string(),
  from_date: z.iso.date(),
  to_date: z.iso.date(),
  due_date: z.iso.date(),
  last_date: z.iso.date(),
})

/**
 * Recorded sales beside the threshold of a jurisdiction in which the seller is not registered. Amounts in
 * minor units of `currency`; null: the threshold has no such limit. `ratio` is 1 at the threshold.
 */
export const MeasuredThresholdData = z.strictObject({
  ...JURISDICTION,
  threshold_type: z.string(),
  threshold_amount: z.int().nullable(),
  threshold_transactions: z.int().nullable(),
  amount: z.int(),
  transaction_count: z.int(),
  currency: z.string(),
  ratio: z.number(),
  measured_from: z.iso.date(),
  measured_to: z.iso.date(),
})

/** The result of the check before, and of this one. The customer has the VAT id and the company's name. */
export const ChangedVatId = z.strictObject({
  customer_id: z.string(),
  country_code: z.string(),
  old_status: VatAnswer,
  new_status: VatAnswer,
  checked_at: Timestamp,
})

/** Amounts in minor units. */
export const CreatedTransaction = z.strictObject({
  transaction_id: z.string(),
  external_id: z.string().nullable(),
  status: z.string(),
  jurisdiction_id: z.string(),
  currency: z.string(),
  total: z.int(),
  tax_amount: z.int(),
})

/** Amounts in minor units. */
export const RefundedTransaction = z.strictObject({
  transaction_id: z.string(),
  refund_id: z.string(),
  amount: z.int(),
  tax_amount: z.int(),
  currency: z.string(),
})

/** The data of a challenge. A receiver that wants the events answers with the text `challenge`. */
export const WebhookChallenge = z.strictObject({
  webhook_id: z.string(),
  challenge: z.string().describe('The text that the answer must have as its body'),
})

/** The data of a test event. */
export const WebhookTest = z.strictObject({ webhook_id: z.string(), message: z.string() })
