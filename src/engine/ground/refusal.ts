/** Why the engine cannot answer. The caller can correct each of these. */
export const REFUSAL_REASONS = [
  'region_required',
  'invalid_region',
  'invalid_postal_code',
  'region_postal_code_mismatch',
  'no_rate_for_date',
  'discount_exceeds_amount',
  'amount_out_of_range',
  'unknown_product_type',
  'fractional_quantity',
] as const

type RefusalReason = (typeof REFUSAL_REASONS)[number]

/**
 * Thrown by the engine if a sale cannot be assessed. `parameter` names the engine's own parameter, e.g.
 * `lines[0].amount`; each endpoint maps it to its field.
 */
export class Refusal extends Error {
  readonly reason: RefusalReason
  readonly parameter: string

  constructor(reason: RefusalReason, parameter: string, message: string) {
    super(message)
    this.reason = reason
    this.parameter = parameter
  }
}
