import { describe, expect, it } from 'vitest'
import { CLOSED } from '../../scripts/openapi/answered.ts'
import { FIELDS, FIELDS_OF } from '../../scripts/openapi/descriptions.ts'
import { taxjarDocument } from '../../scripts/openapi/taxjar-document.ts'
import type { JsonSchema } from '../../scripts/openapi/types.ts'
import { PRODUCT_TYPE_IDS } from '../../src/engine/book/product-types.ts'
import { TAXJAR_ROUTES } from '../../src/interfaces/taxjar/routes.ts'
import { DOCUMENT } from './written.ts'

/** What generated clients of other languages need of the document. */
const { components, paths, webhooks } = DOCUMENT
const PREFIX = '#/components/schemas/'
const TAXJAR = taxjarDocument(TAXJAR_ROUTES)

/** Every schema within a value, with its path. */
function schemasIn(value: unknown, path: string): { path: string; schema: JsonSchema }[] {
  if (typeof value !== 'object' || value === null) return []
  const within = Object.entries(value).flatMap(([name, each]) =>
    name === 'example' || name === 'examples' ? [] : schemasIn(each, `${path}.${name}`),
  )
  return isSchema(value) ? [{ path, schema: value }, ...within] : within
}

function isSchema(value: object): value is JsonSchema {
  return !Array.isArray(value)
}

/** The names of the components that these values refer to, directly or through others. */
function reachedFrom(values: readonly unknown[]): ReadonlySet<string> {
  const reached = new Set<string>()
  const visit = (value: unknown): void => {
    for (const { schema } of schemasIn(value, '')) {
      const name = typeof schema.$ref === 'string' ? schema.$ref.replace(PREFIX, '') : ''
      if (name in components.schemas && !reached.has(name)) {
        reached.add(name)
        visit(components.schemas[name])
      }
    }
  }
  for (const value of values) visit(value)
  return reached
}

const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
const answered = reachedFrom([
  ...operations.map(({ responses }) => responses),
  components.responses,
  ...Object.values(webhooks).map(({ post }) => post.requestBody),
])
const asked = reachedFrom(operations.flatMap(({ requestBody, parameters }) => [requestBody, parameters]))
const answers = [...answered].map((name) => ({ name, schema: components.schemas[name] ?? {} }))
const isList = (name: string) => components.schemas[name]?.enum !== undefined

describe('answers and events', () => {
  it('are open for new fields', () => {
    expect(answers.length).toBeGreaterThan(200)
    const all = answers.flatMap(({ name, schema }) => schemasIn(schema, name))
    expect(all.filter(({ schema }) => schema.additionalProperties === false)).toEqual([])
    expect(components.schemas['CalculateRequest']?.additionalProperties).toBe(false)
    const theirs = Object.values(TAXJAR.paths).flatMap(Object.values<object>)
    for (const operation of theirs)
      expect(JSON.stringify('responses' in operation && operation.responses)).not.toContain(
        '"additionalProperties":false',
      )
  })

  it('are open for new words in every list that is not closed', () => {
    const listed = new Set<string>()
    for (const { name, schema } of answers) {
      const open = new Set<unknown>()
      for (const { schema: each } of schemasIn(schema, name))
        if (each.anyOf?.some(({ type, enum: words }) => type === 'string' && words === undefined))
          for (const alternative of each.anyOf) open.add(alternative)
      for (const { path, schema: each } of schemasIn(schema, name)) {
        const list = typeof each.$ref === 'string' ? each.$ref.replace(PREFIX, '') : ''
        if (isList(list)) listed.add(list)
        if (isList(list)) expect([path, open.has(each)]).toEqual([path, !CLOSED.has(list)])
        else if (each.enum !== undefined && path !== name)
          expect([path, open.has(each)]).toEqual([path, true])
      }
    }
    expect(listed).toContain('Coverage')
    expect([...CLOSED].filter((name) => !listed.has(name))).toEqual([])
  })

  it('never ask for a list that is open: a request takes only the words that the service knows', () => {
    for (const name of asked)
      if (!answered.has(name))
        for (const { path, schema } of schemasIn(components.schemas[name], name))
          if (schema.anyOf?.some(({ enum: words }) => words !== undefined))
            expect([path, schema.anyOf.some(({ type, enum: words }) => type === 'string' && !words)]).toEqual(
              [path, false],
            )
  })
})

it('describes every field of every answer and event', () => {
  const missing = answers.flatMap(({ name, schema }) =>
    schemasIn(schema, name).flatMap(({ path, schema: { properties = {} } }) =>
      Object.entries(properties).flatMap(([field, each]) =>
        typeof each === 'object' && each.description === undefined ? [`${path}.${field}`] : [],
      ),
    ),
  )
  expect(missing).toEqual([])
})

it('keeps no description of a field that is gone', () => {
  const fields = new Set<string>()
  const inOne = new Set<string>()
  for (const { name, schema } of answers)
    for (const { schema: each } of schemasIn(schema, name))
      for (const field of Object.keys(each.properties ?? {})) {
        fields.add(field)
        inOne.add(`${name}.${field}`)
      }
  expect(Object.keys(FIELDS).filter((field) => !fields.has(field))).toEqual([])
  // A group of schemas may share its descriptions, so a field has to be in one of them.
  const shared = Object.entries(FIELDS_OF).filter(([name, texts]) =>
    Object.keys(texts).every((field) => !inOne.has(`${name}.${field}`)),
  )
  expect(shared.map(([name]) => name)).toEqual([])
})

describe('all schemas', () => {
  const all = [...schemasIn(DOCUMENT, 'document'), ...schemasIn(TAXJAR, 'taxjar')]

  it('have patterns for texts only, which every language can read', () => {
    const patterns = all.filter(({ schema }) => typeof schema.pattern === 'string')
    expect(patterns.length).toBeGreaterThan(20)
    for (const { path, schema } of patterns) {
      expect([path, schema.type]).toEqual([path, 'string'])
      // No classes of Unicode, no looking around, no named groups.
      expect([path, /\\[pPkuU]|\(\?(?!:)/.test(schema.pattern ?? '')]).toEqual([path, false])
    }
  })

  it('say how many bits an integer needs, 64 for money', () => {
    const integers = all.filter(({ schema }) => schema.type === 'integer')
    for (const { path, schema } of integers)
      expect([path, schema.format]).toEqual([path, expect.stringMatching(/^int(32|64)$/)])
    expect(components.schemas['Transaction']?.properties?.['total']).toMatchObject({ format: 'int64' })
    expect(components.schemas['CalculateLineRequest']?.properties?.['amount']).toMatchObject({
      format: 'int64',
    })
  })

  it('offer the product types, and take the codes of others', () => {
    const [types, code] = components.schemas['ProductTypeOrCode']?.anyOf ?? []
    expect(types?.$ref).toBe('#/components/schemas/ProductTypeId')
    expect(components.schemas['ProductTypeId']?.enum).toEqual(PRODUCT_TYPE_IDS)
    expect(code).toMatchObject({ type: 'string', pattern: expect.stringContaining('txcd_') })
  })
})
