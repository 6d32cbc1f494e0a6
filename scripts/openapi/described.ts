import { FIELDS, FIELDS_OF } from './descriptions.ts'
import type { JsonSchema } from './types.ts'

/** A schema whose fields are described, those of its inner objects too. What a schema says itself wins. */
export function described(schema: JsonSchema, name: string): JsonSchema {
  const { properties, items, anyOf, additionalProperties, ...rest } = schema
  return {
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([field, each]) => [
          field,
          typeof each === 'boolean' ? each : describedField(each, name, field),
        ]),
      ),
    }),
    ...(isSchema(items) && { items: described(items, name) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((each) => described(each, name)) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isSchema(additionalProperties)
        ? described(additionalProperties, name)
        : additionalProperties,
    }),
  }
}

function describedField(schema: JsonSchema, name: string, field: string): JsonSchema {
  const text = FIELDS_OF[name]?.[field] ?? FIELDS[field]
  const within = described(schema, name)
  return within.description !== undefined || text === undefined ? within : { description: text, ...within }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
