import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { keepOldKeys } from '../../../../src/notices/delivery/kept-keys.ts'
import { callWith } from '../../../faults/faulty.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'

await loadTestData()

type Body = Record<string, unknown>

/** A shop in Germany with a British registration sells to London. */
async function newShop() {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
  const registration = await call('POST', '/v1/registrations', {
    key,
    body: { jurisdiction_id: 'GB', valid_from: '2020-01-01' },
  })
  return { key, registration_id: String(registration.body['id']) }
}

const CART = {
  currency: 'GBP',
  customer: { address: { country: 'GB', postal_code: 'SW1A 1AA' } },
  line_items: [{ amount: 10_000, product_type: 'saas' }],
}
const quote = async (key: string, more: object = {}) => {
  const body = { ...CART, calculation_token: true, ...more }
  const { status, body: answer, text } = await call('POST', '/v1/calculate', { key, body })
  expect(status, text).toBe(200)
  return answer
}
const tokenOf = async (key: string, more: object = {}) =>
  String((await quote(key, more))['calculation_token'])
const record = (key: string, body: object) => call('POST', '/v1/transactions', { key, body })
const endRegistration = async (key: string, id: string) => {
  const ended = await call('PUT', `/v1/registrations/${id}`, { key, body: { valid_to: '2020-02-01' } })
  expect(ended.status, ended.text).toBe(200)
}
const refused = (message: string) => ({
  error_code: 'VALIDATION_ERROR',
  reason: 'invalid_request',
  errors: [{ path: 'calculation_token', message: expect.stringContaining(message) }],
})
const variances = async (key: string) => {
  const path = '/v1/reports/tax-variance?from_date=2020-01-01&to_date=2099-12-31'
  return (await call('GET', path, { key })).body['totals']
}

afterEach(() => {
  vi.useRealTimers()
})

it('records by the token alone what was quoted, though the seller ended its registration meanwhile', async () => {
  const { key, registration_id } = await newShop()
  const calculation_token = await tokenOf(key, { customer: { ...CART.customer, type: 'individual' } })
  await endRegistration(key, registration_id)
  const sale = await record(key, { calculation_token, external_id: 'order-1' })
  expect(sale.body, sale.text).toMatchObject({
    external_id: 'order-1',
    tax_amount: 2_000,
    tax_source: 'given',
    tax_variance: 2_000,
    customer: { address: { country: 'GB', postal_code: 'SW1A 1AA' } },
  })
  expect(await variances(key)).toMatchObject([{ charged_tax: 2_000, expected_tax: 0, variance: 2_000 }])
})

it('keeps what the buyer paid beyond a cart that is calculated again', async () => {
  const { key, registration_id } = await newShop()
  const { total } = await quote(key)
  await endRegistration(key, registration_id)
  const sale = await record(key, { ...CART, expected_total: total })
  expect(sale.body).toMatchObject({ tax_amount: 0, tax_source: 'calculated', tax_variance: 2_000 })
  expect(await variances(key)).toEqual([
    { currency: 'GBP', transactions: 1, charged_tax: 2_000, expected_tax: 0, variance: 2_000 },
  ])
  const listed = await call('GET', '/v1/transactions?variance=true', { key })
  expect(listed.body['transactions']).toMatchObject([{ id: sale.body['id'] }])
  expect((await record(key, { ...CART, expected_total: 10_000 })).body['tax_variance']).toBeNull()
})

it('is only in the answer that asks for it, also in a batch', async () => {
  const { key } = await newShop()
  expect(await quote(key, { calculation_token: undefined })).not.toHaveProperty('calculation_token')
  const calculations = [CART, { ...CART, calculation_token: true }]
  const { body } = await call('POST', '/v1/calculate/batch', { key, body: { calculations } })
  const [without, having] = body['results'] as { data: Body }[]
  expect(without?.data).not.toHaveProperty('calculation_token')
  const transactions = [{ calculation_token: having?.data['calculation_token'], external_id: 'a' }, CART]
  const recorded = await call('POST', '/v1/transactions/batch', { key, body: { transactions } })
  expect(recorded.body['summary']).toMatchObject({ succeeded: 2 })
})

it('fits into 500 characters for a small cart, and names nobody', async () => {
  const { key } = await newShop()
  const line_items = [1, 2].map((n) => ({ amount: n * 999, product_type: 'saas', reference: `sku-${n}` }))
  const token = await tokenOf(key, { line_items })
  expect(token.length).toBeLessThan(500)
  expect(token).toMatch(/^[\w.-]+$/)
  expect(atob(String(token.split('.')[1]).replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('SW1A')
})

it('is null for a cart that is too large, and that one is recorded with calculation', async () => {
  const { key } = await newShop()
  const line_items = Array.from({ length: 500 }, (_, index) => ({
    amount: index,
    product_type: 'saas',
    description: Array.from({ length: 20 }, () => crypto.randomUUID()).join(),
  }))
  const { calculation_token, ...calculation } = await quote(key, { line_items })
  expect(calculation_token).toBeNull()
  expect((await record(key, { customer: CART.customer, calculation })).status).toBe(201)
  expect((await record(key, { calculation_token })).body).toMatchObject({
    errors: [{ path: 'calculation_token' }],
  })
})

it('holds 500 lines of a usual length', async () => {
  const { key } = await newShop()
  const line_items = Array.from({ length: 500 }, (_, index) => ({
    amount: index * 7,
    product_type: 'saas',
    reference: `sku-${index}`,
    description: `Product number ${index} in blue`,
  }))
  const answer = await quote(key, { line_items })
  const sale = await record(key, { calculation_token: answer['calculation_token'] })
  expect(sale.body).toMatchObject({ tax_amount: answer['tax_amount'], total: answer['total'] })
})

it('is refused in another account', async () => {
  const [one, other] = [await newShop(), await newShop()]
  const calculation_token = await tokenOf(one.key)
  expect((await record(other.key, { calculation_token })).body).toMatchObject(refused('another account'))
})

it('is refused after an hour, and not before', async () => {
  const { key } = await newShop()
  const calculation_token = await tokenOf(key)
  const made = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: made + 59 * 60_000 })
  expect((await record(key, { calculation_token })).status).toBe(201)
  vi.setSystemTime(made + 61 * 60_000)
  expect((await record(key, { calculation_token })).body).toMatchObject(refused('older than 60 minutes'))
})

it('is refused with any character changed, and any other text', async () => {
  const { key } = await newShop()
  const token = await tokenOf(key)
  const changed = fc.tuple(fc.nat(token.length - 1), fc.constantFrom('A', 'b', '0', '.', '-')).map(
    // The last character of base64 has bits that mean nothing: `=` is left out, so another one may be equal.
    ([at, character]) => token.slice(0, at) + character + token.slice(at + 1),
  )
  const meansTheSame = (text: string) =>
    text.split('.').every((part, index) => index === 2 || bytesOf(part) === bytesOf(token.split('.')[index]))
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, fc.string({ maxLength: 60 })), async (text) => {
      fc.pre(!(text.split('.').length === 3 && text.endsWith(token.slice(-9)) && meansTheSame(text)))
      const said = await record(key, { calculation_token: text })
      expect(said.status).toBe(400)
      expect(said.body).toMatchObject({ reason: 'invalid_request', errors: [{ path: 'calculation_token' }] })
    }),
    { numRuns: 60 },
  )
})

function bytesOf(text = ''): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return text
  }
}

it('is refused beside what it has, and takes a customer that it has not', async () => {
  const { key } = await newShop()
  const saved = await call('POST', '/v1/customers', {
    key,
    body: { name: 'Ann', address: { country: 'GB' } },
  })
  const customer_id = String(saved.body['id'])
  const calculation = await quote(key)
  const calculation_token = String(calculation['calculation_token'])
  const { line_items, currency, customer } = CART
  for (const more of [
    { calculation },
    { line_items },
    { currency },
    { customer },
    { shipping_cost: { amount: 1 } },
    { discount_amount: 1 },
    { jurisdiction_id: 'CA-ON' },
    { fees: [] },
  ])
    expect((await record(key, { calculation_token, ...more })).body).toMatchObject(
      refused(`does not go with ${Object.keys(more).join()}`),
    )
  expect((await record(key, { calculation_token, customer_id })).body).toMatchObject({
    customer: { id: customer_id },
  })
  const of_customer = await tokenOf(key, { customer: undefined, customer_id })
  expect((await record(key, { calculation_token: of_customer, customer_id })).body).toMatchObject(
    refused('does not go with customer_id'),
  )
})

it('has the place of a saved customer at the time of the quote', async () => {
  const { key } = await newShop()
  const saved = await call('POST', '/v1/customers', {
    key,
    body: { name: 'Ann', address: { country: 'GB' } },
  })
  const customer_id = String(saved.body['id'])
  const calculation_token = await tokenOf(key, { customer: undefined, customer_id })
  await call('PUT', `/v1/customers/${customer_id}`, { key, body: { address: { country: 'FR' } } })
  expect((await record(key, { calculation_token })).body).toMatchObject({
    tax_amount: 2_000,
    tax_variance: 0,
    customer: { id: customer_id, address: { country: 'GB' } },
  })
})

it('is recorded in place of an earlier sale, too', async () => {
  const { key } = await newShop()
  const save = async () =>
    call('PUT', '/v1/transactions/external/a', { key, body: { calculation_token: await tokenOf(key) } })
  const [first, second] = [await save(), await save()]
  expect(second.body['id']).toBe(first.body['id'])
})

it('outlives the replacement of the key, and is never made without one', async () => {
  const { key } = await newShop()
  const calculation_token = await tokenOf(key)
  const recordWith = (keys: object) =>
    callWith({ ...env, ...keys }, key, {
      method: 'POST',
      path: '/v1/transactions',
      body: { calculation_token },
    })
  expect((await recordWith({ ENCRYPTION_KEY_NEXT: 'another key' })).status).toBe(201)
  expect((await recordWith({ ENCRYPTION_KEY: 'another key' })).body).toMatchObject(refused('another account'))
  await keepOldKeys({ ...env, ENCRYPTION_KEY_NEXT: 'another key' }, new Date())
  expect((await recordWith({ ENCRYPTION_KEY: 'another key' })).status).toBe(201)
  const asked = { method: 'POST', path: '/v1/calculate', body: { ...CART, calculation_token: true } }
  expect((await callWith({ ...env, ENCRYPTION_KEY: '' }, key, asked)).status).toBe(500)
})
