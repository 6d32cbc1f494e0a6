import type { JsonSchema } from './types.ts'

const INT32_MAX = 2_147_483_647

/**
 * Makes a schema of zod readable for generators of all languages. Changes it in place, as zod wants it.
 * - The bounds of a double say nothing, and neither does the pattern of a format that has a name.
 * - A whole number of a query is written as text, but its pattern is for texts: generators fail on it.
 * - An integer without a small bound, such as money, needs 64 bits: Java and C# would take 32.
 * - JavaScript puts keys such as `10040` before all others, so the first suggestion would be a code.
 */
export function simplifySchema({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.format !== undefined || jsonSchema.type === 'integer') delete jsonSchema.pattern
  if (jsonSchema.type === 'integer') jsonSchema.format = bitsOf(jsonSchema)
  if (jsonSchema.enum !== undefined)
    jsonSchema.enum = jsonSchema.enum.toSorted(
      (one, other) => Number(isDigits(one)) - Number(isDigits(other)),
    )
}

function bitsOf({ minimum = -Infinity, maximum = Infinity }: JsonSchema): 'int32' | 'int64' {
  return Math.max(-minimum, maximum) > INT32_MAX ? 'int64' : 'int32'
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && /^\d+$/.test(value)
}
