import { describe, expect, it } from 'vitest'
import { TAXJAR_ROUTES } from '../../../src/interfaces/taxjar/routes.ts'
import { loadTestData } from '../../support/service-data.ts'
import { ask, newShop } from './asking.ts'

await loadTestData()
const { key: owner } = await newShop({ registrations: ['US-NY', 'US-FL'] })
const { key: stranger } = await newShop({ profile: { country: 'DE', region: null, postal_code: '10115' } })

const ORDER = {
  transaction_id: 'own-order',
  transaction_date: '2026-01-05',
  to_country: 'US',
  to_state: 'NY',
  to_zip: '10010',
  to_street: 'Secret Street',
  amount: 10,
  shipping: 0,
  sales_tax: 0.89,
  customer_id: 'own-customer',
}
const REFUND = { ...ORDER, transaction_id: 'own-refund', transaction_reference_id: 'own-order' }
const CUSTOMER = { customer_id: 'own-customer', exemption_type: 'other', name: 'Secret Name' }
for (const [path, body] of [
  ['customers', CUSTOMER],
  ['transactions/orders', ORDER],
  ['transactions/refunds', REFUND],
] as const)
  expect((await ask('POST', `/v2/${path}`, { key: owner, body })).status).toBe(201)

/** The id of the owner in each path with a parameter. A new route fails the test until it is listed. */
const OWNED: Readonly<Record<string, string>> = {
  '/v2/transactions/orders/:transaction_id': 'own-order',
  '/v2/transactions/refunds/:transaction_id': 'own-refund',
  '/v2/customers/:customer_id': 'own-customer',
}
const BODIES: Readonly<Record<string, object>> = {
  '/v2/transactions/orders/:transaction_id': { amount: 1 },
  '/v2/transactions/refunds/:transaction_id': { amount: -1 },
  '/v2/customers/:customer_id': { name: 'stolen', exemption_type: 'non_exempt' },
}
/** Paths of what all tenants share. */
const SHARED = new Set(['/v2/rates/:zip'])
const SECRETS = ['own-', 'Secret', 'US-NY', 'New York']

const withIds = TAXJAR_ROUTES.filter(({ path }) => path.includes(':') && !SHARED.has(path))

describe.each(withIds.map((route) => ({ route, name: `${route.method.toUpperCase()} ${route.path}` })))(
  '$name',
  ({ route }) => {
    it("answers another account's id exactly as one that never existed", async () => {
      const id = OWNED[route.path]
      if (id === undefined) throw new Error(`no owned id for ${route.path}: make one above`)
      const method = route.method.toUpperCase()
      const sent = { key: stranger, ...(route.body !== null && { body: BODIES[route.path] ?? {} }) }
      const theirs = await ask(method, route.path.replace(/:\w+/, id), sent)
      const none = await ask(method, route.path.replace(/:\w+/, 'none'), sent)
      expect(theirs.status).toBe(404)
      expect(theirs.text).toBe(none.text)
    })
  },
)

const lists = TAXJAR_ROUTES.filter(({ method, path }) => method === 'get' && !path.includes(':'))

it.each(lists.filter(({ path }) => !/categories|summary_rates/.test(path)).map(({ path }) => path))(
  'GET %s shows nothing of another account',
  async (path) => {
    const { text } = await ask('GET', `${path}?vat=DE136695976`, { key: stranger })
    for (const secret of SECRETS) expect(text).not.toContain(secret)
  },
)

it('lets two accounts use the same ids, and refunds only the own order', async () => {
  for (const [path, body] of [
    ['transactions/refunds', REFUND],
    ['transactions/orders', ORDER],
    ['customers', CUSTOMER],
  ] as const)
    expect((await ask('POST', `/v2/${path}`, { key: stranger, body })).status).toBe(201)
  const shown = await ask('GET', '/v2/transactions/refunds/own-refund', { key: owner })
  expect(shown.body['refund']).toMatchObject({ amount: '-10.0', to_street: 'Secret Street' })
  for (const path of ['transactions/orders/own-order', 'transactions/refunds/own-refund'])
    await ask('DELETE', `/v2/${path}`, { key: stranger })
  expect((await ask('GET', '/v2/transactions/orders/own-order', { key: owner })).status).toBe(200)
})

it('applies exemptions of its own customers alone', async () => {
  const { key: other } = await newShop({ profile: { country: 'FR', region: null, postal_code: null } })
  await ask('POST', '/v2/customers', {
    key: owner,
    body: { ...CUSTOMER, customer_id: 'fr', exempt_regions: [{ country: 'FR' }] },
  })
  const body = { from_country: 'FR', to_country: 'FR', amount: 10, shipping: 0, customer_id: 'fr' }
  expect((await ask('POST', '/v2/taxes', { key: other, body })).body['tax']).toMatchObject({
    amount_to_collect: 2,
  })
  expect((await ask('POST', '/v2/taxes', { key: owner, body })).body['tax']).toMatchObject({
    amount_to_collect: 0,
  })
})
