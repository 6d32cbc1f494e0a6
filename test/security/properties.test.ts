import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/interfaces/routes.ts'
import { newAccount } from '../support/account.ts'
import { requestTo } from '../support/requests.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

/**
 * What a caller would like to set, and may not: what is refused is refused by name, in every route that does
 * not take it on purpose.
 */
const READ_ONLY: Record<string, unknown> = {
  id: 'cust_00000000000000000000000000',
  account_id: 'acct_00000000000000000000000000',
  key_id: 'key_00000000000000000000000000',
  created_at: '2020-01-01T00:00:00.000Z',
  updated_at: '2020-01-01T00:00:00.000Z',
  completed_at: '2020-01-01T00:00:00.000Z',
  verified_at: '2020-01-01T00:00:00.000Z',
  revoked_at: null,
  vat_id_validated: true,
  vat_id_validated_at: '2020-01-01T00:00:00.000Z',
  vat_id_company_name: 'Acme',
  consecutive_failures: 0,
  last_succeeded_at: '2020-01-01T00:00:00.000Z',
  secret: 'whsec_mine',
  hash: 'x',
  tier: 'enterprise',
  sandbox: false,
  tax_amount: 0,
  amount_refunded: 0,
  total: 0,
  subtotal: 0,
  tax_source: 'given',
  superseded_at: '2020-01-01T00:00:00.000Z',
  superseded_by: 'txn_00000000000000000000000000',
  is_admin: true,
  role: 'admin',
}
/** A refund may state its tax: nothing but the rest of the sale bounds it. */
const SETTABLE = new Set([
  'POST /v1/transactions/:id/refund tax_amount',
  // The roles that people may have are in their schema, and `admin` is none of them.
  'POST /v1/people role',
  'PUT /v1/people/:id role',
])
const writing = ROUTES.filter(({ body }) => body !== null).map((route) => ({
  route,
  name: `${route.method.toUpperCase()} ${route.path}`,
}))

describe.each(writing)('$name', ({ route, name }) => {
  it('refuses each field that is not the caller’s to set, by its name', async () => {
    const { method, path, body } = await requestTo(route, key)
    for (const [field, value] of Object.entries(READ_ONLY)) {
      if (SETTABLE.has(`${name} ${field}`)) continue
      const answer = await call(method, path, { key, body: { ...Object(body), [field]: value } })
      expect(answer.status, `${field}: ${answer.text}`).toBe(400)
      expect(answer.body['errors'], field).toContainEqual({
        path: field,
        message: expect.stringMatching(/^is not a known field/),
      })
    }
  })
})

const SALE = {
  currency: 'EUR',
  customer: { address: { country: 'DE' } },
  line_items: [{ amount: 1_000, product_type: 'saas' }],
}

it.each([
  'line_items[0].id',
  'line_items[0].taxable_amount',
  'line_items[0].exemption_id',
  'customer.id',
  'customer.exemptions',
  'seller.id',
])('a sale is refused with %s, also in a batch', async (path) => {
  const [head = '', leaf = ''] = path.split('.')
  const sale = {
    ...SALE,
    ...(head === 'seller' && { seller: { country: 'DE', [leaf]: 'x' } }),
    ...(head === 'customer' && { customer: { ...SALE.customer, [leaf]: 'x' } }),
    ...(head.startsWith('line') && { line_items: [{ ...SALE.line_items[0], [leaf]: 'x' }] }),
  }
  const fault = { path, message: expect.stringMatching(/^is not a known field/) }
  for (const url of ['/v1/calculate', '/v1/transactions'])
    expect((await call('POST', url, { key, body: sale })).body['errors']).toContainEqual(fault)
  const batch = await call('POST', '/v1/transactions/batch', { key, body: { transactions: [sale] } })
  expect(batch.body['results']).toMatchObject([{ success: false, error: { errors: [fault] } }])
})

it('an exemption cannot be verified as it is made, nor by a key without the scope', async () => {
  const { key } = await newAccount({ account: 'Exemptions' })
  const customer = String((await call('POST', '/v1/customers', { key, body: { name: 'Acme' } })).body['id'])
  const certificate = {
    jurisdiction_id: 'DE',
    exemption_type: 'other',
    certificate_number: 'c-1',
    valid_from: '2026-01-01',
  }
  const path = `/v1/customers/${customer}/exemptions`
  expect(
    (await call('POST', path, { key, body: { ...certificate, status: 'verified' } })).body['errors'],
  ).toMatchObject([{ path: 'status' }])
  const made = await call('POST', path, { key, body: certificate })
  expect(made.body['status']).toBe('pending')
  const { key: reader } = await newAccount({
    account: 'Exemptions',
    scopes: ['customers:read', 'transactions:write'],
  })
  expect(
    (await call('PUT', `${path}/${String(made.body['id'])}`, { key: reader, body: { status: 'verified' } }))
      .status,
  ).toBe(403)
})

it.each([
  [
    'a sale that is voided or refunded from its start',
    '/v1/transactions',
    { ...SALE, status: 'voided' },
    'status',
  ],
  ['a sale with refunds', '/v1/transactions', { ...SALE, refunds: [] }, 'refunds'],
  [
    'metadata that is a prototype',
    '/v1/customers',
    '{"name":"x","metadata":{"__proto__":{"a":"b"}}}',
    'metadata',
  ],
  ['a prototype beside what is known', '/v1/customers', '{"name":"x","__proto__":{"id":"y"}}', '__proto__'],
])('refuses %s', async (_, path, body, field) => {
  const answer = await call('POST', path, { key, ...(typeof body === 'string' ? { raw: body } : { body }) })
  expect(answer.status).toBe(400)
  expect(answer.body['errors']).toMatchObject([{ path: field }])
})

it.each(['constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf', '__proto__'])(
  'takes %s for a word like any other where a table is looked into',
  async (word) => {
    const line = { ...SALE.line_items[0], product_type: word }
    expect(
      (await call('POST', '/v1/calculate', { key, body: { ...SALE, line_items: [line] } })).body['errors'],
    ).toMatchObject([{ path: 'line_items[0].product_type' }])
    expect(
      (
        await call('POST', '/v1/webhooks', {
          key,
          body: { url: 'https://hooks.example.com/', events: [word] },
        })
      ).status,
    ).toBe(400)
    expect((await call('POST', '/v1/api-keys', { key, body: { scopes: [word] } })).status).toBe(400)
    for (const path of [
      `/v1/rates?jurisdiction=${word}`,
      `/v1/rates?product_type=${word}`,
      `/v1/thresholds?jurisdiction=${word}`,
      `/v1/metadata/jurisdictions/${word}`,
      `/v1/addresses/regions/${word}`,
      `/v1/reports/summary?from_date=2026-01-01&to_date=2026-12-31&group_by=${word}`,
      `/v1/reports/filing?type=${word}&period=2026-Q1`,
      `/v1/reports/export?report=${word}`,
      `/v1/vat/format-check?vat_id=${word}`,
    ])
      expect([400, 404], path).toContain((await call('GET', path, { key })).status)
  },
)

it('of two fields of one name the last one counts, for the answer and for what is stored', async () => {
  const made = await call('POST', '/v1/customers', { key, raw: '{"name":"first","name":"last"}' })
  expect(made.body['name']).toBe('last')
})

it('shows of keys and webhooks neither hash nor secret, and in the audit log no content', async () => {
  const { key: own } = await newAccount()
  const address = { country: 'DE', city: 'Berlin', line1: 'Unter den Linden 1' }
  const secret = String(
    (
      await call('POST', '/v1/webhooks', {
        key: own,
        body: { url: 'https://hooks.example.com/a', events: ['*'] },
      })
    ).body['secret'],
  )
  const customer = String(
    (
      await call('POST', '/v1/customers', {
        key: own,
        body: { name: 'Ada', email: 'ada@example.com', address },
      })
    ).body['id'],
  )
  await call('PUT', `/v1/customers/${customer}`, { key: own, body: { email: 'eve@example.com' } })
  await call('DELETE', `/v1/customers/${customer}`, { key: own })
  const hashes = (await env.DB.prepare('SELECT hash FROM api_keys').all<{ hash: string }>()).results.map(
    ({ hash }) => hash,
  )
  expect(hashes.length).toBeGreaterThan(0)
  const texts = [
    (await call('GET', '/v1/api-keys', { key: own })).text,
    (await call('GET', '/v1/webhooks', { key: own })).text,
    (await call('GET', '/v1/audit-events', { key: own })).text,
    (await call('GET', '/v1/account', { key: own })).text,
  ].join('\n')
  for (const hidden of [
    ...hashes,
    secret,
    own,
    'ada@example.com',
    'eve@example.com',
    'Linden',
    '"hash"',
    '"secret"',
  ])
    expect(texts).not.toContain(hidden)
})
