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
 * Writes the schemas of one page in place: each opens below the first field that has its type, and later
 * types link to it there.
 */
export class SchemaWriter {
  readonly #named: Readonly<Record<string, SchemaNode>>
  readonly #written = new Set<string>()

  constructor(named: Readonly<Record<string, SchemaNode>>) {
    this.#named = named
  }

  /** The fields of a schema that the page shows at once, below a heading with its anchor. */
  body(title: string, schema: SchemaNode): string {
    const name = schemaName(schema)
    if (name === null) return `<h3>${title}</h3>${this.fields(schema)}`
    if (this.#written.has(name)) return `<h3>${title}</h3><p class="type">${typeHtml(schema)}</p>`
    this.#written.add(name)
    return `<h3 id="schema-${name}">${title}</h3>${this.fields(this.#named[name] ?? {})}`
  }

  /** The same, closed until the reader opens it. */
  folded(title: string, schema: SchemaNode): string {
    const name = schemaName(schema)
    if (name !== null && !this.#written.has(name)) return this.#opening(name, title)
    return `<p>${title}: <span class="type">${typeHtml(schema)}</span></p>${this.#opened(schema)}`
  }

  /** The fields of an object, or the description of another schema. */
  fields(schema: SchemaNode): string {
    const described = schema.description === undefined ? '' : `<p>${renderInline(schema.description)}</p>`
    const parts = alternativesOf(schema)
    if (schema.properties === undefined && parts.length > 0)
      return described + parts.map((part) => this.#alternative(part)).join('')
    if (schema.properties === undefined)
      return `${described}<p>${typeHtml(schema)}${limitsHtml(schema)}</p>${this.#opened(schema)}`
    const required = new Set(schema.required)
    const fields = Object.entries(schema.properties).map(([name, field]) =>
      this.field(name, field, required.has(name)),
    )
    return `${described}<dl class="fields">${fields.join('')}</dl>`
  }

  /** One field, or one parameter of a path or a query. */
  field(name: string, schema: SchemaNode, required: boolean): string {
    const nested = nestedObject(schema)
    const inner =
      nested === null
        ? this.#opened(schema)
        : `<details><summary>Fields of ${escapeHtml(name)}</summary>
${this.fields(withoutDescription(nested))}</details>`
    const says = schema.description === undefined ? '' : renderInline(schema.description)
    const mark = required ? ' <span class="required">required</span>' : ''
    const body = `${says}${limitsHtml(schema)}${inner}`
    const term = `<code>${escapeHtml(name)}</code> <span class="type">${typeHtml(schema)}</span>${mark}`
    return `<div><dt>${term}</dt><dd>${body}</dd></div>`
  }

  #alternative(part: SchemaNode): string {
    return schemaName(part) === null ? this.fields(part) : `<p>${typeHtml(part)}</p>${this.#opened(part)}`
  }

  /** The schemas that a type names and that the page has not written yet. */
  #opened(schema: SchemaNode): string {
    return namesIn(schema)
      .filter((name) => !this.#written.has(name))
      .map((name) => this.#opening(name, `Fields of ${name}`))
      .join('')
  }

  #opening(name: string, title: string): string {
    this.#written.add(name)
    const inner = this.fields(this.#named[name] ?? {})
    return `<details id="schema-${name}"><summary>${escapeHtml(title)}</summary>${inner}</details>`
  }
}

/** The schemas that a type names itself: directly, as members of a list or a map, or as alternatives. */
function namesIn(schema: SchemaNode): string[] {
  const name = schemaName(schema)
  if (name !== null) return [name]
  const { items, additionalProperties } = schema
  const open = typeof additionalProperties === 'object' ? [additionalProperties] : []
  const inner = [...alternativesOf(schema), ...(items === undefined ? [] : [items]), ...open]
  return [...new Set(inner.flatMap(namesIn))]
}

/** A type in words, with a link to the schema that a reference names. */
function typeHtml(schema: SchemaNode): string {
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
  if (bottom !== undefined && top !== undefined) return `From ${digits(bottom)} to ${digits(top)}.`
  if (bottom !== undefined) return `At least ${digits(bottom)}.`
  return top === undefined ? null : `At most ${digits(top)}.`
}

/** `1,000,000` */
function digits(number: number): string {
  return number.toLocaleString('en')
}
