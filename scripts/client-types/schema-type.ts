import type { JsonSchema } from '../openapi/types.ts'

const REFERENCE = '#/components/schemas/'

/** The TypeScript of a schema. Throws an Error for a form of schema that the service does not use. */
export function schemaType(schema: JsonSchema | boolean): string {
  if (typeof schema === 'boolean') return 'unknown'
  const { $ref, anyOf, enum: values, const: value, type } = schema
  if (schema.allOf !== undefined || schema.oneOf !== undefined) throw unknownForm(schema)
  if ($ref !== undefined) return typeName($ref.replace(REFERENCE, ''))
  if (anyOf !== undefined) return union(alternatives(anyOf))
  if (values !== undefined) return union(values.map((each) => JSON.stringify(each)))
  if (value !== undefined) return JSON.stringify(value)
  if (Array.isArray(type)) return union(type.map((each) => schemaType({ ...schema, type: each })))
  switch (type) {
    case undefined:
      return 'unknown'
    case 'integer':
      return 'number'
    case 'string':
      return schema.format === 'binary' ? 'Blob' : type
    case 'number':
    case 'boolean':
    case 'null':
      return type
    case 'array':
      return arrayType(schema)
    case 'object':
      return objectType(schema)
    default:
      throw unknownForm(schema)
  }
}

/**
 * The types of `anyOf`. A list that is open for new words has only its present words as a type: `string`
 * beside them would hide them from the editor. Codes of a request, which have a pattern, stay as `PeerCode`.
 */
function alternatives(schemas: readonly JsonSchema[]): string[] {
  const hasWords = schemas.some(({ $ref, enum: values }) => $ref !== undefined || values !== undefined)
  if (!hasWords) return schemas.map(schemaType)
  return schemas.flatMap((schema) => {
    const type = schemaType(schema)
    if (type !== 'string') return [type]
    return schema.pattern === undefined ? [] : ['PeerCode']
  })
}

function unknownForm(schema: JsonSchema): Error {
  return new Error(`The types of the client have no form for ${JSON.stringify(schema)}`)
}

function arrayType({ items }: JsonSchema): string {
  const item = items === undefined || Array.isArray(items) ? 'unknown' : schemaType(items)
  return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`
}

function objectType({ properties = {}, required = [], additionalProperties = false }: JsonSchema): string {
  const listed = Object.entries(properties).map(([name, schema]) =>
    field(name, schemaType(schema), {
      required: required.includes(name),
      text: typeof schema === 'boolean' ? undefined : schema.description,
    }),
  )
  const others = additionalProperties === false ? [] : [`[key: string]: ${schemaType(additionalProperties)}`]
  return block([...listed, ...others])
}

/** The name of a schema that is a reference; null: it is none. */
export function schemaName({ $ref }: JsonSchema): string | null {
  return $ref === undefined ? null : $ref.replace(REFERENCE, '')
}

/** The name of a schema in TypeScript. `Error` would hide the Error of JavaScript in the code of users. */
export function typeName(schema: string): string {
  return schema === 'Error' ? 'ErrorAnswer' : schema
}

/** A field of an object. `text` becomes its comment. */
export function field(
  name: string,
  type: string,
  { required = true, text }: { required?: boolean; text?: string | undefined } = {},
): string {
  // The type of the key "200" is not that of 200.
  const key = /^(\d+|[a-z_]\w*)$/i.test(name) ? name : `'${name}'`
  return `${comment(text)}${key}${required ? '' : '?'}: ${type}`
}

export function block(lines: readonly string[]): string {
  return `{\n${lines.join('\n').replaceAll(/^/gm, '  ')}\n}`
}

export function union(types: readonly string[]): string {
  return types.join(' | ')
}

export function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('\n', '\n * ')} */\n`
}
