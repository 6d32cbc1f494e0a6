export type FieldError = { path: string; message: string }

/** The service answered with an error. `error_code` is null if a proxy sent the answer. */
export class ApiError extends Error {
  readonly status: number
  readonly error_code: string | null
  readonly reason: string | null
  readonly errors: readonly FieldError[]
  readonly request_id: string | null

  constructor(response: Response, body: unknown) {
    const fields: Partial<Record<string, unknown>> =
      typeof body === 'object' && body !== null ? { ...body } : {}
    const text = (field: string) => (typeof fields[field] === 'string' ? fields[field] : null)
    super(text('message') ?? `The service answered ${response.status}`)
    this.name = 'ApiError'
    this.status = response.status
    this.error_code = text('error_code')
    this.reason = text('reason')
    this.errors = fieldErrorsOf(fields['errors'])
    this.request_id = text('request_id') ?? response.headers.get('X-Request-Id')
  }
}

function fieldErrorsOf(value: unknown): FieldError[] {
  return Array.isArray(value) ? value.filter(isFieldError) : []
}

function isFieldError(value: unknown): value is FieldError {
  return typeof value === 'object' && value !== null && 'path' in value && 'message' in value
}
