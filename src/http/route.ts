import type * as z from 'zod'
import type { Scope } from './scopes.ts'
import type { Bindings } from '../bindings.ts'
import type { Context } from '../context.ts'
import type { Reason } from '../errors.ts'
import type { Tag } from './tags.ts'
import type { Answer } from './answers.ts'

type Schema = z.ZodType
type Method = 'get' | 'post' | 'put' | 'delete'

/** An answer that its handler writes itself: the schema of each media type that it may have. */
export type OwnAnswer = Readonly<
  Partial<Record<'application/json' | 'application/x-ndjson' | 'text/csv', Schema>>
>

/** The names of a path's parameters: `'id'` for `/v1/customers/:id`. */
type NamesIn<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never

/** The parameters of a path, by name. */
export type PathParams<Path extends string> = Readonly<Record<NamesIn<Path>, string>>

/** A route, said once: it is served, validated, documented and tested from here. */
export type Route = {
  method: Method
  /** With `:name` for path parameters. */
  path: string
  /** What a key needs; there is no route behind a key without one. */
  scope: Scope
  tag: Tag
  summary: string
  /** More than the summary says. */
  description: string
  /** What each path parameter is. */
  params: Readonly<Record<string, string>>
  /** What each header of the request is that only this route reads. */
  headers: Readonly<Record<string, string>>
  /** The reasons for an error of its own, beside those that any such route has. */
  errors: readonly Reason[]
  status: 200 | 201
  query: Schema | null
  body: Schema | null
  /** Nothing may be sent in place of `{}`. */
  body_optional: boolean
  /** The schema of a JSON answer, or the media types of one that the handler writes as a Response. */
  answer: Schema | OwnAnswer
  /** A POST that writes: takes an Idempotency-Key. */
  idempotent: boolean
  example: unknown
  handle: (context: Context, input: AnyInput) => Handled<object>
}

export type Input<Params, Query, Body> = {
  params: Params
  query: Query
  body: Body
  headers: Headers
}

/** The input of a route of which nothing more is known. */
export type AnyInput = Input<Record<string, string>, unknown, unknown>

type Handled<Value> = Promise<Value> | Value
type Parsed<S extends Schema | null> = S extends Schema ? z.output<S> : undefined

type Definition<
  Path extends string,
  Query extends Schema | null,
  Body extends Schema | null,
  Answered extends Schema | OwnAnswer,
> = {
  method: Method
  path: Path
  scope: Scope
  tag: Tag
  summary: string
  description?: string
  headers?: Readonly<Record<string, string>>
  errors?: readonly Reason[]
  status?: 200 | 201
  query?: Query
  body?: Body
  body_optional?: boolean
  answer: Answered
  idempotent?: boolean
  example?: unknown
  handle: (
    context: Context,
    input: Input<PathParams<Path>, Parsed<Query>, Parsed<Body>>,
  ) => Handled<Answered extends Schema ? Answer<Answered> : Response>
} & ([NamesIn<Path>] extends [never] ? { params?: never } : { params: PathParams<Path> })

/**
 * Defines a route. The handler gets validated input and returns the answer; queried_at is added to it.
 * The path names the parameters: `route({ path: '/v1/x/:id', handle: (context, { params }) => params.id, … })`.
 */
export function route<
  const Path extends string,
  Answered extends Schema | OwnAnswer,
  Query extends Schema | null = null,
  Body extends Schema | null = null,
>(definition: Definition<Path, Query, Body, Answered>): Route {
  const { query = null, body = null, body_optional = false, status = 200 } = definition
  const { idempotent = false, example = null, description = '', errors = [], headers = {} } = definition
  const params: Readonly<Record<string, string>> = definition.params ?? {}
  return {
    ...definition,
    description,
    params,
    headers,
    errors,
    query,
    body,
    body_optional,
    status,
    idempotent,
    example,
    // The input was parsed with the route's own schemas and path before it is called, so it has their types.
    handle: definition.handle as Route['handle'],
  }
}

/** A GET that needs no key, with the schema of its answer by status. */
export type PublicRoute = {
  path: string
  tag: Tag
  summary: string
  description: string
  answers: Readonly<Record<number, Schema>>
  handle: (env: Bindings, now: Date) => Promise<{ status: number; body: object }>
}

/** Defines a route that needs no key. Its handler returns the whole answer, `queried_at` too. */
export function publicRoute<Answered extends Schema>(
  definition: Omit<PublicRoute, 'answers' | 'handle'> & {
    answers: Readonly<Record<number, Answered>>
    handle: (env: Bindings, now: Date) => Promise<{ status: number; body: z.output<Answered> & object }>
  },
): PublicRoute {
  return definition
}
