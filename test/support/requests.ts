import { env } from 'cloudflare:workers'
import type { Route } from '../../src/platform/http/route.ts'
import { keepRefusedOrder } from '../../src/interfaces/saleor/refused-orders-store.ts'
import type { InstallRow } from '../../src/interfaces/saleor/store.ts'
import { shardOf } from '../../src/platform/database/shards.ts'
import { reviewOfTheBritishRate } from './reviews.ts'
import { call } from './service.ts'

/** A request that a route answers well. */
export type GoodRequest = { method: string; path: string; body: unknown; raw?: string }

const SALE = {
  customer: { address: { country: 'DE' } },
  currency: 'EUR',
  line_items: [{ amount: 10_000, product_type: 'saas' }],
}
const QUERIES: Record<string, string> = {
  '/v1/customers/:id/exemptions/check': '?jurisdiction_id=DE',
  '/v1/vat/format-check': '?vat_id=DE136695976',
  '/v1/metadata/product-types/suggest': '?description=mug',
  '/v1/rates': '?jurisdiction=DE',
  '/v1/reports/summary': '?from_date=2026-01-01&to_date=2026-12-31',
  '/v1/reports/tax-variance': '?from_date=2026-01-01&to_date=2026-12-31',
  '/v1/reports/lines': '?from_date=2026-01-01&to_date=2026-12-31',
  '/v1/reports/oss-records': '?scheme=oss_union&from_date=2026-01-01&to_date=2026-12-31',
  '/v1/reports/transactions': '?from_date=2026-01-01&to_date=2026-12-31',
  '/v1/reports/filing': '?type=oss_union&period=2026-Q4',
  '/v1/reports/filing/file': '?type=oss_union&period=2026-Q4&format=csv',
  '/v1/reports/export': '?report=transactions&from_date=2026-01-01&to_date=2026-12-31',
}
/** Instead of the examples of the document: what can be sent again and again. */
const BODIES: Record<string, unknown> = {
  // No return is filed while sales move to the days of a new time zone.
  'put /v1/account': { name: 'Acme GmbH' },
  'post /v1/customers': { name: 'Acme' },
  get 'post /v1/accounts'() {
    return newSeller()
  },
  get 'post /v1/people'() {
    return newPerson()
  },
  'post /v1/transactions': SALE,
  'post /v1/transactions/batch': { transactions: [SALE, SALE] },
  get 'post /v1/returns'() {
    return newReturn()
  },
  get 'post /v1/returns/batch'() {
    return { ...newReturn(), type: 'us_state', jurisdiction_ids: ['US-TX'] }
  },
  'post /v1/metadata/reviews/:id': { decision: 'refuse', reason: 'A misprint' },
  'post /v1/webhooks/:id/recover': { since: new Date().toISOString() },
  'post /v1/transactions/:id/refund': { amount: 100, reason: 'Returned' },
}

const OWN_RATES = { rates: [{ rate: 0.18, valid_from: '2025-01-01' }] }

/** An account has at most three webhooks with one address. */
const newUrl = () => `https://hooks.example.com/${crypto.randomUUID()}`

/** A platform has one account with an external id. */
const newSeller = () => ({ external_id: crypto.randomUUID(), name: 'Example Ceramics' })

/** Nobody has two people with one e-mail. */
const newPerson = () => ({ email: `${crypto.randomUUID()}@example.com`, name: 'Kim', role: 'auditor' })

/** A return of a month that was not filed before. */
function newReturn() {
  months += 1
  const month = String((months % 12) + 1).padStart(2, '0')
  return { type: 'generic', period: `${1900 + Math.floor(months / 12)}-${month}` }
}
let months = 0

/** Makes whatever a route needs to exist, anew each time, and gives a request that it answers well. */
export async function requestTo(route: Route, key: string): Promise<GoodRequest> {
  const make = async (path: string, body: object) =>
    String((await call('POST', path, { key, body })).body['id'])
  const customer = () =>
    make('/v1/customers', { name: 'Acme', vat_id: 'IE6388047V', external_id: crypto.randomUUID() })
  // A region can be requested once in ten minutes, and the tests request it again and again.
  if (route.path === '/v1/metadata/sync') await env.DB.prepare('DELETE FROM collector_leases').run()
  let path = route.path
  if (path.startsWith('/v1/customers/:id')) {
    const id = await customer()
    const certificate = {
      jurisdiction_id: 'DE',
      exemption_type: 'other',
      certificate_number: 'c-1',
      valid_from: '2026-01-01',
    }
    if (path.includes(':exemption_id'))
      path = path.replace(':exemption_id', await make(`/v1/customers/${id}/exemptions`, certificate))
    path = path.replace(':id', id)
    if (path.endsWith('/certificate-request') && route.method !== 'post') await make(path, {})
  }
  // An account connects at most 20 shops.
  if (path.startsWith('/v1/saleor/installs')) await env.DB.prepare('DELETE FROM saleor_installs').run()
  if (path === '/v1/account/own-rates/:id') {
    path = path.replace(':id', 'IL')
    await call('PUT', path, { key, body: OWN_RATES })
  }
  if (path === '/v1/account/messages/test')
    await call('PUT', '/v1/account/messages', { key, body: { chat: { format: 'slack', url: newUrl() } } })
  // An account has at most 20 checks under way.
  if (path.startsWith('/v1/vat/checks'))
    for (const shard of [0, 1, 2])
      await shardOf(env, shard).books.prepare('UPDATE vat_checks SET due_at = NULL').run()
  if (path === '/v1/exemptions/:id/document') path = await documentPath(await customer(), key, route.method)
  if (path === '/v1/transactions/:id/refunds/:refund_id') path = await refundPath(key)
  const ids: Record<string, () => Promise<string>> = {
    ':customer_id': customer,
    ':country': async () => 'US',
    ':external_id': async () => {
      const external_id = crypto.randomUUID()
      if (path.includes('accounts')) await make('/v1/accounts', { ...newSeller(), external_id })
      else if (path.includes('customers')) await make('/v1/customers', { name: 'Acme', external_id })
      else await make('/v1/transactions', { ...SALE, external_id })
      return external_id
    },
    ':delivery_id': async () => 'dlv_00000000000000000000000000',
    ':id': async () => makeFor(path, make),
  }
  for (const [name, id] of Object.entries(ids)) if (path.includes(name)) path = path.replace(name, await id())
  if (path.endsWith('/:order_id')) path = await refusedOrderPath(path)
  return {
    method: route.method.toUpperCase(),
    path: path + (QUERIES[route.path] ?? ''),
    ...(route.file !== null && { raw: PDF }),
    body:
      route.path === '/v1/webhooks' && route.method === 'post'
        ? { url: newUrl(), events: ['rate.updated'] }
        : (BODIES[`${route.method} ${route.path}`] ?? route.example ?? undefined),
  }
}

const PDF = '%PDF-1.4\n'

/** The path of an order that was refused, of the only shop. */
async function refusedOrderPath(path: string): Promise<string> {
  const install = await env.DB.prepare('SELECT * FROM saleor_installs').first<InstallRow>()
  const order_id = crypto.randomUUID()
  const refused = { order_id, number: '1001', reason: 'invalid_region', field: null }
  if (install !== null) await keepRefusedOrder(env.DB, install, refused, new Date().toISOString())
  return path.replace(':order_id', order_id)
}

/** The file of a new certificate. It is there but for a PUT. */
async function documentPath(customer: string, key: string, method: string): Promise<string> {
  const certificate = { jurisdiction_id: 'DE', exemption_type: 'other', certificate_number: 'c-1' }
  const body = { ...certificate, valid_from: '2026-01-01' }
  const made = await call('POST', `/v1/customers/${customer}/exemptions`, { key, body })
  const path = `/v1/exemptions/${String(made.body['id'])}/document`
  if (method !== 'put') await call('PUT', path, { key, raw: PDF })
  return path
}

/** The path of a refund of a new sale. */
async function refundPath(key: string): Promise<string> {
  const sale = await call('POST', '/v1/transactions', { key, body: SALE })
  const path = `/v1/transactions/${String(sale.body['id'])}`
  const refunded = await call('POST', `${path}/refund`, { key, body: { amount: 100, reason: 'Returned' } })
  const { id } = refunded.body['refund'] as { id: string }
  return `${path}/refunds/${id}`
}

async function makeFor(path: string, make: (path: string, body: object) => Promise<string>): Promise<string> {
  const [, , folder, , action] = path.split('/')
  if (path.startsWith('/v1/metadata/reviews/')) return reviewOfTheBritishRate(crypto.randomUUID())
  switch (folder) {
    case 'transactions':
      return make(
        '/v1/transactions',
        action === 'complete' || action === 'void' ? { ...SALE, status: 'pending' } : SALE,
      )
    case 'vat':
      return make('/v1/vat/checks', { vat_ids: ['IE6388047V'] })
    case 'registrations':
      return make('/v1/registrations', { jurisdiction_id: 'DE', valid_from: '2026-01-01' })
    case 'obligations':
      await make('/v1/registrations', { jurisdiction_id: 'US-TX', valid_from: '2026-01-01' })
      return 'obl_US-TX_2026-03'
    case 'accounts':
      return make('/v1/accounts', newSeller())
    case 'people':
      return make('/v1/people', newPerson())
    case 'api-keys':
      return make('/v1/api-keys', { scopes: ['tax:read'] })
    case 'returns':
      return make('/v1/returns', newReturn())
    case 'saleor':
      return make('/v1/saleor/installs', { saleor_api_url: 'https://hooks.example.com/graphql/' })
    case 'webhooks':
      return make('/v1/webhooks', { url: newUrl(), events: ['rate.updated'] })
    default:
      return 'DE'
  }
}
