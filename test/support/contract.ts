import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Document, Operation, Reference, Response } from '../../scripts/openapi/types.ts'

type Said = { status: number; body: unknown; headers?: Headers }

/**
 * Tells what in an answer is not as the document says: its status, its fields, its headers, or the reason of
 * its error. Null when all is.
 */
export type Contract = (method: string, path: string, said: Said) => string | null

/** The parts of a document that answers are compared with. */
type Documented = {
  paths: Document['paths']
  components: Partial<Pick<Document['components'], 'headers'>> &
    Pick<Document['components'], 'schemas' | 'responses'>
}

/**
 * The OpenAPI document as something that answers can be compared with. `fault` names its schema of errors.
 */
export function contractOf(document: Documented, fault = 'Error'): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document.json')
  const validators = new Map<string, ValidateFunction>()
  const compiled = (pointer: string) => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `document.json${pointer}` })
    validators.set(pointer, known)
    return known
  }
  return (method, path, { status, body, headers }) => {
    const named = `${method} ${path.slice(0, 200)} answered ${status}`
    const pattern = patternOf(document, path)
    const operation = pattern === null ? undefined : document.paths[pattern]?.[method.toLowerCase()]
    const reason = status >= 400 ? reasonOf(body) : null
    const unrouted =
      reason === 'route_not_found' ||
      reason === 'method_not_allowed' ||
      operation === undefined ||
      pattern === null
    const found = unrouted
      ? null
      : responseOf(document, operation, status, `/paths/${escaped(pattern)}/${method.toLowerCase()}`)
    if (!unrouted && found === null) return `${named}, which is not documented`
    if (found !== null && reason !== null && !found.response.description.includes(`\`${reason}\``))
      return `${named} ${reason}, which is not documented`
    const missing = found === null || headers === undefined ? [] : missingHeaders(document, found, headers)
    if (missing.length > 0) return `${named} without ${missing.join(', ')}, which is documented`
    const pointer =
      found === null ? `#/components/schemas/${fault}` : `#${found.pointer}/content/application~1json/schema`
    const validate = compiled(pointer)
    return validate(body) ? null : `${named}, and is not as documented: ${JSON.stringify(validate.errors)}`
  }
}

type Found = { response: Response; pointer: string }

/** What the document says of a status of an operation, and where. */
function responseOf(
  document: Documented,
  { responses }: Operation,
  status: number,
  pointer: string,
): Found | null {
  const response = responses[status]
  if (response === undefined) return null
  if (!('$ref' in response)) return { response, pointer: `${pointer}/responses/${status}` }
  const shared = document.components.responses[nameOf(response)]
  return shared === undefined ? null : { response: shared, pointer: response.$ref.slice(1) }
}

function missingHeaders({ components }: Documented, { response }: Found, given: Headers): string[] {
  return Object.entries(response.headers ?? {})
    .filter(([name, header]) => components.headers?.[nameOf(header)]?.required === true && !given.has(name))
    .map(([name]) => name)
}

function nameOf({ $ref }: Reference): string {
  return $ref.split('/').at(-1) ?? ''
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
function patternOf(document: Documented, path: string): string | null {
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
