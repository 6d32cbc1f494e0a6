import type * as z from 'zod'
import type { Scope } from '../accounts/scopes.ts'
import type { Context } from '../context.ts'
import type { Reason } from '../errors.ts'

type Schema = z.ZodType

/** A route, said once: it is served, validated, documented and tested from here. */
export type Route = {
  method: 'get' | 'post' | 'put' | 'delete'
  /** With `:name` for path parameters. */
  path: string
  /** What a key needs; there is no route behind a key without one. */
  scope: Scope
  tag: string
  summary: string
  /** What the summary does not tell. */
  description: string
  /** The reasons for an error of its own, beside those that any such route has. */
  errors: readonly Reason[]
  status: 200 | 201
  query: Schema | null
  body: Schema | null
  /** Nothing may be sent in place of `{}`. */
  body_optional: boolean
  /** The schema of a JSON answer, or the media type of another: its handler returns a Response. */
  answer: Schema | 'text/csv'
  /** A POST that writes: takes an Idempotency-Key. */
  idempotent: boolean
  example: unknown
  handle: (context: Context, input: Input<unknown, unknown>) => Promise<object> | object
}

export type Input<Query, Body> = {
  params: Record<string, string>
  query: Query
  body: Body
  headers: Headers
}

type Definition<Query extends Schema | null, Body extends Schema | null> = {
  method: Route['method']
  path: string
  scope: Scope
  tag: string
  summary: string
  description?: string
  errors?: readonly Reason[]
  status?: 200 | 201
  query?: Query
  body?: Body
  body_optional?: boolean
  answer: Schema | 'text/csv'
  idempotent?: boolean
  example?: unknown
  handle: (context: Context, input: Input<Parsed<Query>, Parsed<Body>>) => Promise<object> | object
}

type Parsed<S extends Schema | null> = S extends Schema ? z.output<S> : undefined

/** Defines a route. The handler gets validated input and returns the answer; queried_at is added to it. */
export function route<Query extends Schema | null = null, Body extends Schema | null = null>(
  definition: Definition<Query, Body>,
): Route {
  const {
    query = null,
    body = null,
    body_optional = false,
    status = 200,
    idempotent = false,
    example = null,
  } = definition
  const { description = '', errors = [] } = definition
  return {
    ...definition,
    description,
    errors,
    query,
    body,
    body_optional,
    status,
    idempotent,
    example,
    handle: untyped(definition.handle),
  }
}

/** The input was parsed with the route's own schemas before the handler is called, so it has their types. */
function untyped<Query, Body>(
  handle: (context: Context, input: Input<Query, Body>) => Promise<object> | object,
): Route['handle'] {
  return (context, input) => handle(context, input as Input<Query, Body>)
}
