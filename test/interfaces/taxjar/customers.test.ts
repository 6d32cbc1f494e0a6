import { expect, it } from 'vitest'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { ask, newShop } from './asking.ts'

const { books } = keepAccountsIn(2)
await loadTestData()
const { key, owner, account_id } = await newShop({
  taxjar: { accept_state_only: true },
  registrations: ['US-FL', 'US-PA', 'US-NY'],
})
const send = (method: string, path: string, body?: object) =>
  ask(method, `/v2/${path}`, { key, ...(body !== undefined && { body }) })

const CUSTOMER = {
  customer_id: '123',
  exemption_type: 'wholesale',
  name: 'Dunder Mifflin Paper Company',
  exempt_regions: [
    { country: 'US', state: 'PA' },
    { country: 'US', state: 'FL' },
  ],
  country: 'US',
  state: 'PA',
  zip: '18504',
  city: 'Scranton',
  street: '1725 Slough Avenue',
}
const taxOf = async (to_state: string, to_zip: string, customer_id: string) => {
  const order = { to_country: 'US', to_state, to_zip, amount: 100, shipping: 0, customer_id }
  const said = await send('POST', 'taxes', order)
  expect(said.status, said.text).toBe(200)
  return said.body['tax']
}

it('has the exemptions of a customer in its regions, until they are named no more', async () => {
  const made = await send('POST', 'customers', CUSTOMER)
  expect([made.status, made.body]).toEqual([201, { customer: CUSTOMER }])
  expect((await send('GET', 'customers/123')).body).toEqual({ customer: CUSTOMER })
  expect((await send('GET', 'customers')).body).toEqual({ customers: ['123'] })
  expect(await taxOf('FL', '33018', '123')).toMatchObject({
    amount_to_collect: 0,
    exemption_type: 'wholesale',
  })
  expect(await taxOf('NY', '10010', '123')).toMatchObject({ amount_to_collect: 4 })

  const moved = { ...CUSTOMER, exempt_regions: [{ country: 'US', state: 'NY' }], name: 'Sterling Cooper' }
  const changed = await send('PUT', 'customers/123', moved)
  expect([changed.status, changed.body]).toEqual([200, { customer: moved }])
  expect(await taxOf('NY', '10010', '123')).toMatchObject({ amount_to_collect: 0 })
  expect(await taxOf('FL', '33018', '123')).toMatchObject({ amount_to_collect: 6 })

  const none = await send('PUT', 'customers/123', { exemption_type: 'non_exempt' })
  expect(none.body['customer']).toMatchObject({ exemption_type: 'non_exempt', name: 'Sterling Cooper' })
  expect(await taxOf('NY', '10010', '123')).toMatchObject({ amount_to_collect: 4 })
  const shown = await call('GET', '/v1/customers/external/123', { key: owner })
  expect(shown.body['exemptions']).toMatchObject([
    { jurisdiction_id: 'US-NY', status: 'expired' },
    { status: 'expired' },
    { status: 'expired' },
  ])
})

/** A customer whose exemption of Pennsylvania has counted since the first of January. */
async function exemptSince(customer_id: string): Promise<string> {
  const body = { ...CUSTOMER, customer_id, exempt_regions: [{ country: 'US', state: 'PA' }] }
  await send('POST', 'customers', body)
  const { body: held } = await call('GET', `/v1/customers/external/${customer_id}`, { key: owner })
  const [exemption] = held['exemptions'] as { id: string }[]
  const path = `/v1/customers/${String(held['id'])}/exemptions/${String(exemption?.id)}`
  await call('PUT', path, { key: owner, body: { valid_from: '2026-01-01' } })
  return path
}

it('rests on an exemption that has ended since, for orders of its days alone', async () => {
  await exemptSince('was')
  await send('PUT', 'customers/was', { exemption_type: 'non_exempt' })
  const reasonOn = async (day: string) => {
    const order = {
      transaction_id: `late-${day}`,
      transaction_date: day,
      to_country: 'US',
      to_state: 'PA',
      to_zip: '18504',
      amount: 100,
      shipping: 0,
      sales_tax: 0,
      customer_id: 'was',
    }
    const sent = await send('POST', 'transactions/orders', order)
    expect(sent.status, sent.text).toBe(201)
    const { body } = await call('GET', `/v1/transactions/external/late-${day}`, { key: owner })
    return JSON.stringify(body['line_items']).includes('customer_exempt')
  }
  expect(await reasonOn('2026-06-01')).toBe(true)
  expect(await reasonOn('2025-06-01')).toBe(false)
})

it('is not exempt after the last day of its exemption, also before the job of the night', async () => {
  const path = await exemptSince('over')
  await call('PUT', path, { key: owner, body: { valid_to: '2026-03-31' } })
  expect((await send('GET', 'customers/over')).body['customer']).toMatchObject({
    exemption_type: 'non_exempt',
  })
  expect(await taxOf('PA', '18504', 'over')).not.toMatchObject({ amount_to_collect: 0 })
  const again = await send('PUT', 'customers/over', { ...CUSTOMER, customer_id: 'over' })
  expect(again.body['customer']).toMatchObject({ exemption_type: 'wholesale' })
  expect(await taxOf('PA', '18504', 'over')).toMatchObject({ amount_to_collect: 0 })
})

it('is exempt wherever the account is registered if no region is named', async () => {
  const everywhere = { ...CUSTOMER, customer_id: 'all', exempt_regions: [], exemption_type: 'government' }
  expect((await send('POST', 'customers', everywhere)).body).toEqual({ customer: everywhere })
  for (const [state, zip] of [
    ['FL', '33018'],
    ['PA', '18504'],
    ['NY', '10010'],
  ] as const)
    expect(await taxOf(state, zip, 'all')).toMatchObject({ amount_to_collect: 0 })
})

it('names what is missing, taken, unknown or not covered', async () => {
  const refused = async (said: Promise<{ body: unknown }>, status: number, detail: string) =>
    expect((await said).body).toEqual({ status, error: expect.any(String), detail })
  await refused(send('POST', 'customers', { ...CUSTOMER, name: '' }), 406, 'name is missing')
  await refused(send('POST', 'customers', CUSTOMER), 422, 'customer_id 123 is already used')
  await refused(send('GET', 'customers/none'), 404, 'Resource can not be found')
  const exempt_regions = [{ country: 'US', state: 'ZZ' }]
  await refused(
    send('POST', 'customers', { ...CUSTOMER, customer_id: 'x', exempt_regions }),
    400,
    'exempt_regions US-ZZ is not covered',
  )
})

it('is erased with what its orders say of it', async () => {
  const order = {
    transaction_id: 'o-1',
    transaction_date: '2026-01-05',
    to_country: 'US',
    to_state: 'NY',
    to_zip: '10010',
    to_street: '405 Madison Ave',
    amount: 10,
    shipping: 0,
    sales_tax: 0,
    customer_id: '123',
  }
  expect((await send('POST', 'transactions/orders', order)).status).toBe(201)
  const gone = await send('DELETE', 'customers/123')
  expect(gone.body['customer']).toMatchObject({ customer_id: '123', name: 'Sterling Cooper' })
  expect((await send('GET', 'customers/123')).status).toBe(404)
  expect((await send('GET', 'transactions/orders/o-1')).body['order']).toMatchObject({
    customer_id: null,
    to_street: null,
    to_zip: '10010',
  })
  const stored = await books
    .prepare('SELECT count(*) AS n FROM taxjar_documents WHERE account_id = ? AND body LIKE ?')
    .bind(account_id, '%Madison%')
    .first('n')
  expect(stored).toBe(0)
})

it('leaves certificates alone when a customer gets another name, also those of our own form', async () => {
  await send('POST', 'customers', { customer_id: 'named', name: 'Before', exemption_type: 'non_exempt' })
  const { body: customer } = await call('GET', '/v1/customers/external/named', { key: owner })
  const certificate = {
    jurisdiction_id: 'US-NY',
    exemption_type: 'resale',
    certificate_number: 'ST-120',
    valid_from: '2026-01-01',
    valid_to: '2026-12-31',
  }
  const path = `/v1/customers/${String(customer['id'])}/exemptions`
  const { body: made } = await call('POST', path, { key: owner, body: certificate })
  await call('PUT', `${path}/${String(made['id'])}`, { key: owner, body: { status: 'verified' } })
  expect((await send('PUT', 'customers/named', { name: 'After' })).status).toBe(200)
  const { body: held } = await call('GET', path, { key: owner })
  expect(held['exemptions']).toEqual([
    expect.objectContaining({ certificate_number: 'ST-120', valid_to: '2026-12-31' }),
  ])
})
