import type * as z from 'zod'
import { ApiError, type FieldError, fieldError } from '../errors.ts'

const ERRORS_MAX = 20

/**
 * Validates a value and throws invalid_request with every fault named by its field. The schema is compiled at
 * module scope.
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const errors = result.error.issues
    .slice(0, ERRORS_MAX)
    .flatMap((issue) => faultsOf(issue, value))
    .slice(0, ERRORS_MAX)
  const [first] = errors
  throw new ApiError('invalid_request', {
    errors,
    ...(first !== undefined && { message: `${first.path}: ${first.message}` }),
  })
}

/**
 * The query of a URL as an object. A parameter that stands twice is an error: nobody could tell which one
 * counts.
 */
export function queryOf(url: URL): Record<string, string> {
  const query = new Map<string, string>()
  for (const [name, value] of url.searchParams) {
    if (query.has(name)) throw fieldError('invalid_request', name.slice(0, 100), 'is given more than once')
    query.set(name, value)
  }
  return Object.fromEntries(query)
}

function faultsOf(issue: z.core.$ZodIssue, value: unknown): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: 'is not a known field' }))
  }
  const missing = issue.path.length > 0 && isMissing(value, issue.path)
  return [{ path: pathOf(issue.path), message: missing ? 'is required' : issue.message }]
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let found: unknown = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null) return false
    found = Object.entries(found).find(([name]) => name === String(step))?.[1]
  }
  return found === undefined
}

/** `line_items[0].amount`; `body` for the whole. */
function pathOf(path: readonly PropertyKey[]): string {
  let text = ''
  for (const step of path)
    text += typeof step === 'number' ? `[${step}]` : `${text === '' ? '' : '.'}${String(step).slice(0, 100)}`
  return text === '' ? 'body' : text
}
