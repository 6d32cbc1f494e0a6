import createFetchClient from 'openapi-fetch'
import { ApiError } from './api-error.ts'
import { answerOf, type CallOptions, type Http, sent } from './call.ts'
import { account, apiKeys, auditEvents, ownRates, people, registrations } from './resources/account.ts'
import { calculation } from './resources/calculation.ts'
import { customers } from './resources/customers.ts'
import { addresses, metadata, vat } from './resources/metadata.ts'
import { obligations, reports, returns } from './resources/reports.ts'
import { saleor } from './resources/saleor.ts'
import { transactions } from './resources/transactions.ts'
import { events, webhooks } from './resources/webhooks.ts'
import { type Fetch, retryingFetch } from './retrying-fetch.ts'
import { ASKING_POSTS, type HealthAnswer, type StatusAnswer, KEYED_POSTS, type paths } from './schema.ts'
import { VERSION } from './version.ts'

export { ApiError, type ErrorReason } from './api-error.ts'
export { answerOf, type CallOptions, type Http, type ServedFile, type WriteOptions } from './call.ts'
export { TaxConnectionError } from './connection-error.ts'
export { type List, listOf } from './list.ts'
export type { AccountEvent } from './resources/webhooks.ts'
export type { AnswerHead } from './retrying-fetch.ts'
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

/** The methods of the client, by resource. */
export type TaxClient = ReturnType<typeof calculation> & {
  account: ReturnType<typeof account>
  addresses: ReturnType<typeof addresses>
  ownRates: ReturnType<typeof ownRates>
  apiKeys: ReturnType<typeof apiKeys>
  people: ReturnType<typeof people>
  auditEvents: ReturnType<typeof auditEvents>
  customers: ReturnType<typeof customers>
  events: ReturnType<typeof events>
  metadata: ReturnType<typeof metadata>
  obligations: ReturnType<typeof obligations>
  registrations: ReturnType<typeof registrations>
  reports: ReturnType<typeof reports>
  returns: ReturnType<typeof returns>
  /** Shops on Saleor. */
  saleor: ReturnType<typeof saleor>
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
 * in snake_case. They throw an ApiError if the service refuses, and a TaxConnectionError if no answer comes.
 * Every POST that writes has an Idempotency-Key, the same in all attempts, so it is done once. Redirects are
 * refused, because a redirected POST would become a GET. Throws a TypeError without a key or an address. Runs
 * in Node, Workers, Deno and browsers.
 */
export function createClient(options: ClientOptions): TaxClient {
  const http = createHttp(options)
  return {
    ...calculation(http),
    account: account(http),
    addresses: addresses(http),
    ownRates: ownRates(http),
    apiKeys: apiKeys(http),
    people: people(http),
    auditEvents: auditEvents(http),
    customers: customers(http),
    events: events(http),
    metadata: metadata(http),
    obligations: obligations(http),
    registrations: registrations(http),
    reports: reports(http),
    returns: returns(http),
    saleor: saleor(http),
    transactions: transactions(http),
    vat: vat(http),
    webhooks: webhooks(http),
    status: (call: CallOptions = {}) => answerOf<StatusAnswer>(http.GET('/v1/status', sent(call))),
    health: (call: CallOptions = {}) => answerOf<HealthAnswer>(http.GET('/health', sent(call))),
    http,
  }
}

function createHttp(options: ClientOptions): Http {
  const { apiKey, retries = 3, timeout = 30_000, wait = sleep } = options
  if (!apiKey?.trim())
    throw new TypeError('apiKey is missing: give a key of the service, e.g. from the environment')
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const http = createFetchClient<paths>({
    baseUrl: addressOf(options.baseUrl),
    redirect: 'manual',
    headers: { Authorization: `Bearer ${apiKey}`, 'User-Agent': `tax-compliance-js/${VERSION}` },
    fetch: retryingFetch({ fetch, retries, timeout, wait, mayRepeat }),
  })
  http.use({
    onRequest({ request, schemaPath, options: { parseAs } }) {
      if (parseAs === 'stream') Object.assign(request, { streams: true })
      if (request.method === 'POST' && KEYED_POSTS.has(schemaPath) && !request.headers.has('Idempotency-Key'))
        request.headers.set('Idempotency-Key', crypto.randomUUID())
      return request
    },
    onResponse({ response, options: { parseAs } }) {
      const type = response.headers.get('Content-Type') ?? ''
      const strange = parseAs === 'json' ? !type.includes('json') : type.includes('html')
      if (response.ok && response.status !== 204 && strange) throw new ApiError(response, null)
    },
  })
  return http
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
