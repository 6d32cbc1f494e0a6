/** Why the engine cannot answer a sale: always something that the caller can mend. */
export const REFUSAL_REASONS = [
  'region_required',
  'invalid_region',
  'invalid_postal_code',
  'region_postal_code_mismatch',
  'no_rate_for_date',
  'discount_exceeds_amount',
  'amount_out_of_range',
  'unknown_product_type',
] as const

export type RefusalReason = (typeof REFUSAL_REASONS)[number]

/** Thrown by the engine when the sale cannot be assessed. `path` names the field of the request. */
export class Refusal extends Error {
  readonly reason: RefusalReason
  readonly path: string

  constructor(reason: RefusalReason, path: string, message: string) {
    super(message)
    this.reason = reason
    this.path = path
  }
}
