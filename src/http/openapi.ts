import * as z from 'zod'
import { REASONS, type Reason, STATUS_OF_CODE } from '../errors.ts'
import { ErrorAnswer } from './answers.ts'
import type { PublicRoute, Route } from './route.ts'

/** The reasons that a route has for what it is: those of its own stand beside it. */
const OF_EVERY_ROUTE = [
  'invalid_request',
  'invalid_api_key',
  'missing_scope',
  'rate_limited',
  'internal_error',
] as const
const OF_A_BODY = ['invalid_json', 'invalid_content_type', 'body_too_large', 'nesting_too_deep'] as const
const OF_A_KEYED_POST = [
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_key_in_use',
  'concurrent_change',
] as const
const OF_A_PUBLIC_ROUTE = ['rate_limited', 'internal_error'] as const

/** The OpenAPI 3.1 document of the routes, made from the schemas that validate them. */
export function openApiDocument(routes: readonly Route[], publicRoutes: readonly PublicRoute[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operationOf(route) }
  }
  for (const route of publicRoutes) paths[route.path] = { get: publicOperationOf(route) }
  return {
    openapi: '3.1.0',
    info: { title: 'Tax Compliance Service', version: '1.0.0', license: { name: 'MIT', identifier: 'MIT' } },
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorAnswer, 'output') },
      securitySchemes: { api_key: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function publicOperationOf({ path, tag, summary, answers }: PublicRoute): object {
  const described = Object.entries(answers).map(([status, answer]) => [
    status,
    { description: summary, content: jsonContent(schemaOf(answer, 'output')) },
  ])
  return {
    operationId: operationId('get', path),
    summary,
    description: 'Needs no key. At most 60 requests a minute from one address.',
    tags: [tag],
    security: [],
    responses: {
      ...Object.fromEntries(described),
      ...errorResponses(OF_A_PUBLIC_ROUTE),
    },
  }
}

function operationOf(route: Route): object {
  return {
    operationId: operationId(route.method, route.path),
    summary: route.summary,
    description: `${route.description}\n\nNeeds the scope \`${route.scope}\`.`.trim(),
    tags: [route.tag],
    security: [{ api_key: [] }],
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route),
      ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(route.body !== null && {
      requestBody: { required: !route.body_optional, content: requestContent(route.body, route.example) },
    }),
    responses: {
      [route.status]: { description: route.summary, content: contentOf(route.answer) },
      ...errorResponses(reasonsOf(route)),
    },
  }
}

/** Every reason for which a route may refuse. */
function reasonsOf(route: Route): readonly Reason[] {
  return [
    ...OF_EVERY_ROUTE,
    ...(route.body === null ? [] : OF_A_BODY),
    ...(route.idempotent ? OF_A_KEYED_POST : []),
    ...(route.path.includes(':') ? (['not_found'] as const) : []),
    ...route.errors,
  ]
}

/** By status, each with its reasons and their sentences. */
function errorResponses(reasons: readonly Reason[]): Record<number, object> {
  const responses: Record<number, object> = {}
  for (const status of new Set(reasons.map(statusOfReason))) {
    const told = [...new Set(reasons)].filter((reason) => statusOfReason(reason) === status)
    const description = told.map((reason) => `\`${reason}\`: ${REASONS[reason][1]}`).join('  \n')
    responses[status] = { description, content: jsonContent({ $ref: '#/components/schemas/Error' }) }
  }
  return responses
}

function statusOfReason(reason: Reason): number {
  return STATUS_OF_CODE[REASONS[reason][0]]
}

/** `post /v1/customers/:id/exemptions` is `postCustomersIdExemptions`. */
function operationId(method: string, path: string): string {
  return (
    method + path.replace(/^\/v1/, '').replace(/[^a-z]+(\w)/gi, (_, letter: string) => letter.toUpperCase())
  )
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function pathParameters(route: Route): object[] {
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(route: Route): object[] {
  if (route.query === null) return []
  const { properties = {}, required = [] } = schemaOf(route.query, 'input')
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

function requestContent(body: z.ZodType, example: unknown): object {
  return { 'application/json': { schema: schemaOf(body, 'input'), ...(example !== null && { example }) } }
}

function contentOf(answer: Route['answer']): object {
  if (answer instanceof z.ZodType) return jsonContent(schemaOf(answer, 'output'))
  return Object.fromEntries(
    Object.entries(answer).map(([media, schema]) => [media, { schema: schemaOf(schema, 'output') }]),
  )
}

function jsonContent(schema: object): object {
  return { 'application/json': { schema } }
}
