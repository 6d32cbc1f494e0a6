import { createHttp, type Http } from './http.ts'
import { methodsOf } from './methods.generated.ts'
import { type Fetch, retryingFetch } from './retrying-fetch.ts'
import { ASKING_POSTS } from './schema.ts'
import { VERSION } from './version.ts'

export { ApiError, type ErrorReason } from './api-error.ts'
export { answerOf, type CallOptions, type ServedFile, type WriteOptions } from './call.ts'
export { TaxConnectionError } from './connection-error.ts'
export type { Http } from './http.ts'
export { type List, listOf } from './list.ts'
export type { AnswerHead } from './retrying-fetch.ts'
export type * from './schema.ts'
export type { AccountEvent } from './webhook-event.ts'
export {
  type Delivered,
  type SignedWebhook,
  signWebhook,
  type TestEvent,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from './verify-webhook.ts'

export type ClientOptions = {
  /** The origin of the service, e.g. `https://tax.example.com`. createClient throws if it is missing. */
  baseUrl: string | undefined
  /** createClient throws if it is missing or empty. */
  apiKey: string | undefined
  /** How many times a request is repeated at most. */
  retries?: number
  /** The time limit of one attempt, in milliseconds. */
  timeout?: number
  fetch?: Fetch
  wait?: (milliseconds: number) => Promise<void>
}

/** The methods of the client, by resource. `http` is the typed door to every path: use it with `answerOf`. */
export type TaxClient = ReturnType<typeof methodsOf> & { http: Http }

/**
 * Creates a client of the service. Its methods return the answers of the service: money in minor units, names
 * in snake_case. They throw an ApiError if the service refuses, and a TaxConnectionError if no answer comes.
 * Every POST that writes has an Idempotency-Key, the same in all attempts, so it is done once. Redirects are
 * refused, because a redirected POST would become a GET. Throws a TypeError without a key or an address. Runs
 * in Node, Workers, Deno and browsers.
 */
export function createClient(options: ClientOptions): TaxClient {
  const { apiKey, retries = 3, timeout = 30_000, wait = sleep } = options
  if (!apiKey?.trim())
    throw new TypeError('apiKey is missing: give a key of the service, e.g. from the environment')
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const headers = { Authorization: `Bearer ${apiKey}`, 'User-Agent': `tax-compliance-js/${VERSION}` }
  const retrying = retryingFetch({ fetch, retries, timeout, wait, mayRepeat })
  const http = createHttp(addressOf(options.baseUrl), headers, retrying)
  return { ...methodsOf(http), http }
}

function addressOf(baseUrl: string | undefined): string {
  if (!/^https?:\/\/./.test(baseUrl ?? ''))
    throw new TypeError(`baseUrl ${baseUrl}: give the address of the service, e.g. https://tax.example.com`)
  return `${baseUrl}`.replace(/\/+$/, '')
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
