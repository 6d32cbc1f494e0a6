import createFetchClient, { type Client } from 'openapi-fetch'
import { ApiError } from './api-error.ts'
import { type Fetch, retryingFetch } from './retrying-fetch.ts'
import { ASKING_POSTS, KEYED_POSTS, type paths } from './schema.ts'

export { ApiError } from './api-error.ts'
export { each } from './each.ts'
export type { components, paths } from './schema.ts'
export { verifyWebhook, type WebhookEvent, WebhookVerificationError } from './verify-webhook.ts'

export type ClientOptions = {
  /** The origin of the service, e.g. `https://tax.example.com`. */
  base_url: string
  api_key: string
  /** How many times a request is repeated at most. */
  retries?: number
  /** The time limit of one attempt, in milliseconds. */
  timeout?: number
  fetch?: Fetch
  wait?: (milliseconds: number) => Promise<void>
}

export type TaxClient = Client<paths>

/**
 * Creates a client of the service, typed by its OpenAPI document: `client.POST('/v1/calculate', { body })`.
 * Every POST that creates something has an Idempotency-Key, the same in all attempts, so it is done once.
 * Runs in Node, Workers, Deno and browsers.
 */
export function createClient(options: ClientOptions): TaxClient {
  const { base_url, api_key, retries = 3, timeout = 30_000, wait = sleep } = options
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const client = createFetchClient<paths>({
    baseUrl: base_url.replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${api_key}` },
    fetch: retryingFetch({ fetch, retries, timeout, wait, mayRepeat }),
  })
  client.use({
    onRequest({ request, schemaPath }) {
      if (request.method === 'POST' && KEYED_POSTS.has(schemaPath) && !request.headers.has('Idempotency-Key'))
        request.headers.set('Idempotency-Key', crypto.randomUUID())
      return request
    },
  })
  return client
}

/**
 * The answer of a call. Throws an ApiError if the service answered with an error, or the error of the
 * network.
 */
export async function answerOf<Answer>(
  call: Promise<{ data?: Answer; error?: unknown; response: Response }>,
): Promise<Answer> {
  const { data, error, response } = await call
  if (error !== undefined || data === undefined) throw new ApiError(response, error)
  return data
}

/**
 * Whether a request may be repeated. A DELETE may not: if its first answer was lost, the second says
 * not_found.
 */
function mayRepeat(request: Request): boolean {
  if (request.method !== 'POST') return request.method === 'GET' || request.method === 'PUT'
  const { pathname } = new URL(request.url)
  return request.headers.has('Idempotency-Key') || [...ASKING_POSTS].some((path) => pathname.endsWith(path))
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
