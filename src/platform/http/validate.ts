import { zValidator } from '@hono/zod-validator'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import * as z from 'zod'
import type { Bindings } from '../bindings.ts'
import { ApiError, type FieldError, fieldError } from '../errors.ts'
import { didYouMean, fieldsAt, meantDeeper } from './did-you-mean.ts'
import { speakPlainly } from './plain-errors.ts'

speakPlainly()

const ERRORS_MAX = 20
/** How many missing fields a message names. */
const MISSING_MAX = 5

/** Validates a value. Throws invalid_request, with each fault and its field. */
export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalidRequest(result.error, schema, value)
}

/** The type of the worker's bindings for Hono. */
export type App = { Bindings: Bindings }

/** Validates the query of a request and returns it. Throws invalid_request. */
export type QueryValidator = (c: HonoContext<App>) => Promise<unknown>

const NO_QUERY = z.strictObject({})

/**
 * The validator of a route's query: Hono's own for zod. It would parse asynchronously, so it gets the
 * synchronous function. The router accepts no middleware, so the route calls the validator after it has
 * checked the key, the limit and the scope.
 */
export function queryValidator(schema: z.ZodType | null): QueryValidator {
  const middleware: MiddlewareHandler<App> = zValidator(
    'query',
    schema ?? NO_QUERY,
    (result) => {
      if (!result.success) throw invalidQuery(result.error, schema ?? NO_QUERY, result.data)
    },
    { validationFunction: (given, query) => given.safeParse(query) },
  )
  return async (c) => {
    await middleware(c, noNextHandler)
    // Hono learns the type of a validated query from a chain of handlers. Here is no chain, so the route has
    // the type.
    return (c as HonoContext<App, string, { out: { query: unknown } }>).req.valid('query')
  }
}

async function noNextHandler(): Promise<void> {}

/** A parameter that is given twice is an error, because it is not clear which one counts. */
function invalidQuery(error: z.core.$ZodError, schema: z.ZodType, query: unknown): ApiError {
  const [twice] = Object.entries(Object(query)).find(([, value]) => Array.isArray(value)) ?? []
  return twice === undefined
    ? invalidRequest(error, schema, query)
    : fieldError('invalid_request', twice.slice(0, 100), 'must not be given more than once')
}

function invalidRequest({ issues }: z.core.$ZodError, schema: z.ZodType, value: unknown): ApiError {
  const errors = issues
    .slice(0, ERRORS_MAX)
    .flatMap((issue) => faultsOf(issue, schema, value))
    .slice(0, ERRORS_MAX)
  const count = issues.reduce(
    (sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1),
    0,
  )
  return new ApiError('invalid_request', { errors, message: messageOf(errors, count) })
}

/** The missing fields, and an unknown one: it may be one of them, misspelt. Else the first fault. */
function messageOf(errors: readonly FieldError[], count: number): string {
  const missing = errors.filter(({ message }) => message === REQUIRED).slice(0, MISSING_MAX)
  const other = errors.find(isUnknown) ?? (missing.length === 0 ? errors[0] : undefined)
  const names = missing.map(({ path }) => path).join(', ')
  const parts = [
    ...(missing.length === 0 ? [] : [`${names}: ${missing.length === 1 ? REQUIRED : 'are required'}`]),
    ...(other === undefined ? [] : [`${other.path}: ${other.message}`]),
  ]
  const more = count - missing.length - (other === undefined ? 0 : 1)
  return `${parts.join('; ')}${more > 0 ? ` (and ${more} more)` : ''}`
}

function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsAt(schema, issue.path)
    return issue.keys.slice(0, ERRORS_MAX).map((key) => ({
      path: pathOf([...issue.path, key]),
      message: `${UNKNOWN}${didYouMean(key, known) || meantDeeper(key, schema, issue.path)}`,
    }))
  }
  const given = valueAt(value, issue.path)
  const missing = issue.path.length > 0 && given === undefined
  return [{ path: pathOf(issue.path), message: missing ? REQUIRED : issue.message + hintOf(issue, given) }]
}

const REQUIRED = 'is required'
const UNKNOWN = 'is not a known field'

function isUnknown({ message }: FieldError): boolean {
  return message.startsWith(UNKNOWN)
}

/** The known value that a text was probably meant to be. `true` switches on what has fields of its own. */
function hintOf(issue: z.core.$ZodIssue, given: unknown): string {
  if (given === true && issue.code === 'invalid_type' && issue.expected === 'object') return ', such as {}'
  if (typeof given !== 'string') return ''
  const words = wordsOf(issue).filter((value) => typeof value === 'string')
  return words.length === 0 ? '' : didYouMean(given, words)
}

/** The words that a value may be, also as one of several forms. */
function wordsOf(issue: z.core.$ZodIssue): readonly unknown[] {
  if (issue.code === 'invalid_value') return issue.values
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(wordsOf) : []
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found: unknown = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Object.entries(found).find(([name]) => name === String(step))?.[1]
  }
  return found
}

/** `line_items[0].amount`; `body` for the whole body. */
function pathOf(path: readonly PropertyKey[]): string {
  let text = ''
  for (const step of path)
    text += typeof step === 'number' ? `[${step}]` : `${text === '' ? '' : '.'}${String(step).slice(0, 100)}`
  return text === '' ? 'body' : text
}
