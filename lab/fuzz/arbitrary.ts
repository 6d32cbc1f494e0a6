import fc from 'fast-check'
import { HOSTILE_VALUES } from './hostile.ts'

/** The part of JSON Schema that the OpenAPI document uses. */
export type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  maxProperties?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
}

/** Meaningful values by field name. Without them, nearly every request would fail at the first check. */
export type Known = Record<string, readonly unknown[]>

/** A value that matches the schema. It uses the meaningful values of the field, if there are any. */
export function valid(schema: Schema, known: Known, name = ''): fc.Arbitrary<unknown> {
  const meant = known[name]
  if (meant !== undefined) return fc.constantFrom(...meant)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((each) => valid(each, known, name)))
  if (schema.allOf !== undefined) return validObject(merged(schema.allOf), known)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return validObject(schema, known)
    case 'array': {
      const { minItems = 0, maxItems = 3 } = schema
      return fc.array(valid(schema.items ?? {}, known, name), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, 4)),
      })
    }
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? 0, -1e9),
        max: Math.min(schema.maximum ?? 1e6, 1e9),
      })
    case 'number':
      return fc.integer({ min: 0, max: 1_000 }).map((thousandths) => thousandths / 1_000)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return validText(schema)
    default:
      return fc.jsonValue()
  }
}

/** A valid value with one fault: one field is missing, unknown or hostile. */
export function nearlyValid(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      valid(schema, known),
      fc.nat(),
      fc.constantFrom('replace', 'remove', 'add'),
      fc.constantFrom(...HOSTILE_VALUES),
    )
    .map(([value, where, how, hostile]) => spoilt(value, where, how, hostile))
}

function validObject(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema
  if (Object.keys(properties).length === 0 && typeof schema.additionalProperties === 'object')
    return fc.dictionary(
      fc.string({ minLength: 1, maxLength: 20 }),
      valid(schema.additionalProperties, known),
      { maxKeys: 3 },
    )
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, valid(each, known, name)]),
  )
  return fc.record(fields, { requiredKeys: required })
}

function merged(schemas: readonly Schema[]): Schema {
  return {
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties ?? {})),
    required: schemas.flatMap(({ required = [] }) => required),
  }
}

function validText({ pattern, minLength = 0, maxLength = 100 }: Schema): fc.Arbitrary<unknown> {
  if (pattern !== undefined && !/\\p\{|\(\?/.test(pattern)) return fc.stringMatching(new RegExp(pattern))
  return fc.string({ minLength, maxLength: Math.min(maxLength, 60), unit: 'grapheme' })
}

type Node = { holder: Record<string, unknown> | unknown[]; key: string | number }

/** Changes one place of a value: the place with the number `where`. */
function spoilt(value: unknown, where: number, how: string, hostile: unknown): unknown {
  const root = { value: structuredClone(value) }
  const places = placesOf(root)
  const place = places[where % places.length]
  if (place === undefined) return hostile
  const { holder, key } = place
  if (Array.isArray(holder)) holder[Number(key)] = hostile
  else if (how === 'replace' || holder === root) holder[key] = hostile
  else if (how === 'remove') delete holder[key]
  else
    Object.defineProperty(holder, typeof hostile === 'string' ? hostile : 'unknown_field', {
      value: 1,
      enumerable: true,
      configurable: true,
    })
  return root.value
}

function placesOf(holder: unknown): Node[] {
  if (Array.isArray(holder))
    return holder.flatMap((each, key): Node[] => [{ holder, key }, ...placesOf(each)])
  if (typeof holder !== 'object' || holder === null) return []
  const record: Record<string, unknown> = Object.assign(holder)
  return Object.keys(record).flatMap((key) => [{ holder: record, key }, ...placesOf(record[key])])
}
