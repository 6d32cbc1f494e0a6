import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { keepRefusedOrder } from '../../src/interfaces/saleor/refused-orders-store.ts'
import { ROUTES } from '../../src/interfaces/routes.ts'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'

await loadTestData()

const { key: owner, account_id } = await newAccount()
const { key: stranger } = await newAccount()

const ADDRESS = { country: 'DE', postal_code: '10115' }
const SALE = {
  customer: { address: ADDRESS },
  currency: 'EUR',
  line_items: [{ amount: 1_000, product_type: 'saas' }],
}

const make = async (path: string, body: object) => {
  const answer = await call('POST', path, { key: owner, body })
  expect(answer.status, answer.text).toBe(201)
  return String(answer.body['id'])
}

const customer = await make('/v1/customers', {
  external_id: 'ext-1',
  name: 'Acme',
  email: 'owner@example.com',
  address: ADDRESS,
  vat_id: 'DE136695976',
})
const exemption = await make(`/v1/customers/${customer}/exemptions`, {
  jurisdiction_id: 'DE',
  exemption_type: 'government',
  certificate_number: 'c-1',
  valid_from: '2026-01-01',
})
const transaction = await make('/v1/transactions', { ...SALE, external_id: 'ext-1', status: 'pending' })
const sold = await make('/v1/transactions', SALE)
const refunded = await call('POST', `/v1/transactions/${sold}/refund`, {
  key: owner,
  body: { amount: 100, reason: 'Returned' },
})
const refund = String((refunded.body['refund'] as { id: string }).id)
const registration = await make('/v1/registrations', { jurisdiction_id: 'DE', valid_from: '2025-01-01' })
const api_key = await make('/v1/api-keys', { scopes: ['tax:read'] })
const account = await make('/v1/accounts', { external_id: 'ext-1', name: 'Owned Ceramics' })
const person = await make('/v1/people', {
  email: 'person@example.com',
  name: 'Kim Example',
  role: 'owner',
})
const webhook = await make('/v1/webhooks', { url: 'https://hooks.example.com/owner', events: ['*'] })
const install = await make('/v1/saleor/installs', {
  saleor_api_url: 'https://hooks.example.com/graphql/',
})
const order = 'T3JkZXI6MTAwMQ=='
const REFUSED = { order_id: order, number: '1001', reason: 'invalid_region', field: null }
await keepRefusedOrder(env.DB, { id: install, account_id }, REFUSED, new Date().toISOString())
const filed = await make('/v1/returns', { type: 'generic', period: '2025' })
const check = await make('/v1/vat/checks', { vat_ids: ['DE136695976'] })
const delivery = 'dlv_01m7yb3zbqfvpakx03p0pfwfzm'

/**
 * Everything of the owner that a stranger could try to reach, by the name of the path parameter and the
 * folder that it stands in.
 */
const OWNED: Record<string, string> = {
  accounts: account,
  customers: customer,
  'validate-customer': customer,
  exemptions: exemption,
  transactions: transaction,
  refunds: refund,
  registrations: registration,
  'api-keys': api_key,
  people: person,
  webhooks: webhook,
  returns: filed,
  obligations: 'obl_DE_2026-Q1',
  deliveries: delivery,
  checks: check,
  installs: install,
  'refused-orders': order,
}
const SECRETS = [
  account,
  'Owned Ceramics',
  customer,
  exemption,
  transaction,
  refund,
  registration,
  api_key,
  person,
  'person@example.com',
  webhook,
  install,
  order,
  check,
  'owner@example.com',
  'ext-1',
]

/** Paths that stand for things which all tenants share. */
const SHARED = new Set([
  '/v1/metadata/jurisdictions/:id',
  '/v1/metadata/jurisdictions/:id/rates',
  '/v1/metadata/reviews/:id',
  '/v1/addresses/regions/:country',
  // Each account has its own (test/parties/accounts/own-rates.test.ts).
  '/v1/account/own-rates/:id',
])

/** What a body needs so that only the ownership is left to refuse it. */
const BODIES: Record<string, object> = {
  'PUT /v1/customers/:id': { name: 'stolen' },
  'POST /v1/customers/:id/exemptions': {
    jurisdiction_id: 'DE',
    exemption_type: 'other',
    certificate_number: 'x',
    valid_from: '2026-01-01',
  },
  'PUT /v1/customers/:id/exemptions/:exemption_id': { status: 'verified' },
  'PUT /v1/registrations/:id': { valid_to: '2026-12-31' },
  'POST /v1/transactions/:id/refund': { amount: 1, reason: 'x' },
  'POST /v1/api-keys/:id/rotate': {},
  'POST /v1/accounts/:id/api-keys': { scopes: ['*'] },
  'PUT /v1/people/:id': { name: 'stolen' },
  'POST /v1/webhooks/:id/recover': { since: new Date().toISOString() },
  'PUT /v1/webhooks/:id': { description: 'stolen' },
  'PUT /v1/obligations/:id': { set_aside: 'stolen' },
  'POST /v1/returns/:id/reopen': { reason: 'stolen' },
}
const QUERIES: Record<string, string> = { 'GET /v1/customers/:id/exemptions/check': '?jurisdiction_id=DE' }

/** The owner's own id stands wherever the path has a parameter. */
function pathOf(pattern: string): string {
  const parts = pattern.split('/')
  return parts
    .map((part, index) => {
      if (!part.startsWith(':')) return part
      if (part === ':external_id') return 'ext-1'
      const owned = OWNED[parts[index - 1] ?? ''] ?? OWNED[`${part.slice(1, -2)}s`]
      if (owned === undefined) throw new Error(`no owned id for ${pattern}: make one above`)
      return owned
    })
    .join('/')
}

/** It makes a sale of the caller's own: see the last test. */
const SAVED_AGAIN = '/v1/transactions/external/:external_id'

const withIds = ROUTES.filter(
  ({ method, path }) =>
    path.includes(':') && !SHARED.has(path) && !(method === 'put' && path === SAVED_AGAIN),
)

describe.each(withIds.map((route) => ({ route, name: `${route.method.toUpperCase()} ${route.path}` })))(
  '$name',
  ({ route, name }) => {
    it("answers another account's id exactly as one that never existed", async () => {
      const path = pathOf(route.path) + (QUERIES[name] ?? '')
      const sent = { key: stranger, ...(route.body !== null && { body: BODIES[name] ?? {} }) }
      const theirs = await call(route.method.toUpperCase(), path, sent)
      expect(theirs.status, theirs.text).toBe(404)
      expect(theirs.body['error_code']).toBe('NOT_FOUND')
      const none = path
        .replace(/_[0-7][0-9a-z]{25}/g, '_00000000000000000000000000')
        .replace('ext-1', 'ext-none')
      const nothing = await call(route.method.toUpperCase(), none, sent)
      expect({ ...theirs.body, request_id: '' }).toEqual({ ...nothing.body, request_id: '' })
    })
  },
)

const lists = ROUTES.filter((route) => route.method === 'get' && !route.path.includes(':'))

describe.each(lists.map((route) => ({ path: route.path })))('GET $path', ({ path }) => {
  it('shows nothing of another account', async () => {
    for (const query of ['', '?from_date=2026-01-01&to_date=2026-12-31', '?email=owner@example.com']) {
      const { text } = await call('GET', path + query, { key: stranger })
      for (const secret of SECRETS) expect(text).not.toContain(secret)
    }
  })
})

it('saves a sale under a reference of another account as a sale of its own', async () => {
  const path = '/v1/transactions/external/ext-1'
  const saved = await call('PUT', path, { key: stranger, body: SALE })
  expect(saved.body).toMatchObject({ external_id: 'ext-1', status: 'completed' })
  expect((await call('GET', path, { key: owner })).body).toMatchObject({ id: transaction, status: 'pending' })
  expect(saved.body['id']).not.toBe(transaction)
})

it('leaves everything of the owner as it was', async () => {
  expect((await call('GET', `/v1/customers/${customer}`, { key: owner })).body).toMatchObject({
    name: 'Acme',
    exemptions: [{ status: 'pending' }],
  })
  expect((await call('GET', `/v1/transactions/${transaction}`, { key: owner })).body).toMatchObject({
    status: 'pending',
  })
  expect((await call('GET', `/v1/registrations/${registration}`, { key: owner })).body).toMatchObject({
    valid_to: null,
  })
  const refused = `/v1/saleor/installs/${install}/refused-orders`
  expect((await call('GET', refused, { key: owner })).body).toMatchObject({ orders: [{ order_id: order }] })
})
