/** The six codes of the specification and their HTTP status. */
export const STATUS_OF_CODE = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  VALIDATION_ERROR: 400,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
} as const

export type ErrorCode = keyof typeof STATUS_OF_CODE

/** Every error that a caller can see: its code and its sentence. */
export const REASONS = {
  invalid_api_key: ['UNAUTHORIZED', 'The API key is missing or not valid'],
  missing_scope: ['FORBIDDEN', 'The API key lacks a permission'],
  route_not_found: ['NOT_FOUND', 'There is no such path'],
  method_not_allowed: ['NOT_FOUND', 'The path does not take this method'],
  not_found: ['NOT_FOUND', 'There is no such resource'],
  invalid_jurisdiction: ['NOT_FOUND', 'There is no such jurisdiction'],
  data_version_not_found: ['NOT_FOUND', 'This version of the tax data is not kept'],
  invalid_request: ['VALIDATION_ERROR', 'The request is not valid'],
  invalid_json: ['VALIDATION_ERROR', 'The body is not valid JSON'],
  invalid_content_type: ['VALIDATION_ERROR', 'The body must be sent as Content-Type: application/json'],
  body_too_large: ['VALIDATION_ERROR', 'The body is larger than 1 MiB'],
  nesting_too_deep: ['VALIDATION_ERROR', 'The body is nested more than 32 deep'],
  region_required: ['VALIDATION_ERROR', 'A region is required'],
  invalid_region: ['VALIDATION_ERROR', 'The region does not exist'],
  invalid_postal_code: ['VALIDATION_ERROR', 'The postal code is not valid'],
  region_postal_code_mismatch: ['VALIDATION_ERROR', 'The postal code lies in another region'],
  no_rate_for_date: ['VALIDATION_ERROR', 'The data holds no rate for this date'],
  discount_exceeds_amount: ['VALIDATION_ERROR', 'The discount is larger than its line'],
  amount_out_of_range: ['VALIDATION_ERROR', 'The amounts are too large'],
  unknown_product_type: ['VALIDATION_ERROR', 'The product type does not exist'],
  unknown_jurisdiction: ['VALIDATION_ERROR', 'The jurisdiction does not exist'],
  api_key_not_active: ['VALIDATION_ERROR', 'The API key was revoked or rotated before, or has expired'],
  scope_not_grantable: ['FORBIDDEN', 'A key cannot grant a scope that it lacks'],
  external_id_taken: ['VALIDATION_ERROR', 'Another resource has this external_id'],
  illegal_status_change: ['VALIDATION_ERROR', 'The status cannot change in this way'],
  concurrent_change: ['VALIDATION_ERROR', 'It is being changed by other requests; try again'],
  transaction_not_pending: ['VALIDATION_ERROR', 'The transaction is not pending'],
  transaction_not_refundable: ['VALIDATION_ERROR', 'Only a completed transaction can be refunded'],
  refund_exceeds_remaining: ['VALIDATION_ERROR', 'The refund is larger than what is left'],
  too_many_webhooks: ['VALIDATION_ERROR', 'An account has at most 1,000 webhooks'],
  webhook_disabled: ['VALIDATION_ERROR', 'The webhook is disabled: enable it first'],
  delivery_pending: ['VALIDATION_ERROR', 'The delivery is still under way'],
  idempotency_key_invalid: ['VALIDATION_ERROR', 'Idempotency-Key must be 1 to 255 visible ASCII characters'],
  idempotency_key_reused: ['VALIDATION_ERROR', 'The Idempotency-Key was used with another body'],
  idempotency_key_in_use: ['VALIDATION_ERROR', 'A request with this Idempotency-Key is still running'],
  rate_limited: ['RATE_LIMIT_EXCEEDED', 'Too many requests'],
  internal_error: ['INTERNAL_ERROR', 'Something went wrong on our side'],
} as const satisfies Record<string, readonly [ErrorCode, string]>

export type Reason = keyof typeof REASONS

export type FieldError = { path: string; message: string }

/** The only error that reaches callers with its text. Everything else is answered as internal_error. */
export class ApiError extends Error {
  readonly reason: Reason
  /** Replaces the reason in the answer where it has to name something, e.g. the missing scope. */
  readonly detail: string | null
  readonly errors: readonly FieldError[]

  constructor(
    reason: Reason,
    options: { message?: string; detail?: string; errors?: readonly FieldError[] } = {},
  ) {
    super(options.message ?? REASONS[reason][1])
    this.reason = reason
    this.detail = options.detail ?? null
    this.errors = options.errors ?? []
  }
}

/** A fault in one field of the request. */
export function fieldError(reason: Reason, path: string, message: string): ApiError {
  return new ApiError(reason, { message: `${path}: ${message}`, errors: [{ path, message }] })
}
