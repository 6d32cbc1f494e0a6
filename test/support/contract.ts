import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Operation = { responses: Record<string, { description: string; content?: Record<string, unknown> }> }
export type Document = { paths: Record<string, Record<string, Operation>>; components: object }

export type Said = { status: number; body: unknown }

/**
 * Tells what in an answer is not as the document says: its status, its fields, or the reason of its error.
 * Null when all is.
 */
export type Contract = (method: string, path: string, said: Said) => string | null

/** The OpenAPI document as something that answers can be held against. */
export function contractOf(document: Document): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document.json')
  const validators = new Map<string, ValidateFunction>()
  const compiled = (pointer: string) => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `document.json${pointer}` })
    validators.set(pointer, known)
    return known
  }
  return (method, path, { status, body }) => {
    const named = `${method} ${path.slice(0, 200)} answered ${status}`
    const pattern = patternOf(document, path)
    const operation = pattern === null ? undefined : document.paths[pattern]?.[method.toLowerCase()]
    const reason = status >= 400 ? reasonOf(body) : null
    const unrouted =
      reason === 'route_not_found' ||
      reason === 'method_not_allowed' ||
      operation === undefined ||
      pattern === null
    const response = operation?.responses[status]
    if (!unrouted && response === undefined) return `${named}, which is not documented`
    if (!unrouted && reason !== null && !response?.description.includes(`\`${reason}\``))
      return `${named} ${reason}, which is not documented`
    const pointer = unrouted
      ? '#/components/schemas/Error'
      : `#/paths/${escaped(pattern)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
    const validate = compiled(pointer)
    return validate(body) ? null : `${named}, and is not as documented: ${JSON.stringify(validate.errors)}`
  }
}

/**
 * `missing_scope: vat:write` is the reason missing_scope. Null where there is none, as in the health of the
 * service.
 */
function reasonOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('reason' in body) || typeof body.reason !== 'string')
    return null
  return body.reason.split(':')[0] ?? null
}

/** A path without parameters wins, as in the router. */
function patternOf(document: Document, path: string): string | null {
  const [given = ''] = path.split('?')
  const patterns = Object.keys(document.paths)
  return (
    patterns.find((pattern) => pattern === given) ??
    patterns.find((pattern) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(given)) ??
    null
  )
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
