import createFetchClient from 'openapi-fetch'
import { answerOf, type CallOptions, type Http, sent } from './call.ts'
import { account, apiKeys, auditEvents, registrations } from './resources/account.ts'
import { calculation } from './resources/calculation.ts'
import { customers } from './resources/customers.ts'
import { addresses, metadata, vat } from './resources/metadata.ts'
import { obligations, reports, returns } from './resources/reports.ts'
import { transactions } from './resources/transactions.ts'
import { events, webhooks } from './resources/webhooks.ts'
import { type Fetch, retryingFetch } from './retrying-fetch.ts'
import { ASKING_POSTS, type HealthAnswer, type StatusAnswer, KEYED_POSTS, type paths } from './schema.ts'

export { ApiError, type ErrorReason } from './api-error.ts'
export { answerOf, type CallOptions, type Http, type ServedFile, type WriteOptions } from './call.ts'
export { type List, listOf } from './list.ts'
export type { AccountEvent } from './resources/webhooks.ts'
export type * from './schema.ts'
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
  /** The origin of the service, e.g. `https://tax.example.com`. */
  baseUrl: string
  apiKey: string
  /** How many times a request is repeated at most. */
  retries?: number
  /** The time limit of one attempt, in milliseconds. */
  timeout?: number
  fetch?: Fetch
  wait?: (milliseconds: number) => Promise<void>
}

/** The methods of the client, by resource. */
export type TaxClient = ReturnType<typeof calculation> & {
  account: ReturnType<typeof account>
  addresses: ReturnType<typeof addresses>
  apiKeys: ReturnType<typeof apiKeys>
  auditEvents: ReturnType<typeof auditEvents>
  customers: ReturnType<typeof customers>
  events: ReturnType<typeof events>
  metadata: ReturnType<typeof metadata>
  obligations: ReturnType<typeof obligations>
  registrations: ReturnType<typeof registrations>
  reports: ReturnType<typeof reports>
  returns: ReturnType<typeof returns>
  transactions: ReturnType<typeof transactions>
  vat: ReturnType<typeof vat>
  webhooks: ReturnType<typeof webhooks>
  /** The state of the service, by region. */
  status: (call?: CallOptions) => Promise<StatusAnswer>
  health: (call?: CallOptions) => Promise<HealthAnswer>
  /** The typed door to every path: use it with `answerOf`. */
  http: Http
}

/**
 * Creates a client of the service. Its methods return the answers of the service: money in minor units, names
 * in snake_case. They throw an ApiError if the service refuses. Every POST that writes has an
 * Idempotency-Key, the same in all attempts, so it is done once. Runs in Node, Workers, Deno and browsers.
 */
export function createClient(options: ClientOptions): TaxClient {
  const http = createHttp(options)
  return {
    ...calculation(http),
    account: account(http),
    addresses: addresses(http),
    apiKeys: apiKeys(http),
    auditEvents: auditEvents(http),
    customers: customers(http),
    events: events(http),
    metadata: metadata(http),
    obligations: obligations(http),
    registrations: registrations(http),
    reports: reports(http),
    returns: returns(http),
    transactions: transactions(http),
    vat: vat(http),
    webhooks: webhooks(http),
    status: (call: CallOptions = {}) => answerOf<StatusAnswer>(http.GET('/v1/status', sent(call))),
    health: (call: CallOptions = {}) => answerOf<HealthAnswer>(http.GET('/health', sent(call))),
    http,
  }
}

function createHttp(options: ClientOptions): Http {
  const { baseUrl, apiKey, retries = 3, timeout = 30_000, wait = sleep } = options
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const http = createFetchClient<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: retryingFetch({ fetch, retries, timeout, wait, mayRepeat }),
  })
  http.use({
    onRequest({ request, schemaPath }) {
      if (request.method === 'POST' && KEYED_POSTS.has(schemaPath) && !request.headers.has('Idempotency-Key'))
        request.headers.set('Idempotency-Key', crypto.randomUUID())
      return request
    },
  })
  return http
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
