import * as z from 'zod'
import type { Reason } from '../../src/platform/errors.ts'
import { type FileBody, type PublicRoute, longWorkOf, type Route } from '../../src/platform/http/route.ts'
import type { LongWork } from '../../src/platform/http/works-at-once.ts'
import { errorResponses } from './errors.ts'
import { type HeaderName, headersOf } from './headers.ts'
import type { Direction, Schemas } from './schemas.ts'
import type { Examples, MediaType, Operation, Parameter } from './types.ts'

/** Errors that every route of a kind can return; a route's own errors are listed in its definition. */
const OF_EVERY_ROUTE = [
  'invalid_request',
  'head_too_long',
  'invalid_api_key',
  'invalid_sign_in',
  'missing_scope',
  'account_suspended',
  'not_a_member',
  'client_header_required',
  'rate_limited',
  'internal_error',
] as const
const OF_A_BODY = ['invalid_json', 'invalid_content_type', 'body_too_large', 'nesting_too_deep'] as const
const OF_A_KEYED_POST = [
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_key_in_use',
  'idempotency_answer_not_kept',
  'concurrent_change',
  'quota_exceeded',
] as const
const OF_A_PUBLIC_ROUTE = ['head_too_long', 'rate_limited', 'internal_error'] as const

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any text. For 24 hours, the same key and body return the first answer, and nothing is done twice',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** `/v1/customers/:id` becomes `/v1/customers/{id}`. */
export function documentedPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** The operation of a route that needs a key. */
export function operationOf(route: Route, schemas: Schemas, examples: Examples): Operation {
  const id = route.operation
  return {
    operationId: id,
    summary: route.summary,
    description: `${route.description}\n\n${scopeWords(route)}`.trim(),
    tags: [route.tag],
    parameters: [
      ...namedParameters(route.params, 'path', true),
      ...queryParameters(route, schemas),
      ...namedParameters(route.headers, 'header', false),
      ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(route.body !== null && {
      requestBody: {
        required: !route.body_optional,
        content: contentOf(route.body, 'input', schemas, route.example),
      },
    }),
    ...(route.file !== null && {
      requestBody: { required: true, content: fileContent(route.file) },
    }),
    responses: {
      [route.status]: {
        description: route.summary,
        headers: headersOf(headerNames(route)),
        content: contentOf(route.answer, 'output', schemas, examples[id]),
      },
      ...('If-None-Match' in route.headers && { 304: NOT_MODIFIED }),
      ...errorResponses(reasonsOf(route)),
    },
  }
}

/** A body that is a file, in each of its types. */
function fileContent({ types }: FileBody): Record<string, MediaType> {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))
}

function scopeWords({ scope }: Route): string {
  return scope === null ? 'Needs a key of any scope.' : `Needs the scope \`${scope}\`.`
}

/** The operation of a route that needs no key. */
export function publicOperationOf(route: PublicRoute, schemas: Schemas, examples: Examples): Operation {
  const { operation: id, tag, summary, description, answers } = route
  const responses = Object.entries(answers).map(([status, answer]) => [
    status,
    {
      description: summary,
      headers: headersOf(['X-Request-Id', 'RateLimit-Policy']),
      content: contentOf(answer, 'output', schemas, status === '200' ? examples[id] : undefined),
    },
  ])
  return {
    operationId: id,
    summary,
    description: `${description}\n\nNeeds no key. At most 60 requests a minute from one address.`,
    tags: [tag],
    security: [],
    responses: { ...Object.fromEntries(responses), ...errorResponses(OF_A_PUBLIC_ROUTE) },
  }
}

const NOT_MODIFIED = {
  description: 'The answer has not changed: it still has the ETag that was sent',
  headers: headersOf(['X-Request-Id', 'RateLimit-Policy', 'ETag']),
}

/** Every error reason of a route. */
function reasonsOf(route: Route): readonly Reason[] {
  return [
    ...OF_EVERY_ROUTE,
    ...(route.body === null ? [] : OF_A_BODY),
    ...(route.idempotent ? OF_A_KEYED_POST : []),
    ...refusalsOf(longWorkOf(route)),
    ...(writes(route) ? (['account_moving'] as const) : []),
    ...(route.path.includes(':') ? (['not_found'] as const) : []),
    'sign_in_unavailable',
    'database_busy',
    ...(route.scope === 'tax:read'
      ? []
      : (['maintenance', 'books_not_here', 'sealed_sale_unreadable', 'sealed_return_unreadable'] as const)),
    ...route.errors,
  ]
}

function refusalsOf(work: LongWork | null): readonly Reason[] {
  if (work === null) return []
  return [work.endsWith('_file') ? 'too_many_files' : 'too_many_at_once']
}

/** Whether a route changes anything. Other POSTs only calculate or ask. */
function writes({ method, idempotent }: Route): boolean {
  return idempotent || method === 'put' || method === 'delete'
}

function headerNames(route: Route): HeaderName[] {
  return [
    'X-Request-Id',
    'RateLimit-Policy',
    ...(route.idempotent ? (['Idempotent-Replayed'] as const) : []),
    ...('If-None-Match' in route.headers ? (['ETag'] as const) : []),
    ...('text/csv' in route.answer || 'application/pdf' in route.answer
      ? (['Content-Disposition'] as const)
      : []),
    ...('application/xml' in route.answer ? (['X-Layout', 'X-Layout-Source'] as const) : []),
  ]
}

function namedParameters(
  described: Readonly<Record<string, string>>,
  place: 'path' | 'header',
  required: boolean,
): Parameter[] {
  return Object.entries(described).map(([name, description]) => ({
    name,
    in: place,
    description,
    required,
    schema: { type: 'string' },
  }))
}

function queryParameters({ path, query }: Route, schemas: Schemas): Parameter[] {
  if (query === null) return []
  return schemas.properties(query).map(({ name, required, schema: { description, ...schema } }) => {
    if (description === undefined) throw new Error(`The parameter ${name} of ${path} has no description`)
    return { name, in: 'query', description, required, schema }
  })
}

const WITHOUT_EXAMPLE = new Set(['application/xml', 'image/png', 'image/jpeg'])

/** The content of a body. A JSON body has an example that is a value; every other body has a text. */
function contentOf(
  body: z.ZodType | Exclude<Route['answer'], z.ZodType>,
  direction: Direction,
  schemas: Schemas,
  example: unknown,
): Record<string, MediaType> {
  const media = body instanceof z.ZodType ? { 'application/json': body } : body
  return Object.fromEntries(
    Object.entries(media).map(([type, schema]) => {
      // The only text examples of answers with several types are CSV and the file of a certificate.
      const fits =
        !WITHOUT_EXAMPLE.has(type) && (type === 'application/json') === (typeof example === 'object')
      return [type, { schema: schemas.of(schema, direction), ...(fits && example !== null && { example }) }]
    }),
  )
}
