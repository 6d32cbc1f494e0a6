import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { app } from '../../src/service/app.ts'
import { keysOf } from '../../src/platform/kit/keys-of.ts'
import { REASONS, STATUS_OF_CODE } from '../../src/platform/errors.ts'
import { route } from '../../src/platform/http/route.ts'
import { openApiDocument } from '../../scripts/openapi/document.ts'
import { TAGS } from '../../src/platform/http/tags.ts'
import type { MediaType, Response } from '../../scripts/openapi/types.ts'
import { VERBS } from '../../src/platform/http/verbs.ts'
import { ROUTES } from '../../src/interfaces/routes.ts'
import { taxjarDocument } from '../../scripts/openapi/taxjar-document.ts'
import { TAXJAR_ROUTES } from '../../src/interfaces/taxjar/routes.ts'
import { DOCUMENT } from './written.ts'

const { paths, webhooks, components } = DOCUMENT
const documented = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    operation,
  })),
)
const sent = Object.entries(webhooks).map(([name, { post }]) => ({ name, operation: post }))

function taxjarIds(): string[] {
  const operations = Object.values(taxjarDocument(TAXJAR_ROUTES).paths).flatMap(Object.values<object>)
  return operations.map((operation) => ('operationId' in operation ? String(operation.operationId) : ''))
}

function responseOf(found: Response | { $ref: string } | undefined): Response | undefined {
  return found !== undefined && '$ref' in found
    ? components.responses[found.$ref.replace('#/components/responses/', '')]
    : found
}

it('documents every path of the router but those of TaxJar, Saleor and agents, and no other', () => {
  const pages = [
    '/',
    '/try',
    '/status',
    '/jurisdictions',
    '/jurisdictions/:id',
    '/coverage',
    '/wrong',
    '/robots.txt',
    '/sitemap.xml',
    '/.well-known/security.txt',
    '/changes.atom',
    '/changes.json',
    '/calendar/:file',
    '/certificate/:token',
    '/messages/stop/:token',
    '/sign-in',
    '/sign-in/way',
    '/sign-in/callback',
    '/sign-in/end',
  ]
  // Messages to /mcp are those of its protocol, and tools/list describes them.
  const routed = app.routes
    .filter(({ path }) => path !== '/mcp')
    // Saleor asks below /saleor/ as its own documentation says.
    .filter(({ path }) => !path.startsWith('/saleor/'))
    .filter(({ path }) => !pages.includes(path) && !/^(\/taxjar)?\/v2\//.test(path))
    .map(({ method, path }) => `${method} ${path}`)
  expect(documented.map(({ name }) => name).toSorted()).toEqual([...new Set(routed)].toSorted())
})

it('names the scope of every operation behind a key', () => {
  expect(DOCUMENT.security).toEqual([{ api_key: [] }])
  for (const { method, path, scope } of ROUTES) {
    const found = documented.find(({ name }) => name === `${method.toUpperCase()} ${path}`)
    expect(found?.operation.description).toContain(scope ?? 'a key of any scope')
    expect(found?.operation.security).toBeUndefined()
  }
})

it('writes the summary of an operation as a title, which readers show as it is', () => {
  for (const { name, operation } of documented) expect(operation.summary, name).not.toContain('`')
})

it('gives every operation an id of its own, a summary and a tag that is described', () => {
  const ids = [...documented, ...sent].map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const tags = DOCUMENT.tags.map(({ name }) => name)
  for (const { operation } of [...documented, ...sent]) {
    expect(operation.summary.length).toBeGreaterThan(5)
    expect(tags).toEqual(expect.arrayContaining(operation.tags))
  }
  for (const tag of keysOf(TAGS))
    expect(documented.some(({ operation }) => operation.tags.includes(tag))).toBe(true)
})

it('names every operation by a verb, as a method of a client in any language', () => {
  const ids = [...documented.map(({ operation }) => operation.operationId), ...taxjarIds()]
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([])
  expect(ids.filter((id) => !(VERBS as readonly string[]).includes(/^[a-z]+/.exec(id)?.[0] ?? ''))).toEqual(
    [],
  )
  // A name made of a path, such as `getTransactionsId`, ends with the name of its parameter.
  expect(ids.filter((id) => id.endsWith('Id') && !/(ByExternal|Vat)Id$/.test(id))).toEqual([])
  for (const { name } of documented) expect(name).toMatch(/^[A-Z]+ (\/:?[a-z0-9_-]+)+$/)
})

it('is OpenAPI 3.1, and says where the service is', () => {
  expect(DOCUMENT.openapi).toBe('3.1.0')
  expect(DOCUMENT.servers).toHaveLength(1)
})

describe('schemas', () => {
  it('have names in every body that is JSON', () => {
    for (const { name, operation } of [...documented, ...sent]) {
      const bodies = [operation.requestBody, ...Object.values(operation.responses).map(responseOf)]
      for (const body of bodies) {
        const schema = body?.content?.['application/json']?.schema
        if (schema !== undefined) expect(schema.$ref, name).toMatch(/^#\/components\/schemas\/[A-Z]\w+$/)
      }
    }
  })

  it('are written once: no object and no enum that recurs is without a name', () => {
    const seen = new Map<string, number>()
    for (const schema of Object.values(components.schemas)) countInline(schema, seen, false)
    expect([...seen].filter(([, times]) => times > 1)).toEqual([])
  })

  it('contain those that a client is made of', () => {
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(
        'CalculateRequest Calculation TaxLine TaxBreakdownEntry Transaction Customer Address Meta Error'.split(
          ' ',
        ),
      ),
    )
    expect(components.schemas['ErrorCode']).toMatchObject({ enum: keysOf(STATUS_OF_CODE) })
  })

  it('need a name', () => {
    const unnamed = route({
      method: 'get',
      path: '/v1/things',
      operation: 'listThings',
      client: 'things.list',
      scope: 'tax:read',
      tag: 'Metadata',
      summary: 'Things',
      answer: z.strictObject({ queried_at: z.string() }),
      handle: () => ({}),
    })
    expect(() => openApiDocument([unnamed], [], {})).toThrow('has no name')
  })
})

/** Counts the objects and enums that stand in other schemas without a name. */
function countInline(value: unknown, seen: Map<string, number>, nested: boolean): void {
  if (typeof value !== 'object' || value === null) return
  if (nested && ('properties' in value || 'enum' in value)) {
    const text = JSON.stringify(value)
    seen.set(text, (seen.get(text) ?? 0) + 1)
  }
  for (const each of Object.values(value)) countInline(each, seen, true)
}

it('describes every parameter', () => {
  for (const { name, operation } of [...documented, ...sent])
    for (const parameter of operation.parameters ?? [])
      expect(parameter.description.length, `${name} ${parameter.name}`).toBeGreaterThan(5)
  const { parameters = [] } = paths['/v1/transactions/{id}/refund']?.['post'] ?? {}
  expect(parameters.map(({ name }) => name)).toEqual(['id', 'Idempotency-Key'])
})

it('describes every field of a request', () => {
  const undescribed = (name: string, schema: Record<string, unknown>, seen: Set<string>): string[] => {
    const found = Object.entries((schema['properties'] ?? {}) as Record<string, Record<string, unknown>>)
    const ref = /\w+$/.exec(JSON.stringify(schema['$ref'] ?? '').replaceAll('"', ''))?.[0]
    if (ref !== undefined && seen.has(ref)) return []
    const named = ref === undefined ? [] : undescribed(ref, componentOf(ref), new Set([...seen, ref]))
    const inner = ['anyOf', 'oneOf', 'allOf', 'items'].flatMap((key) => [schema[key] ?? []].flat())
    return [
      ...named,
      ...found.flatMap(([field, each]) => [
        ...(each['description'] === undefined ? [`${name}.${field}`] : []),
        ...undescribed(`${name}.${field}`, each, seen),
      ]),
      ...inner.flatMap((each) => undescribed(name, each as Record<string, unknown>, seen)),
    ]
  }
  const componentOf = (name: string) =>
    (DOCUMENT.components.schemas as unknown as Record<string, Record<string, unknown>>)[name] ?? {}
  const requests = documented.flatMap(({ name, operation }) => {
    const schema = operation.requestBody?.content['application/json']?.schema
    return schema === undefined ? [] : undescribed(name, schema as Record<string, unknown>, new Set())
  })
  expect([...new Set(requests)]).toEqual([])
})

it('names the headers of answers', () => {
  for (const { name, operation } of documented)
    for (const [status, found] of Object.entries(operation.responses)) {
      const headers = Object.keys(responseOf(found)?.headers ?? {})
      expect(headers, `${name} ${status}`).toContain('X-Request-Id')
      if (status === '429')
        expect(headers).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit-Policy']))
    }
  for (const { method, path, idempotent, status } of ROUTES) {
    const operation = documented.find(({ name }) => name === `${method.toUpperCase()} ${path}`)?.operation
    const headers = responseOf(operation?.responses[status])?.headers ?? {}
    expect('Idempotent-Replayed' in headers, path).toBe(idempotent)
  }
})

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(DOCUMENT, 'document.json')
  const faultsOf = ({ schema, example }: MediaType) => {
    const validate = ajv.compile(
      schema.$ref === undefined ? { ...schema } : { $ref: `document.json${schema.$ref}` },
    )
    return validate(example) ? null : validate.errors
  }

  it.each(documented)('of the answer of $name are as its schema says', ({ operation }) => {
    const content = Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, found]) => Object.values(responseOf(found)?.content ?? {}))
    const given = content.filter((each) => each.example !== undefined)
    expect(given).toHaveLength(1)
    for (const each of given) expect(faultsOf(each)).toBeNull()
  })

  it.each(sent)('of the event $name are as its schema says', ({ operation }) => {
    const body = operation.requestBody?.content['application/json']
    expect(body?.example).toBeDefined()
    expect(body === undefined ? null : faultsOf(body)).toBeNull()
  })

  it('of errors are those of their reason', () => {
    const unrouted = ['route_not_found', 'method_not_allowed']
    // Of routes in the form of TaxJar alone.
    unrouted.push('taxjar_api_off')
    // Of the addresses that shops on Saleor call.
    unrouted.push('invalid_signature', 'registration_refused', 'shop_unreachable')
    expect(Object.keys(components.examples)).toEqual(
      keysOf(REASONS).filter((reason) => !unrouted.includes(reason)),
    )
    for (const [reason, { value }] of Object.entries(components.examples)) {
      expect(faultsOf({ schema: { $ref: '#/components/schemas/Error' }, example: value })).toBeNull()
      expect(String(Object(value)['reason'])).toMatch(new RegExp(`^${reason}`))
    }
  })
})
