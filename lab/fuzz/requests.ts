import fc from 'fast-check'
import { type Known, nearlyValid, type Schema, valid } from './arbitrary.ts'
import { FORGED_KEYS, HOSTILE_BODIES, HOSTILE_HEADERS, HOSTILE_VALUES } from './hostile.ts'

type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }
type Operation = {
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema; example?: unknown } } }
}
export type FuzzedDocument = { paths: Record<string, Record<string, Operation>> }

export type FuzzedRequest = {
  method: string
  /** The path in the document, e.g. /v1/customers/{id}. */
  pattern: string
  path: string
  headers: Record<string, string>
  body: string | Uint8Array | null
  /** Whether its key is forged. */
  forged: boolean
}

/** Valid, nearly valid and hostile requests to one operation. `key` is the caller's key. */
export function requestsTo(
  method: string,
  pattern: string,
  operation: Operation,
  known: Known,
  key: string,
): fc.Arbitrary<FuzzedRequest> {
  const { parameters = [] } = operation
  const path = fc
    .tuple(
      pathTo(pattern, known),
      queryOf(
        parameters.filter((each) => each.in === 'query'),
        known,
      ),
    )
    .map(([filled, query]) => filled + query)
  const body = operation.requestBody?.content['application/json']
  return fc
    .tuple(
      path,
      headersOf(key),
      body === undefined ? fc.constant(null) : bodyOf(body.schema, body.example, known),
    )
    .map(([filled, { headers, forged }, sent]) => ({
      method: method.toUpperCase(),
      pattern,
      path: filled,
      headers: { ...(sent?.type && { 'Content-Type': sent.type }), ...headers },
      body: sent?.body ?? null,
      forged,
    }))
}

function pathTo(pattern: string, known: Known): fc.Arbitrary<string> {
  const parts = pattern.split('/').map((part, index, all) => {
    if (!part.startsWith('{')) return fc.constant(part)
    const ids = known[`${all[index - 1] ?? ''}/`] ?? []
    const hostile = fc.constantFrom(...HOSTILE_VALUES).map((value) => encoded(value) || '%20')
    return ids.length === 0
      ? hostile
      : fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...ids).map(String) },
          { weight: 1, arbitrary: hostile },
        )
  })
  return fc.tuple(...parts).map((filled) => filled.join('/'))
}

function queryOf(parameters: readonly Parameter[], known: Known): fc.Arbitrary<string> {
  const each = parameters.map(({ name, required = false, schema }) => {
    const values = fc.oneof(
      { weight: 4, arbitrary: valid(schema, known, name) },
      { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_VALUES) },
    )
    return fc
      .tuple(fc.boolean(), values)
      .map(([given, value]) => (given || required ? `${name}=${encoded(value)}` : ''))
  })
  const more = fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom('limit=1&limit=2', 'x=1', '%', '__proto__=1', 'a[]=1', '=') },
  )
  return fc.tuple(...each, more).map((given) => {
    const parts = given.filter((text) => text !== '')
    return parts.length === 0 ? '' : `?${parts.join('&')}`
  })
}

function headersOf(key: string): fc.Arbitrary<{ headers: Record<string, string>; forged: boolean }> {
  const own = { Authorization: `Bearer ${key}` }
  return fc.oneof(
    { weight: 16, arbitrary: fc.constant({ headers: own, forged: false }) },
    {
      weight: 3,
      arbitrary: fc
        .nat(50)
        .map((index) => ({ headers: { ...own, 'Idempotency-Key': `key-${index}` }, forged: false })),
    },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(...HOSTILE_HEADERS)
        .map((more) => ({ headers: { ...own, ...latin(more) }, forged: false })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...FORGED_KEYS)
        .map((forged) => ({ headers: { Authorization: forged }, forged: true })),
    },
  )
}

type Sent = { body: string | Uint8Array; type: string }

function bodyOf(schema: Schema, example: unknown, known: Known): fc.Arbitrary<Sent> {
  const json = (value: unknown): Sent => ({ body: JSON.stringify(value) ?? 'null', type: 'application/json' })
  return fc.oneof(
    { weight: 5, arbitrary: valid(schema, known).map(json) },
    { weight: 5, arbitrary: nearlyValid(schema, known).map(json) },
    { weight: 1, arbitrary: fc.constant(json(example ?? {})) },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_BODIES) },
  )
}

function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return encodeURIComponent(wellFormed(text).slice(0, 2_000))
}

/** Replaces half surrogates, because a URL cannot contain them. */
function wellFormed(text: string): string {
  return text.toWellFormed()
}

/** Replaces characters outside of Latin-1, because headers cannot contain them. */
function latin(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\x20-\x7e\xa0-\xff]/g, '?')]),
  )
}
