/** The state of the VAT id of a sale's customer. */
export const VAT_ID_STATUSES = [
  'none',
  'valid',
  'invalid',
  'format_valid',
  'format_invalid',
  'not_a_customer_id',
] as const
export type VatIdStatus = (typeof VAT_ID_STATUSES)[number]

/** The answers of an authority about a VAT id. An outage is `unavailable`, never `invalid`. */
export const VALIDATION_STATUSES = ['valid', 'invalid', 'unavailable'] as const

/** What is known of an id of a check of many: the answer, or that it is still asked about. */
export const CHECKED_STATUSES = ['pending', ...VALIDATION_STATUSES] as const

/** How the validation of a customer's VAT id ended, or whether it is tried again. */
export const KEPT_VALIDATION_STATUSES = ['pending', 'valid', 'invalid', 'given_up'] as const
