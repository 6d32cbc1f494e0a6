import { exports } from 'cloudflare:workers'
import { expect, vi } from 'vitest'
import { toBase64 } from '../../../src/platform/kit/base64.ts'
import { newAccount } from '../../support/account.ts'
import { call, newAddress } from '../../support/service.ts'

export const API = 'https://shop.saleor-test.com/graphql/'
const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

export type RsaPair = { kid: string; private_key: CryptoKey; jwk: JsonWebKey }

/** An RSA key, as Saleor has one. */
export async function newPair(kid = '1'): Promise<RsaPair> {
  const made = (await crypto.subtle.generateKey(
    { ...ALGORITHM, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  )) as CryptoKeyPair
  const jwk = (await crypto.subtle.exportKey('jwk', made.publicKey)) as JsonWebKey
  return { kid, private_key: made.privateKey, jwk }
}

function urlSafe(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

const encoded = (text: string) => new TextEncoder().encode(text)

/** A detached signature over the raw body, as Saleor makes it. */
export async function signatureOf(
  pair: RsaPair,
  body: string,
  header: object = { alg: 'RS256', kid: pair.kid, typ: 'JWT', b64: false, crit: ['b64'] },
): Promise<string> {
  const head = urlSafe(encoded(JSON.stringify(header)))
  const signed = await crypto.subtle.sign(ALGORITHM.name, pair.private_key, encoded(`${head}.${body}`))
  return `${head}..${urlSafe(new Uint8Array(signed))}`
}

/** An order in the API of the shop. */
export type ShopOrder = { updatedAt: string; number: string } & Record<string, unknown>

/** What the shop answers: its public keys, and the API for the token of the app. */
export const shop = {
  pairs: [] as RsaPair[],
  token: 'token-of-the-app',
  asked: [] as string[],
  orders: [] as ShopOrder[],
  /** The variables of the queries for orders. */
  queries: [] as { since: string; first: number; after: string | null; ids?: string[] }[],
  away: false,
  /** The most orders in an answer, as if more were too large. */
  first_max: 100,
  /** What an API call waits for; null: it is answered at once. */
  hangs: null as ((authorization: string | null) => Promise<void> | null) | null,
}

/** The query `orders` of Saleor, by ids or sorted by the change: the cursor is the place in that order. */
function ordersOf({ since, first, after, ids }: (typeof shop.queries)[0]) {
  const cursorOf = ({ updatedAt, number }: ShopOrder) => `${updatedAt}|${number}`
  if (ids !== undefined) {
    const named = shop.orders.filter(({ id }) => ids.includes(String(id)))
    return {
      edges: named.slice(0, first).map((node) => ({ cursor: cursorOf(node), node })),
      pageInfo: { hasNextPage: named.length > first },
    }
  }
  const found = shop.orders
    .filter((order) => Date.parse(order.updatedAt) >= Date.parse(since))
    .toSorted((one, other) => (cursorOf(one) < cursorOf(other) ? -1 : 1))
    .filter((order) => after === null || cursorOf(order) > after)
  return {
    edges: found.slice(0, first).map((node) => ({ cursor: cursorOf(node), node })),
    pageInfo: { hasNextPage: found.length > first },
  }
}

export function serveShop(): void {
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    const { host, pathname } = new URL(request.url)
    if (host === 'cloudflare-dns.com')
      return Response.json({ Status: 0, Answer: [{ type: 1, data: '93.184.216.34' }] })
    shop.asked.push(pathname)
    expect(request.redirect).toBe('manual')
    if (pathname === '/.well-known/jwks.json')
      return Response.json({
        keys: shop.pairs.map(({ kid, jwk: { n, e } }) => ({ kty: 'RSA', use: 'sig', kid, n, e })),
      })
    if (shop.away) return new Response('away', { status: 503 })
    const asked: { query: string; variables?: (typeof shop.queries)[0] } = await request.json()
    if (asked.variables !== undefined) {
      expect(request.headers.get('Authorization')).toMatch(/^Bearer token-/)
      expect(asked.query).toContain(asked.variables.ids === undefined ? 'LAST_MODIFIED_AT' : 'ids: $ids')
      shop.queries.push(asked.variables)
      if (asked.variables.first > shop.first_max) return new Response('too large', { status: 500 })
      await shop.hangs?.(request.headers.get('Authorization'))
      return Response.json({ data: { orders: ordersOf(asked.variables) } })
    }
    const known = request.headers.get('Authorization') === `Bearer ${shop.token}`
    return Response.json({ data: { app: known ? { id: 'QXBwOjE=' } : null } })
  })
}

export type Reply = { status: number; body: Record<string, unknown> }

export async function ask(path: string, raw: string | null, headers: Record<string, string> = {}) {
  const response = await exports.default.fetch(`https://service.test${path}`, {
    method: raw === null ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': newAddress(), ...headers },
    ...(raw !== null && { body: raw }),
  })
  const body: Record<string, unknown> = await response.json()
  return { status: response.status, body } satisfies Reply
}

/** The path and the query of a whole link. */
function pathOf(link: string): string {
  const { pathname, search } = new URL(link)
  return pathname + search
}

/** `manifest_url`: its path and query. */
export type Installed = { id: string; key: string; account_id: string; manifest_url: string }

/** A link for a shop, of a new account with registrations. */
export async function linked(profile: object = { country: 'US', region: 'CA' }): Promise<Installed> {
  const { key, account_id } = await newAccount()
  await call('PUT', '/v1/account', { key, body: profile })
  const { body, status } = await call('POST', '/v1/saleor/installs', { key, body: { saleor_api_url: API } })
  expect(status).toBe(201)
  return { id: String(body['id']), key, account_id, manifest_url: pathOf(String(body['manifest_url'])) }
}

export function register(
  { manifest_url }: Pick<Installed, 'manifest_url'>,
  { api = API, token = shop.token }: { api?: string; token?: string } = {},
): Promise<Reply> {
  const path = manifest_url.replace('/manifest?', '/register?')
  const headers = { 'Saleor-Api-Url': api, 'Saleor-Domain': new URL(api).host }
  return ask(path, JSON.stringify({ auth_token: token }), headers)
}

/** A connected shop, registered in these jurisdictions and schemes. */
export async function connected(places: readonly string[], profile?: object): Promise<Installed> {
  const install = await linked(profile)
  for (const place of places) {
    const named = /^[a-z]/.test(place) ? { scheme: place } : { jurisdiction_id: place }
    const body = { ...named, valid_from: '2020-01-01' }
    expect((await call('POST', '/v1/registrations', { key: install.key, body })).status).toBe(201)
  }
  expect(await register(install)).toEqual({ status: 200, body: { success: true } })
  return install
}

type SentBy = { pair?: RsaPair; api?: string; sent?: string; address?: string }

/** Sends a payload as the shop does. */
export async function tell(
  { id }: Pick<Installed, 'id'>,
  part: 'taxes' | 'orders',
  payload: object,
  { pair = shop.pairs[0], api = API, sent, address = newAddress() }: SentBy = {},
): Promise<Reply> {
  const raw = JSON.stringify(payload)
  if (pair === undefined) throw new Error('the shop has no key')
  const signature = await signatureOf(pair, raw)
  return ask(`/saleor/${id}/${part}`, sent ?? raw, {
    'CF-Connecting-IP': address,
    'Saleor-Api-Url': api,
    'Saleor-Signature': signature,
  })
}
