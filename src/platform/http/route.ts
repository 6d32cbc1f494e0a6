import type * as z from 'zod'
import type { Scope } from '../database/values/scopes.ts'
import type { Bindings } from '../bindings.ts'
import type { Context } from '../context.ts'
import type { Reason } from '../errors.ts'
import type { Tag } from './tags.ts'
import type { OperationName } from './verbs.ts'
import type { Answer } from './answers.ts'
import type { FileBytes } from './file-body.ts'
import type { LongWork } from './works-at-once.ts'
import { type CheckBody, checkBySchema } from './check-body.ts'

type Schema = z.ZodType
type Method = 'get' | 'post' | 'put' | 'delete'

/** An answer that its handler writes itself: the schema of each possible media type. */
type OwnAnswer = Readonly<
  Partial<
    Record<'application/json' | 'application/x-ndjson' | 'application/xml' | 'text/csv' | FileType, Schema>
  >
>

type FileType = 'application/pdf' | 'image/png' | 'image/jpeg'

/** A body that is a file: the types that it may have, and its most bytes. */
export type FileBody = Readonly<{ types: readonly FileType[]; bytes_max: number }>

/** The names of a path's parameters: `'id'` for `/v1/customers/:id`. */
type NamesIn<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never

/** The parameters of a path, by name. */
type PathParams<Path extends string> = Readonly<Record<NamesIn<Path>, string>>

/** A route. It is served, validated, documented and tested from this one definition. */
export type Route = {
  method: Method
  /** With `:name` for path parameters, in snake case. */
  path: string
  /** The name of the operation in generated clients: a verb first, in camel case, e.g. `getCustomer`. */
  operation: OperationName
  /** The method of the TypeScript client that calls it, such as `nexus.get`; null: it has none. */
  client: string | null
  /** The scope that a key needs; null: any valid key may call it, and sees what its scopes allow. */
  scope: Scope | null
  tag: Tag
  summary: string
  /** Details beyond the summary. */
  description: string
  /** The description of each path parameter. */
  params: Readonly<Record<string, string>>
  /** The description of each request header that only this route reads. */
  headers: Readonly<Record<string, string>>
  /** The error reasons of this route alone, beside those of every such route. */
  errors: readonly Reason[]
  status: 200 | 201
  query: Schema | null
  body: Schema | null
  /** Checks the JSON body: by `body`, or as that does. Null: it takes none. */
  checkBody: CheckBody<unknown> | null
  /** Whether an empty body means `{}`. */
  body_optional: boolean
  /** The file that it takes instead of a JSON body. */
  file: FileBody | null
  /** The schema of a JSON answer, or the media types of an answer that the handler writes as a Response. */
  answer: Schema | OwnAnswer
  /** Whether the answer has an ETag, by which a caller learns that it has not changed. */
  etag: boolean
  /**
   * Whether all callers of a time zone get the same answer to this query from the same rate book. Such an
   * answer is made once a minute. Null: never.
   */
  repeats: ((query: never) => boolean) | null
  /** Whether it is a POST that writes: it then accepts an Idempotency-Key. */
  idempotent: boolean
  /**
   * Whether it answers with a file. A `large` one costs as much processor time as many other reads. A `small`
   * one is also what the console reads to check a return.
   */
  sends_file: false | 'large' | 'small'
  /** Whether it adds up all sales of the account: there is one at a time. */
  adds_up: boolean
  /** The database that it writes to: accounts, keys and registrations are in the control database. */
  writes: 'books' | 'control'
  example: unknown
  handle: (context: Context, input: AnyInput) => Handled<object>
}

type Input<Params, Query, Body> = {
  params: Params
  query: Query
  body: Body
  headers: Headers
  /** The URL of the request, for the links of an answer. */
  url: string
  /** The file of a route that takes one; else no bytes. */
  file: FileBytes
}

/** The input of a route if its exact type is not known. */
export type AnyInput = Input<Record<string, string>, unknown, unknown>

type Handled<Value> = Promise<Value> | Value
type Parsed<S extends Schema | null> = S extends Schema ? z.output<S> : undefined

/** What a definition says of serving. */
type ServedDefinition<Path extends string, Query extends Schema | null, Body, Value> = {
  method: Method
  path: Path
  scope: Scope | null
  query?: Query
  checkBody?: CheckBody<Body>
  body_optional?: boolean
  file?: FileBody
  status?: 200 | 201
  etag?: boolean
  repeats?: (query: Parsed<Query>) => boolean
  idempotent?: boolean
  sends_file?: 'large' | 'small'
  adds_up?: boolean
  writes?: 'books' | 'control'
  handle: (context: Context, input: Input<PathParams<Path>, Parsed<Query>, Body>) => Handled<Value>
}

type Definition<
  Path extends string,
  Query extends Schema | null,
  Body extends Schema | null,
  Answered extends Schema | OwnAnswer,
> = ServedDefinition<Path, Query, Parsed<Body>, Answered extends Schema ? Answer<Answered> : Response> & {
  body?: Body
  operation: OperationName
  client: string | null
  tag: Tag
  summary: string
  description?: string
  headers?: Readonly<Record<string, string>>
  errors?: readonly Reason[]
  answer: Answered
  example?: unknown
} & ([NamesIn<Path>] extends [never] ? { params?: never } : { params: PathParams<Path> })

const IF_NONE_MATCH = {
  'If-None-Match': 'The ETag of the answer that you have: 304 if it has not changed, but for `queried_at`',
}

/** The parts of a route that serving needs. The others document it. */
export type ServedRoute = Pick<
  Route,
  | 'method'
  | 'path'
  | 'scope'
  | 'query'
  | 'checkBody'
  | 'body_optional'
  | 'file'
  | 'status'
  | 'etag'
  | 'repeats'
  | 'idempotent'
  | 'sends_file'
  | 'adds_up'
  | 'writes'
  | 'handle'
>

/** What takes long on a route, so that an account has few of them at a time; null: nothing. */
export function longWorkOf({
  file,
  sends_file,
  adds_up,
  scope,
  path,
}: Pick<Route, 'file' | 'sends_file' | 'adds_up' | 'scope' | 'path'>): LongWork | null {
  if (file !== null) return 'takes_file'
  if (sends_file !== false) return 'sends_file'
  if (adds_up) return 'adds_up'
  if (scope !== 'transactions:write' && scope !== 'customers:write') return null
  return path.endsWith('/batch') ? 'writes_batch' : 'writes'
}

/** The parts of a definition that serving needs, with the defaults for those that are left out. */
export function servedRoute<const Path extends string, Query extends Schema | null = null, Body = undefined>(
  definition: ServedDefinition<Path, Query, Body, object>,
): ServedRoute {
  const { method, path, scope, query = null, checkBody = null, file = null } = definition
  const { body_optional = false } = definition
  const { status = 200, etag = false, repeats = null, idempotent = false } = definition
  const { sends_file = false, adds_up = false, writes = 'books' } = definition
  // The input is parsed with the route's own schemas and path before the call, so it has their types.
  const handle = definition.handle as Route['handle']
  return {
    method,
    path,
    scope,
    query,
    checkBody,
    body_optional,
    file,
    status,
    etag,
    repeats,
    idempotent,
    sends_file,
    adds_up,
    writes,
    handle,
  }
}

/**
 * Defines a route. The handler gets validated input and returns the answer, to which queried_at is added.
 * The path names the parameters:
 * `route({ path: '/v1/x/:id', operation: 'getX', handle: (context, { params }) => params.id, … })`.
 */
export function route<
  const Path extends string,
  Answered extends Schema | OwnAnswer,
  Query extends Schema | null = null,
  Body extends Schema | null = null,
>(definition: Definition<Path, Query, Body, Answered>): Route & { answer: Answered } {
  const { example = null, description = '', errors = [], headers = {} } = definition
  const params: Readonly<Record<string, string>> = definition.params ?? {}
  const { body = null } = definition
  const served = servedRoute<Path, Query, Parsed<Body>>(definition)
  return {
    ...definition,
    ...served,
    body,
    checkBody: served.checkBody ?? (body === null ? null : (value) => checkBySchema(body, value)),
    description,
    params,
    headers: served.etag ? { ...IF_NONE_MATCH, ...headers } : headers,
    errors,
    example,
  }
}

/**
 * The routes of a feature, and the paths that it serves: each with all paths below it, and with a slash at
 * its end only those. The longest path counts. Features with a path in common are loaded together.
 */
export type Feature = Readonly<{ serves: readonly string[]; routes: readonly Route[] }>

/** Defines a feature. `npm run generate` finds it in a file named routes.ts or *-routes.ts. */
export function feature(serves: readonly string[], routes: readonly Route[]): Feature {
  return { serves, routes }
}

/** A GET without a key, with the schema of its answer by status. */
export type PublicRoute = {
  path: string
  /** As `operation` of a Route. */
  operation: OperationName
  /** As `client` of a Route. */
  client: string
  tag: Tag
  summary: string
  description: string
  answers: Readonly<Record<number, Schema>>
  handle: (env: Bindings, now: Date) => Promise<{ status: number; body: object }>
}

/** Defines a route without a key. Its handler returns the whole answer, with `queried_at`. */
export function publicRoute<Answered extends Schema>(
  definition: Omit<PublicRoute, 'answers' | 'handle'> & {
    answers: Readonly<Record<number, Answered>>
    handle: (env: Bindings, now: Date) => Promise<{ status: number; body: z.output<Answered> & object }>
  },
): PublicRoute {
  return definition
}
