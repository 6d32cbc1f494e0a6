import type { Reference } from './types.ts'

const TEXT = { type: 'string' } as const

/** The headers of answers. A required header is on every answer that lists it. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'The id of the request, `req_…`. Quote it if you ask for help',
    required: true,
    schema: TEXT,
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored answer of an earlier request with the same Idempotency-Key',
    schema: { type: 'string', const: 'true' },
  },
  'Retry-After': {
    description: 'Seconds until the next request may succeed',
    required: true,
    schema: { type: 'integer', format: 'int32', minimum: 1 },
  },
  'RateLimit-Policy': {
    description: 'The limit that counts this request and its window in seconds, e.g. `"pro";q=1000;w=60`',
    required: true,
    schema: TEXT,
  },
  'WWW-Authenticate': { description: 'Always `Bearer`', required: true, schema: TEXT },
  ETag: { description: 'The version of the answer. Send it in If-None-Match', required: true, schema: TEXT },
  'X-Layout': {
    description: '`verified`, `unverified` or `own`: how sure the layout of the file is',
    required: true,
    schema: TEXT,
  },
  'X-Layout-Source': { description: 'The page that describes the layout', required: true, schema: TEXT },
  'Content-Disposition': { description: 'The name of the file', required: true, schema: TEXT },
} as const

export type HeaderName = keyof typeof HEADERS

/** References to headers of the document. */
export function headersOf(names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
