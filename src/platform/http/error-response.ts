import { ApiError, type FieldError, REASONS, statusOfReason } from '../errors.ts'
import { Refusal } from '../../engine/ground/refusal.ts'
import type { Answer, ErrorAnswer, ItemError } from './answers.ts'

/**
 * Turns anything thrown into the error that a caller sees. Errors that are not meant for callers become
 * internal_error, without their text.
 */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof Refusal) {
    return new ApiError(thrown.reason, {
      message: `${thrown.parameter}: ${thrown.message}`,
      errors: [{ path: thrown.parameter, message: thrown.message }],
    })
  }
  return new ApiError('internal_error')
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
