import { escapeHtml } from './escape.ts'
import { renderInline } from './markdown.ts'

/** The keywords of JSON Schema that the document uses. */
export type SchemaNode = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, SchemaNode>
  required?: string[]
  items?: SchemaNode
  anyOf?: SchemaNode[]
  oneOf?: SchemaNode[]
  allOf?: SchemaNode[]
  enum?: unknown[]
  const?: unknown
  additionalProperties?: boolean | SchemaNode
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  default?: unknown
}

/** The name of a schema by its reference; null: another kind of reference, or not a reference. */
export function schemaName({ $ref }: SchemaNode): string | null {
  const [, name = null] = /^#\/components\/schemas\/(.+)$/.exec($ref ?? '') ?? []
  return name
}

/**
 * The fields of an object, or the description of another schema. `inset` counts the nested objects: a fourth
 * level is left out.
 */
export function schemaHtml(schema: SchemaNode, inset = 0): string {
  const described = schema.description === undefined ? '' : `<p>${renderInline(schema.description)}</p>`
  const parts = alternativesOf(schema)
  if (schema.properties === undefined && parts.length > 0)
    return described + parts.map((part) => schemaHtml(part, inset)).join('')
  if (schema.properties === undefined) return `${described}<p>${typeHtml(schema)}${limitsHtml(schema)}</p>`
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties).map(([name, field]) =>
    fieldHtml(name, field, required.has(name), inset),
  )
  return `${described}<dl class="fields">${fields.join('')}</dl>`
}

/** One field, or one parameter of a path or a query. */
export function fieldHtml(name: string, schema: SchemaNode, required: boolean, inset = 0): string {
  const nested = nestedObject(schema)
  const inner = nested === null || inset > 2 ? '' : schemaHtml(withoutDescription(nested), inset + 1)
  const says = schema.description === undefined ? '' : renderInline(schema.description)
  const mark = required ? ' <span class="required">required</span>' : ''
  const body = `${says}${limitsHtml(schema)}${inner}`
  const term = `<code>${escapeHtml(name)}</code> <span class="type">${typeHtml(schema)}</span>${mark}`
  return `<div><dt>${term}</dt><dd>${body}</dd></div>`
}

/** A type in words, with a link to the schema that a reference names. */
export function typeHtml(schema: SchemaNode): string {
  const name = schemaName(schema)
  if (name !== null) return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`
  const parts = alternativesOf(schema)
  const types = new Set(parts.map((part) => typeHtml(part)))
  if (parts.length > 0) return [...types].join(schema.allOf ? ' and ' : ' or ')
  if (schema.items !== undefined) return `list of ${typeHtml(schema.items)}`
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`
  const { type = 'any value', format } = schema
  const words = Array.isArray(type) ? type.join(' or ') : type
  return escapeHtml(format === undefined ? words : `${words} (${format})`)
}

/** The schemas that a schema refers to, directly or through others, in the order of their first use. */
export function reachedSchemas(
  roots: readonly SchemaNode[],
  named: Readonly<Record<string, SchemaNode>>,
): string[] {
  const reached = new Set<string>()
  const visit = (node: SchemaNode) => {
    const name = schemaName(node)
    if (name !== null && !reached.has(name)) {
      reached.add(name)
      visit(named[name] ?? {})
    }
    for (const child of childrenOf(node)) visit(child)
  }
  for (const root of roots) visit(root)
  return [...reached]
}

function childrenOf({ properties = {}, items, additionalProperties, ...rest }: SchemaNode): SchemaNode[] {
  const open = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [...Object.values(properties), ...(items ? [items] : []), ...open, ...alternativesOf(rest)]
}

function alternativesOf({ anyOf = [], oneOf = [], allOf = [] }: SchemaNode): SchemaNode[] {
  return [...anyOf, ...oneOf, ...allOf]
}

/** The object that is written inside of a field, also as a member of a list or beside null. */
function nestedObject(schema: SchemaNode): SchemaNode | null {
  if (schema.properties !== undefined) return schema
  if (schema.items !== undefined) return nestedObject(schema.items)
  return (
    alternativesOf(schema)
      .map(nestedObject)
      .find((each) => each !== null) ?? null
  )
}

/** The description of a field's own object is already beside the name of the field. */
function withoutDescription({ description: _description, ...schema }: SchemaNode): SchemaNode {
  return schema
}

function limitsHtml(schema: SchemaNode): string {
  const { minimum, maximum, maxLength, maxItems } = schema
  const words = schema.enum ?? alternativesOf(schema).find((each) => each.enum !== undefined)?.enum
  const limits = [
    words && `One of ${words.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(', ')}.`,
    schema.default !== undefined && `Left out: <code>${escapeHtml(JSON.stringify(schema.default))}</code>.`,
    rangeInWords(minimum, maximum),
    maxLength !== undefined && `At most ${maxLength} characters.`,
    maxItems !== undefined && `At most ${maxItems} elements.`,
  ].filter(Boolean)
  return limits.length === 0 ? '' : ` <span class="limits">${limits.join(' ')}</span>`
}

function rangeInWords(minimum: number | undefined, maximum: number | undefined): string | null {
  const top = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  const bottom = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum
  if (bottom !== undefined && top !== undefined) return `From ${bottom} to ${top}.`
  if (bottom !== undefined) return `At least ${bottom}.`
  return top === undefined ? null : `At most ${top}.`
}
