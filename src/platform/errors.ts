/** The six error codes of the specification and their HTTP status. */
export const STATUS_OF_CODE = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  VALIDATION_ERROR: 400,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
} as const

export type ErrorCode = keyof typeof STATUS_OF_CODE

/** Every error that a caller can see: its code and its message. */
export const REASONS = {
  invalid_api_key: ['UNAUTHORIZED', 'The API key is missing or not valid: send Authorization: Bearer <key>'],
  invalid_signature: [
    'UNAUTHORIZED',
    'The request is not signed by the shop: check that the shop is connected, and connect it again if not',
  ],
  invalid_sign_in: [
    'UNAUTHORIZED',
    'The sign-in is not valid: load the page again to sign in, or send Authorization: Bearer <key>',
  ],
  not_a_member: [
    'FORBIDDEN',
    'You are not one of the people of this account: ask an owner of the account to add your e-mail',
  ],
  client_header_required: [
    'FORBIDDEN',
    'A person who has signed in sends the header X-Client with each request, such as X-Client: console',
  ],
  missing_scope: ['FORBIDDEN', 'The API key lacks a scope that this operation needs'],
  sandbox_only: [
    'FORBIDDEN',
    'Only an account for tests has example books: use a key that begins with tcs_test_',
  ],
  account_suspended: [
    'FORBIDDEN',
    'The operator has suspended this account: ask the operator of the service',
  ],
  taxjar_api_off: [
    'FORBIDDEN',
    'The TaxJar-compatible API is off for this account. Enable taxjar_api by PUT /v1/account',
  ],
  route_not_found: ['NOT_FOUND', 'Unknown path'],
  method_not_allowed: ['NOT_FOUND', 'The path does not accept this method: use one of the Allow header'],
  not_found: ['NOT_FOUND', 'This account has no such resource: check the id'],
  invalid_jurisdiction: ['NOT_FOUND', 'Unknown jurisdiction'],
  data_version_not_found: ['NOT_FOUND', 'Unknown or expired data_version'],
  invalid_request: ['VALIDATION_ERROR', 'The request is not valid'],
  invalid_json: ['VALIDATION_ERROR', 'The body is not valid JSON'],
  invalid_content_type: ['VALIDATION_ERROR', 'The body must be sent as Content-Type: application/json'],
  body_too_large: ['VALIDATION_ERROR', 'The body is larger than 1 MiB: split it into several requests'],
  nesting_too_deep: ['VALIDATION_ERROR', 'The body has more than 32 levels of nesting'],
  head_too_long: ['VALIDATION_ERROR', 'A header or URL is too long'],
  region_required: ['VALIDATION_ERROR', 'A region is required for this country'],
  invalid_region: ['VALIDATION_ERROR', 'Unknown region of this country'],
  invalid_postal_code: ['VALIDATION_ERROR', 'The postal code is not valid in this country'],
  region_postal_code_mismatch: ['VALIDATION_ERROR', 'The postal code belongs to another region'],
  no_rate_for_date: ['VALIDATION_ERROR', 'The tax data has no rate for this date'],
  discount_exceeds_amount: ['VALIDATION_ERROR', 'The discount is larger than its line'],
  amount_out_of_range: ['VALIDATION_ERROR', 'The amounts are too large to calculate exactly'],
  unknown_product_type: ['VALIDATION_ERROR', 'Unknown product type'],
  fractional_quantity: [
    'VALIDATION_ERROR',
    'The tax depends on the price of one item, and the quantity is not a whole number of items',
  ],
  unknown_product_code: [
    'VALIDATION_ERROR',
    'The product code has no product type here, and the account refuses such codes',
  ],
  unknown_jurisdiction: ['VALIDATION_ERROR', 'Unknown jurisdiction'],
  api_key_not_active: ['VALIDATION_ERROR', 'The API key is already revoked, rotated or expired'],
  scope_not_grantable: ['FORBIDDEN', 'A key can only grant scopes that it has'],
  external_id_taken: ['VALIDATION_ERROR', 'Another resource of this account already uses this external_id'],
  illegal_status_change: ['VALIDATION_ERROR', 'This change of status is not allowed'],
  legal_hold: [
    'VALIDATION_ERROR',
    'There is a legal hold on the account: nothing of it is erased until the operator ends it',
  ],
  exemption_in_use: [
    'VALIDATION_ERROR',
    'Recorded sales rest on this certificate: set valid_to or status to end it',
  ],
  books_not_empty: [
    'VALIDATION_ERROR',
    'The account has customers or sales of its own: only empty books are filled with examples',
  ],
  registration_in_use: [
    'VALIDATION_ERROR',
    'Filed returns rest on this registration: set valid_to to end it',
  ],
  person_exists: [
    'VALIDATION_ERROR',
    'Somebody with this e-mail is one of the people of the account: change the role with PUT /v1/people/{id}',
  ],
  last_owner: [
    'VALIDATION_ERROR',
    'The person is the last owner of the account: give another person the role owner first',
  ],
  too_many_people: [
    'VALIDATION_ERROR',
    'An account has at most 100 people, and 1,000 with those who were removed: remove one first',
  ],
  concurrent_change: ['VALIDATION_ERROR', 'Other requests are changing this resource: try again'],
  transaction_not_pending: ['VALIDATION_ERROR', 'The transaction is not pending'],
  transaction_not_refundable: ['VALIDATION_ERROR', 'Only a completed transaction can be refunded'],
  transaction_not_replaceable: [
    'VALIDATION_ERROR',
    'Only a completed transaction without refunds, that no final sale settles, can be replaced or deleted',
  ],
  refund_not_latest: [
    'VALIDATION_ERROR',
    'A later refund of this transaction rests on this one: delete the later one first',
  ],
  refund_exceeds_remaining: [
    'VALIDATION_ERROR',
    'The refund is larger than the amount that can still be refunded',
  ],
  review_decided: [
    'VALIDATION_ERROR',
    'The review is already decided, or its source does not say it any more',
  ],
  review_not_seen_lately: [
    'VALIDATION_ERROR',
    'The source was last read saying this too long ago: run the collector, then decide',
  ],
  review_proposes_nothing: [
    'VALIDATION_ERROR',
    'The review proposes no fact: refuse it, and correct the data or the collector',
  ],
  quota_exceeded: [
    'FORBIDDEN',
    'The account would store more rows than its tier allows: see GET /v1/account/usage',
  ],
  too_many_webhooks_of_url: [
    'VALIDATION_ERROR',
    'An account has at most 3 webhooks with the same address: change or delete one first',
  ],
  period_not_ended: ['VALIDATION_ERROR', 'The period has not ended: a return is filed after its end'],
  period_already_filed: [
    'VALIDATION_ERROR',
    'A return of these days is already filed: reopen it before you file another version',
  ],
  review_required: [
    'FORBIDDEN',
    'This account files a return only after a review: lock its figures with the submission state open, let ' +
      'another person review it, and then file it',
  ],
  second_person_required: [
    'FORBIDDEN',
    'This account files a return only by another person than the one who reviewed it',
  ],
  days_moving: [
    'RATE_LIMIT_EXCEEDED',
    'The sales are being moved to the days of a new time zone: try again in some minutes',
  ],
  return_not_filed: ['VALIDATION_ERROR', 'The return is not filed any more: it was reopened'],
  file_incomplete: ['VALIDATION_ERROR', 'The file cannot be written: errors lists what is missing'],
  return_too_large: [
    'VALIDATION_ERROR',
    'The return has more than 100,000 lines: file a shorter period, or one jurisdiction',
  ],
  too_many_checks: [
    'VALIDATION_ERROR',
    'An account has at most 20 checks of VAT ids under way: wait until one has ended',
  ],
  too_many_installs: ['VALIDATION_ERROR', 'An account connects at most 20 shops on Saleor: delete one first'],
  registration_refused: [
    'FORBIDDEN',
    'The shop cannot be registered: make a new link with POST /v1/saleor/installs',
  ],
  shop_unreachable: [
    'VALIDATION_ERROR',
    'The shop does not answer, or not as Saleor does: check its address, and that it is public',
  ],
  nobody_to_tell: ['VALIDATION_ERROR', 'The account has neither recipients nor a chat: set them first'],
  too_many_test_messages: [
    'RATE_LIMIT_EXCEEDED',
    'An account sends at most 5 test messages a day (UTC): try again tomorrow',
  ],
  webhook_disabled: ['VALIDATION_ERROR', 'The webhook is disabled: enable it first'],
  delivery_pending: [
    'VALIDATION_ERROR',
    'The delivery is still pending: wait until it has succeeded or failed',
  ],
  idempotency_key_invalid: ['VALIDATION_ERROR', 'Idempotency-Key must be 1 to 255 visible ASCII characters'],
  idempotency_key_reused: [
    'VALIDATION_ERROR',
    'This Idempotency-Key was used with another body: use a new key',
  ],
  idempotency_key_in_use: [
    'VALIDATION_ERROR',
    'A request with this Idempotency-Key is still running: try again',
  ],
  idempotency_answer_not_kept: [
    'VALIDATION_ERROR',
    'A request with this Idempotency-Key was done, but its answer was not kept: read the resource instead',
  ],
  account_moving: [
    'RATE_LIMIT_EXCEEDED',
    'The account is being moved to another database: try again after some seconds',
  ],
  sync_too_soon: ['RATE_LIMIT_EXCEEDED', 'A run of this region was requested less than 10 minutes ago'],
  too_many_files: [
    'RATE_LIMIT_EXCEEDED',
    'The account sends or gets two files already: try again when one of them is over',
  ],
  too_many_at_once: [
    'RATE_LIMIT_EXCEEDED',
    'The account has as many such requests under way as it may: try again when one of them is over',
  ],
  rate_limited: ['RATE_LIMIT_EXCEEDED', 'Too many requests: wait as long as Retry-After says'],
  sign_in_unavailable: [
    'INTERNAL_ERROR',
    'Nobody can sign in now, because the keys of the sign-in cannot be read: try again, or use an API key',
  ],
  maintenance: [
    'INTERNAL_ERROR',
    'The data of accounts is being restored: try again after the seconds of Retry-After',
  ],
  books_not_here: [
    'INTERNAL_ERROR',
    'A database was restored, and the books of the account are not in the one that is named for them: the ' +
      'operator has to run npm run verify-shards',
  ],
  database_busy: [
    'INTERNAL_ERROR',
    'The database is overloaded. A part may be written: repeat with the same Idempotency-Key or external_id',
  ],
  sealed_sale_unreadable: [
    'INTERNAL_ERROR',
    'A sealed sale cannot be read now: try again, then tell the operator',
  ],
  sealed_return_unreadable: [
    'INTERNAL_ERROR',
    'The lines of a sealed return cannot be read now: try again, then tell the operator',
  ],
  internal_error: ['INTERNAL_ERROR', 'The service failed: try again, or report the request_id'],
} as const satisfies Record<string, readonly [ErrorCode, string]>

export type Reason = keyof typeof REASONS

const OUT_OF_USE: ReadonlySet<Reason> = new Set<Reason>([
  'maintenance',
  'books_not_here',
  'sign_in_unavailable',
  'database_busy',
  'sealed_sale_unreadable',
  'sealed_return_unreadable',
])

/** The HTTP status of a reason: that of its code, but for a service that is out of use for a time. */
export function statusOfReason(reason: Reason): number {
  if (OUT_OF_USE.has(reason)) return 503
  return STATUS_OF_CODE[REASONS[reason][0]]
}

export type FieldError = { path: string; message: string }

/** The only error whose text callers see. Every other error is answered as internal_error. */
export class ApiError extends Error {
  readonly reason: Reason
  /** Is added to the reason of the answer if it must name something, e.g. the missing scope. */
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
