import * as z from 'zod'
import { namedSchemas } from './names.ts'
import { answered } from './answered.ts'
import { simplifySchema } from './simplify.ts'
import type { JsonSchema } from './types.ts'
import { FIELDS, FIELDS_OF } from './descriptions.ts'
import { REQUEST_FIELDS, REQUEST_FIELDS_OF } from './request-descriptions.ts'

/** The side of a schema: `input` as callers write it, `output` as the service answers. */
export type Direction = 'input' | 'output'

type Property = { name: string; required: boolean; schema: JsonSchema }

/**
 * The schemas of the document. A schema that is used becomes a component, together with the schemas it refers
 * to.
 */
export type Schemas = {
  /** A reference to a named schema, or the schema itself if it is neither an object nor an enum. */
  of: (schema: z.ZodType, direction: Direction) => JsonSchema
  /** The fields of an object as callers write them. */
  properties: (schema: z.ZodType) => Property[]
  /** All schemas that were used, by name. */
  components: () => Record<string, JsonSchema>
}

const PREFIX = '#/components/schemas/'

/** Reads all named schemas. Throws if an object or an enum without a name is used. */
export function readSchemas(): Schemas {
  const registry = namedSchemas()
  const all = { input: convertAll(registry, 'input'), output: convertAll(registry, 'output') }
  const used = new Map<string, JsonSchema>()

  const addComponent = (name: string, direction: Direction): void => {
    const schema = all[direction][name]
    if (schema === undefined) throw new Error(`There is no schema ${name}`)
    const before = used.get(name)
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(schema))
      throw new Error(`${name} differs between requests and answers: give each its own name`)
    if (before !== undefined) return
    used.set(name, schema)
    addRefs(schema, direction)
  }
  const addRefs = (schema: JsonSchema, direction: Direction): void => {
    for (const name of refsIn(schema)) addComponent(name, direction)
  }

  return {
    of(schema, direction) {
      const name = registry.get(schema)?.id
      if (name === undefined) return unnamedSchema(schema, direction)
      addComponent(name, direction)
      return { $ref: `${PREFIX}${name}` }
    },
    properties(schema) {
      const { properties = {}, required = [] } = all.input[registry.get(schema)?.id ?? ''] ?? {}
      return Object.entries(properties).flatMap(([name, property]) => {
        if (typeof property === 'boolean') return []
        addRefs(property, 'input')
        return [{ name, required: required.includes(name), schema: property }]
      })
    },
    components: () => Object.fromEntries([...used].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function convertAll(
  registry: z.core.$ZodRegistry<{ id: string }>,
  io: Direction,
): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, { ...OPTIONS, io, uri: (id) => `${PREFIX}${id}` })
  const plain = Object.entries(schemas).map(([name, schema]) => [name, withoutHead(schema)] as const)
  if (io === 'input')
    return Object.fromEntries(plain.map(([name, schema]) => [name, described(schema, textOfRequest(name))]))
  const lists = listsIn(plain)
  return Object.fromEntries(
    plain.map(([name, schema]) => [name, described(answered(schema, lists), textOfAnswer(name))]),
  )
}

function unnamedSchema(schema: z.ZodType, io: Direction): JsonSchema {
  if (schema instanceof z.ZodObject || schema instanceof z.ZodEnum) {
    const members = schema instanceof z.ZodEnum ? schema.options : Object.keys(schema.shape)
    throw new Error(
      `The schema of ${members.join(', ')} has no name: export it from a file that ${NAMES} lists`,
    )
  }
  const plain = withoutHead(z.toJSONSchema(schema, { ...OPTIONS, io }))
  return io === 'output' ? answered(plain, new Set()) : plain
}

/** The names of the schemas that are lists of words. */
function listsIn(schemas: readonly (readonly [string, JsonSchema])[]): ReadonlySet<string> {
  return new Set(schemas.flatMap(([name, schema]) => (schema.enum === undefined ? [] : [name])))
}

const NAMES = 'scripts/openapi/names.ts'

const OPTIONS = { unrepresentable: 'any', override: simplifySchema } as const

function withoutHead({ $schema: _dialect, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema
}

function refsIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name = '']) => name,
  )
}

/** What a field means, by its name. */
type TextOf = (field: string) => string | undefined

const textOfAnswer =
  (name: string): TextOf =>
  (field) =>
    FIELDS_OF[name]?.[field] ?? FIELDS[field]

const textOfRequest =
  (name: string): TextOf =>
  (field) =>
    REQUEST_FIELDS_OF[name]?.[field] ?? REQUEST_FIELDS[field]

/** A schema whose fields are described, those of its inner objects too. What a schema says itself wins. */
function described(schema: JsonSchema, textOf: TextOf): JsonSchema {
  const { properties, items, anyOf, additionalProperties, ...rest } = schema
  return {
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([field, each]) => [
          field,
          typeof each === 'boolean' ? each : describedField(each, textOf, field),
        ]),
      ),
    }),
    ...(isSchema(items) && { items: described(items, textOf) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((each) => described(each, textOf)) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isSchema(additionalProperties)
        ? described(additionalProperties, textOf)
        : additionalProperties,
    }),
  }
}

function describedField(schema: JsonSchema, textOf: TextOf, field: string): JsonSchema {
  const text = textOf(field)
  const within = described(schema, textOf)
  return within.description !== undefined || text === undefined ? within : { description: text, ...within }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
