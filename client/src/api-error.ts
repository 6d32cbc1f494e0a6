import type { ErrorCode, FieldError, Reason } from './schema.ts'

/**
 * A reason of an error. The known ones are in the type for completion; a newer service may have others.
 */
export type ErrorReason = Reason | (string & {})

/**
 * The service answered with an error. `error_code`, `reason` and `doc_url` are null if a proxy sent the
 * answer. `doc_url` is an address of the service that explains the reason.
 */
export class ApiError extends Error {
  readonly status: number
  readonly error_code: ErrorCode | null
  readonly reason: ErrorReason | null
  readonly errors: readonly FieldError[]
  readonly doc_url: string | null
  readonly request_id: string | null
  readonly headers: Headers

  constructor(response: Response, body: unknown) {
    const fields: Partial<Record<string, unknown>> =
      typeof body === 'object' && body !== null ? { ...body } : {}
    const text = (field: string) => (typeof fields[field] === 'string' ? fields[field] : null)
    super(text('message') ?? messageOf(response))
    this.name = 'ApiError'
    this.status = response.status
    // The service has no other codes in /v1: a new one would need a new path prefix.
    this.error_code = text('error_code') as ErrorCode | null
    this.reason = text('reason')
    this.errors = fieldErrorsOf(fields['errors'])
    this.doc_url = absolute(text('doc_url'), response.url)
    this.request_id = text('request_id') ?? response.headers.get('X-Request-Id')
    this.headers = response.headers
  }
}

/** Browsers hide the status of a redirect: it is 0. */
function messageOf({ status, ok, headers }: Response): string {
  const answered = `The service answered ${status}`
  if (ok) return `${answered} without JSON: does baseUrl name the service?`
  if (status >= 400 || status === 304) return answered
  const location = headers.get('Location')
  const target = location === null ? '' : ` to ${location}`
  return `${answered}, a redirect${target}: give the final address as baseUrl`
}

/** The service sends a path, so that it needs no setting for its own address. */
function absolute(path: string | null, url: string): string | null {
  return path !== null && URL.canParse(path, url) ? new URL(path, url).href : path
}

function fieldErrorsOf(value: unknown): FieldError[] {
  return Array.isArray(value) ? value.filter(isFieldError) : []
}

function isFieldError(value: unknown): value is FieldError {
  return typeof value === 'object' && value !== null && 'path' in value && 'message' in value
}
