import project from '../../package.json' with { type: 'json' }
import { ErrorAnswer } from '../../src/platform/http/answers.ts'
import type { PublicRoute, Route } from '../../src/platform/http/route.ts'
import { errorExamples, sharedResponses } from './errors.ts'
import { HEADERS } from './headers.ts'
import { REGION_GROUPS } from '../../src/engine/book/regions.ts'
import { nameOfGroup } from '../../src/engine/regimes/list.ts'
import { documentedPath, operationOf, publicOperationOf } from './operations.ts'
import { readSchemas } from './schemas.ts'
import { TAGS } from '../../src/platform/http/tags.ts'
import type { Document, Examples } from './types.ts'
import { webhooksOf } from './webhooks.ts'

const REGIONS = REGION_GROUPS.map(nameOfGroup)

const DESCRIPTION = `Sales tax, VAT and GST for these regions: ${REGIONS.join(', ')}.

Send an API key as \`Authorization: Bearer …\`. Money is an integer in the minor unit of its currency,
rates are fractions, dates are \`YYYY-MM-DD\`, and timestamps are ISO 8601 in UTC. An unknown field is an
error. Every error has an \`error_code\`, a \`reason\` for programs and a \`message\` for people.

The examples of answers are real, but long lists are shortened.`

/**
 * The OpenAPI 3.1 document of the routes, made from the schemas that validate them. This takes a second, so
 * the build writes the document and the service serves it as a file.
 */
export function openApiDocument(
  routes: readonly Route[],
  publicRoutes: readonly PublicRoute[],
  examples: Examples,
): Document {
  const schemas = readSchemas()
  const paths: Document['paths'] = {}
  for (const route of routes) {
    const path = documentedPath(route.path)
    paths[path] = { ...paths[path], [route.method]: operationOf(route, schemas, examples) }
  }
  for (const route of publicRoutes) paths[route.path] = { get: publicOperationOf(route, schemas, examples) }
  const webhooks = webhooksOf(schemas, examples)
  schemas.of(ErrorAnswer, 'output')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tax Compliance Service',
      version: project.version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that serves this document' }],
    security: [{ api_key: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: schemas.components(),
      responses: sharedResponses(),
      headers: HEADERS,
      examples: errorExamples(),
      securitySchemes: {
        api_key: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, `tcs_live_…` or `tcs_test_…`. Each operation names the scope that it needs.',
        },
      },
    },
  }
}
