import { ApiError, type FieldError, REASONS, statusOfReason } from '../errors.ts'
import { Refusal } from '../../engine/ground/refusal.ts'
import type { Answer, ErrorAnswer, ItemError } from './answers.ts'

/**
 * Turns anything thrown into the error that a caller sees. Errors that are not meant for callers become
 * internal_error or database_busy, without their text.
 */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof Refusal) {
    return new ApiError(thrown.reason, {
      message: `${thrown.parameter}: ${thrown.message}`,
      errors: [{ path: thrown.parameter, message: thrown.message }],
    })
  }
  return new ApiError(isOverload(thrown) ? 'database_busy' : 'internal_error')
}

/**
 * Whether D1 refused a statement or a batch that waited in its queue and never ran: `D1 DB is overloaded.
 * Requests queued for too long.`, or `Too many requests queued.` What the same request wrote before stays.
 */
function isOverload(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.includes('D1 DB is overloaded')
}

/** Whether an error of one item ends a whole request: the other items would meet it, too. */
export function endsRequest({ reason }: ApiError): boolean {
  return reason === 'internal_error' || reason === 'database_busy'
}

/** The flat body of the specification, section 7, with `reason`, `errors` and `request_id` added. */
export function errorBody(error: ApiError, request_id: string): Answer<typeof ErrorAnswer> {
  return { ...errorFields(error, error.errors), request_id }
}

function errorFields(error: ApiError, errors: readonly FieldError[]): Answer<typeof ItemError> {
  const [error_code] = REASONS[error.reason]
  return {
    error_code,
    message: error.message,
    reason: error.detail === null ? error.reason : `${error.reason}: ${error.detail}`,
    ...(errors.length > 0 && { errors }),
    doc_url: `/docs/errors#${error.reason}`,
  }
}

/**
 * Returns a function that makes the errors of the items of one batch. Together they list at most 100 faulty
 * fields, so a small request never gets a huge answer. Each item keeps its message, which names its first
 * faulty field.
 */
export function itemErrors(): (error: ApiError) => Answer<typeof ItemError> {
  let remaining = ITEM_FAULTS_MAX
  return (error) => {
    const listed = error.errors.slice(0, remaining)
    remaining -= listed.length
    return errorFields(error, listed)
  }
}

const ITEM_FAULTS_MAX = 100

/** The HTTP status of an error. */
export function statusOf(error: ApiError): number {
  return statusOfReason(error.reason)
}
