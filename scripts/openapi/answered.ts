import type { JsonSchema } from './types.ts'

/**
 * Lists of words that never grow in an answer: states and choices that the service itself defines. Every
 * other list can get a new word at any time, as docs/versioning.md says.
 */
export const CLOSED: ReadonlySet<string> = new Set([
  'AddressField',
  'CheckStatus',
  'DeliveryStatus',
  'DiscountFunder',
  'ErrorCode',
  'ExemptionStatus',
  'ExemptionType',
  'Importer',
  'LineEntryKind',
  'MarketplaceRole',
  'ReturnStatus',
  'SoldKind',
  'SubmissionState',
  'SummaryGrouping',
  'TaxBehavior',
  'TaxSource',
  'TransactionStatus',
  'ValidationStatus',
  'VatAnswer',
  'Verdict',
  'WebhookStatus',
])

const PREFIX = '#/components/schemas/'
const ANY_WORD: JsonSchema = { type: 'string' }

/**
 * A schema as answers and events have it: open for new fields, and for new words in lists that are not
 * closed. A list `Coverage` becomes `anyOf [Coverage, string]`, so generated types know its present words.
 * `lists`: the names of the components that are lists of words. Such a component itself is not changed.
 */
export function answered(schema: JsonSchema, lists: ReadonlySet<string>): JsonSchema {
  const open = (each: JsonSchema) => opened(each, lists)
  const { properties, items, anyOf, additionalProperties, ...rest } = schema
  return {
    ...rest,
    ...(properties !== undefined && { properties: mapped(properties, open) }),
    ...(isSchema(items) && { items: open(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(open).flatMap(alternatives) }),
    ...(isSchema(additionalProperties) && { additionalProperties: open(additionalProperties) }),
    ...(additionalProperties === true && { additionalProperties }),
  }
}

function opened(schema: JsonSchema, lists: ReadonlySet<string>): JsonSchema {
  const { description, default: fallback, ...rest } = schema
  const name = schema.$ref?.replace(PREFIX, '')
  const isList = name === undefined ? schema.enum !== undefined : lists.has(name) && !CLOSED.has(name)
  if (!isList) return answered(schema, lists)
  return {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
    anyOf: [rest, ANY_WORD],
  }
}

/** `anyOf` within `anyOf` is one list. */
function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf !== undefined && Object.keys(schema).length === 1 ? schema.anyOf : [schema]
}

function mapped(
  schemas: Readonly<Record<string, JsonSchema | boolean>>,
  change: (schema: JsonSchema) => JsonSchema,
): Record<string, JsonSchema | boolean> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      typeof schema === 'boolean' ? schema : change(schema),
    ]),
  )
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
