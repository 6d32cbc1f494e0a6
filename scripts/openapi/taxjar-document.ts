import * as z from 'zod'
import { answered } from './answered.ts'
import { documentedPath } from './operations.ts'
import { simplifySchema } from './simplify.ts'
import type { JsonSchema } from './types.ts'
import { type TaxJarRoute, VERIFY } from '../../src/interfaces/taxjar/routes.ts'

const DESCRIPTION = `The form of TaxJar, for shops that change only the address and the key of their client.
Send the key as \`Authorization: Bearer …\` or \`Authorization: Token token="…"\`. The account has to enable
\`taxjar_api\` (PUT /v1/account). Each path is also served below \`/taxjar\`. Amounts are in the major unit of
the currency. Unknown fields are ignored.`

/** The statuses of errors, with when they come. */
const FAULTS: Readonly<Record<number, string>> = {
  400: 'A value is not possible, or the change is not allowed',
  401: 'The key is missing or not valid',
  403: 'The key lacks the scope, or the account does not answer in this form',
  404: 'There is no such resource',
  406: 'A field is missing',
  422: 'There is a resource with this id',
  429: 'Too many requests: wait as long as Retry-After says',
  500: 'The service failed',
}

const FAULT: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: 'integer', format: 'int32' },
    error: { type: 'string' },
    detail: { type: 'string' },
  },
  required: ['status', 'error', 'detail'],
}

/** The OpenAPI 3.1 document of the routes in the form of TaxJar. The build writes it to a file. */
export function taxjarDocument(routes: readonly TaxJarRoute[]) {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = documentedPath(route.path)
    paths[path] = { ...paths[path], [route.method]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tax Compliance Service in the form of TaxJar',
      version: '2.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that serves this document' }],
    security: [{ bearer: [] }, { token: [] }],
    paths,
    components: {
      schemas: { Fault: FAULT },
      responses: Object.fromEntries(
        Object.entries(FAULTS).map(([status, description]) => [
          `Fault${status}`,
          {
            description,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Fault' } } },
          },
        ]),
      ),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the service' },
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The same key as `Token token="…"`',
        },
      },
    },
  }
}

function operationOf(route: TaxJarRoute) {
  const { operation, summary, scope, params, query, body, answer, status } = route
  return {
    operationId: operation,
    summary,
    description: `Needs the scope \`${scope}\`.`,
    parameters: [
      ...Object.entries(params).map(([name, description]) => ({
        name,
        in: 'path',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      ...queryParameters(query),
    ],
    ...(body !== null && { requestBody: { required: true, content: jsonOf(body, 'input') } }),
    ...(route === VERIFY && {
      requestBody: {
        required: false,
        content: {
          'application/x-www-form-urlencoded': {
            schema: { type: 'object', properties: { token: { type: 'string' } } },
          },
        },
      },
    }),
    responses: {
      [status]: { description: summary, content: jsonOf(answer, 'output') },
      ...Object.fromEntries(
        Object.keys(FAULTS).map((fault) => [fault, { $ref: `#/components/responses/Fault${fault}` }]),
      ),
    },
  }
}

function queryParameters(query: TaxJarRoute['query']) {
  if (query === null) return []
  const { properties = {} } = schemaOf(query, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: 'query',
    required: false,
    ...(typeof property === 'object' && property.description && { description: property.description }),
    schema: { type: 'string' },
  }))
}

function jsonOf(schema: z.ZodType, io: 'input' | 'output') {
  return { 'application/json': { schema: schemaOf(schema, io) } }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override: simplifySchema,
    io,
  })
  return io === 'output' ? answered(plain, new Set()) : plain
}
