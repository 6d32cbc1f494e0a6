import { exports } from 'cloudflare:workers'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'

export type Call = {
  key?: string
  body?: unknown
  /** Sent as it is, instead of `body`. */
  raw?: BodyInit
  headers?: Record<string, string>
}

export type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string }

type Operation = { responses: Record<string, { description: string }> }
type Document = { paths: Record<string, Record<string, Operation>>; components: object }

let contract: Promise<{ document: Document; ajv: Ajv2020 }> | null = null
const validators = new Map<string, ValidateFunction>()

/** Calls the service, and holds what it answers against its own OpenAPI document: an undocumented status or field fails the test. */
export async function call(method: string, path: string, { key, body, raw, headers = {} }: Call = {}): Promise<Answer> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await exports.default.fetch(`https://service.test${path}`, {
    method,
    headers: {
      // A client of its own each time, so that one test's failed keys do not count against another's.
      'CF-Connecting-IP': `2001:db8::${crypto.randomUUID().slice(0, 4)}`,
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(sent !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  })
  const text = await response.text()
  const answer = { status: response.status, headers: response.headers, body: JSON.parse(text), text }
  holdSharedHeaders(answer)
  if (path !== '/openapi.json') await holdContract(method, path, answer)
  return answer
}

function holdSharedHeaders({ status, headers, body }: Answer): void {
  expect(headers.get('X-Request-Id')).toMatch(/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  expect(headers.get('Content-Type')).toBe('application/json')
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(headers.get('Strict-Transport-Security')).toContain('max-age=')
  expect(headers.get('X-Powered-By')).toBeNull()
  if (status >= 400 && status !== 503) expect(body['request_id']).toBe(headers.get('X-Request-Id'))
}

async function holdContract(method: string, path: string, answer: Answer): Promise<void> {
  const validate = await validatorOf(method, path, answer)
  await holdReason(method, path, answer)
  if (!validate(answer.body))
    throw new Error(
      `${method} ${path} ${answer.status} is not as documented: ${JSON.stringify(validate.errors)}\n${answer.text.slice(0, 2000)}`,
    )
}

/** Every reason that a caller gets to see stands in the document, with the status that it has. */
async function holdReason(method: string, path: string, { status, body }: Answer): Promise<void> {
  const reason = typeof body['reason'] === 'string' ? body['reason'].split(':')[0] : ''
  if (status < 400 || status === 503 || reason === 'route_not_found' || reason === 'method_not_allowed') return
  const { document } = await (contract ??= readContract())
  const described = document.paths[patternOf(document, path) ?? '']?.[method.toLowerCase()]?.responses[status]?.description
  if (!described?.includes(`\`${reason}\``)) throw new Error(`${method} ${path} answered ${status} ${reason}, which is not documented`)
}

async function validatorOf(method: string, path: string, { status, body }: Answer): Promise<ValidateFunction> {
  contract ??= readContract()
  const { document, ajv } = await contract
  const pattern = patternOf(document, path)
  const operation = pattern === null ? undefined : document.paths[pattern]?.[method.toLowerCase()]
  const unrouted = body['reason'] === 'route_not_found' || body['reason'] === 'method_not_allowed'
  if (!unrouted && operation?.responses[status] === undefined)
    throw new Error(`${method} ${path} answered ${status}, which is not documented`)
  const pointer =
    unrouted || operation === undefined || pattern === null
      ? '#/components/schemas/Error'
      : `#/paths/${escapePointer(pattern)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
  const known = validators.get(pointer)
  if (known !== undefined) return known
  const made = ajv.compile({ $ref: `document.json${pointer}` })
  validators.set(pointer, made)
  return made
}

async function readContract(): Promise<{ document: Document; ajv: Ajv2020 }> {
  const response = await exports.default.fetch('https://service.test/openapi.json')
  const document = await response.json<Document>()
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document.json')
  return { document, ajv }
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

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
