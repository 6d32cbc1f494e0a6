import { ApiError, type Reason, REASONS, statusOfReason } from '../../src/platform/errors.ts'
import { errorBody } from '../../src/platform/http/error-response.ts'
import { keysOf } from '../../src/platform/kit/keys-of.ts'
import { headersOf } from './headers.ts'
import type { Document, Reference, Response } from './types.ts'

/** Errors that many operations share, by their name in the document. */
const SHARED = {
  Unauthorized: ['invalid_api_key', 'invalid_sign_in'],
  Forbidden: ['missing_scope', 'account_suspended', 'not_a_member', 'client_header_required'],
  NotFound: ['not_found'],
  RateLimited: ['rate_limited'],
  RateLimitedOrMoving: ['rate_limited', 'account_moving'],
  InternalError: ['internal_error'],
  SignInUnavailable: ['sign_in_unavailable', 'database_busy'],
  Maintenance: [
    'sign_in_unavailable',
    'database_busy',
    'maintenance',
    'books_not_here',
    'sealed_sale_unreadable',
    'sealed_return_unreadable',
  ],
} as const satisfies Record<string, readonly Reason[]>

const EXAMPLE_REQUEST = 'req_01kae0000000000000000000a1'

/** The details of an example, if its reason alone would give an unreal one. */
const DETAILS: Partial<Record<Reason, ConstructorParameters<typeof ApiError>[1]>> = {
  missing_scope: { message: 'The API key lacks the scope tax:read', detail: 'tax:read' },
  invalid_request: {
    message: 'currency: is required',
    errors: [{ path: 'currency', message: 'is required' }],
  },
}

/** The responses of an operation that can return these reasons, by status. */
export function errorResponses(reasons: readonly Reason[]): Record<number, Response | Reference> {
  const byStatus = Map.groupBy(new Set(reasons), statusOfReason)
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const shared = keysOf(SHARED).find((name) => SHARED[name].join() === group.join())
      return [
        status,
        shared === undefined ? errorResponse(status, group) : { $ref: `#/components/responses/${shared}` },
      ]
    }),
  )
}

/** The responses that `errorResponses` refers to. */
export function sharedResponses(): Document['components']['responses'] {
  return Object.fromEntries(
    keysOf(SHARED).map((name) => [name, errorResponse(statusOfReason(SHARED[name][0]), SHARED[name])]),
  )
}

/** The reasons of answers that belong to no operation here: of TaxJar's form, and of calls of Saleor. */
const OF_NO_OPERATION: ReadonlySet<Reason> = new Set([
  'route_not_found',
  'method_not_allowed',
  'taxjar_api_off',
  'invalid_signature',
  'registration_refused',
  'shop_unreachable',
])

/** An example of each reason that an operation can return, by reason. */
export function errorExamples(): Document['components']['examples'] {
  const reasons = keysOf(REASONS).filter((reason) => !OF_NO_OPERATION.has(reason))
  return Object.fromEntries(
    reasons.map((reason) => [
      reason,
      {
        summary: REASONS[reason][1],
        value: errorBody(new ApiError(reason, DETAILS[reason]), EXAMPLE_REQUEST),
      },
    ]),
  )
}

function errorResponse(status: number, reasons: readonly Reason[]): Response {
  return {
    description: reasons.map((reason) => `\`${reason}\`: ${REASONS[reason][1]}`).join('  \n'),
    headers: headersOf([
      'X-Request-Id',
      'RateLimit-Policy',
      ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
      ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          reasons.map((reason) => [reason, { $ref: `#/components/examples/${reason}` }]),
        ),
      },
    },
  }
}
