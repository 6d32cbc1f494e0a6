import { exports } from 'cloudflare:workers'
import { expect } from 'vitest'
import { openApiDocument } from '../../scripts/openapi/document.ts'
import { PUBLIC_ROUTES, ROUTES } from '../../src/interfaces/routes.ts'
import { type Contract, contractOf } from './contract.ts'

export type Call = {
  key?: string
  body?: unknown
  /** Sent as it is, instead of `body`. */
  raw?: BodyInit
  headers?: Record<string, string>
}

export type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string }

let contract: Contract | null = null

/** Sends a request, and reads the JSON of its answer. */
export async function send(
  method: string,
  path: string,
  { key, body, raw, headers = {} }: Call,
): Promise<Answer> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await exports.default.fetch(`https://service.test${path}`, {
    method,
    headers: {
      // A client of its own each time, so that one test's failed keys do not count against another's.
      'CF-Connecting-IP': newAddress(),
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(sent !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text), text }
}

/**
 * Calls the service, and holds what it answers against its own OpenAPI document: an undocumented status or
 * field fails the test.
 */
export async function call(method: string, path: string, sent: Call = {}): Promise<Answer> {
  const answer = await send(method, path, sent)
  holdSharedHeaders(answer)
  holdContract(method, path, answer)
  return answer
}

/** In a network of its own. */
export function newAddress(): string {
  const id = crypto.randomUUID()
  return `2001:db8:${id.slice(0, 4)}:${id.slice(4, 8)}::1`
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

function holdContract(method: string, path: string, answer: Answer): void {
  contract ??= contractOf(openApiDocument(ROUTES, PUBLIC_ROUTES, {}))
  const fault = contract(method, path, answer)
  if (fault !== null) throw new Error(`${fault}\n${answer.text.slice(0, 2000)}`)
}
