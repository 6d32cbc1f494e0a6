import { describe, expect, it } from 'vitest'
import { newAccount } from '../support/account.ts'
import { type Answer, call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { attempt, deliveriesOf, happen, subscribe, SYNCED } from '../notices/subscribing.ts'
import { keepAccountsIn } from '../support/shards.ts'

keepAccountsIn(0)
await loadTestData()

const { key: owner } = await newAccount()
const { key: stranger } = await newAccount()

const ADDRESS = { country: 'DE', postal_code: '10115' }
const SALE = { currency: 'EUR', line_items: [{ amount: 1_000, product_type: 'saas' }] }
const NONE = 'cust_00000000000000000000000000'

const post = (key: string, path: string, body: object, headers: Record<string, string> = {}) =>
  call('POST', path, { key, body, headers })
const made = async (key: string, path: string, body: object) => {
  const answer = await post(key, path, body)
  expect(answer.status, answer.text).toBe(201)
  return String(answer.body['id'])
}

const theirs = await made(owner, '/v1/customers', { external_id: 'c-1', name: 'Acme', address: ADDRESS })
const mine = await made(stranger, '/v1/customers', { external_id: 'c-1', name: 'Mine', address: ADDRESS })
await made(owner, '/v1/transactions', { ...SALE, external_id: 'order-1', customer_id: theirs })

/** What tells two answers apart, but for the id that was sent and the moment. */
const said = ({ status, text }: Answer, id: string) => ({
  status,
  text: text.replaceAll(id, '').replaceAll(/req_[0-9a-z]{26}|"queried_at":"[^"]+"/g, ''),
})

describe("another account's customer in a body", () => {
  it.each([
    ['/v1/calculate', SALE],
    ['/v1/decision/collect', { jurisdiction_id: 'DE' }],
    ['/v1/transactions', SALE],
  ])('of %s is answered as one that never existed', async (path, body) => {
    const answer = await post(stranger, path, { ...body, customer_id: theirs })
    expect(answer.status).toBe(404)
    expect(answer.text).not.toContain('Acme')
    expect(said(answer, theirs)).toEqual(
      said(await post(stranger, path, { ...body, customer_id: NONE }), NONE),
    )
  })

  it.each([
    ['/v1/calculate/batch', 'calculations'],
    ['/v1/transactions/batch', 'transactions'],
  ])('of %s, one among 49 of our own, fails alone and as one that never existed', async (path, field) => {
    const batch = (id: string) => ({
      [field]: Array.from({ length: 50 }, (_, index) => ({ ...SALE, customer_id: index === 30 ? id : mine })),
    })
    const results = async (id: string) => {
      const { body } = await post(stranger, path, batch(id))
      expect(body['summary']).toEqual({ total: 50, succeeded: 49, failed: 1 })
      return JSON.stringify(Object(body['results'])[30]).replaceAll(id, '')
    }
    expect(await results(theirs)).toBe(await results(NONE))
  })
})

describe('ids of other kinds and forms', () => {
  it.each([
    mine.replace('cust_', 'txn_'),
    mine.toUpperCase(),
    mine.slice(0, -1),
    `${mine}0`,
    `${mine}%00`,
    `${mine}%0a`,
    `%20${mine}`,
    `${mine}%2f`,
    `${mine}%3b`,
    `..%2f${mine}`,
    '*',
    '%25',
    '_',
    `'%20OR%20'1'='1`,
  ])('find nothing: %s', async (id) => {
    expect((await call('GET', `/v1/customers/${id}`, { key: stranger })).status).toBe(404)
  })

  it('are no wildcards in filters', async () => {
    await made(stranger, '/v1/customers', { name: 'Ada', email: 'ada@example.com' })
    for (const email of ['%', '_da@example.com', '*', "' OR '1'='1"]) {
      const { body } = await call('GET', `/v1/customers?email=${encodeURIComponent(email)}`, {
        key: stranger,
      })
      expect(body['total'], email).toBe(0)
    }
  })
})

describe("another account's cursor", () => {
  const pages = [
    ['/v1/customers?limit=1', 'customers'],
    ['/v1/transactions?limit=1', 'transactions'],
    ['/v1/audit-events?limit=1', 'audit_events'],
    ['/v1/reports/transactions?from_date=2026-01-01&to_date=2026-12-31&limit=1', 'transactions'],
  ]

  it.each(pages)('leads nowhere but into our own rows: %s', async (path, field) => {
    const { key: busy } = await newAccount()
    const { key: idle } = await newAccount()
    for (let index = 0; index < 3; index += 1)
      await made(busy, '/v1/transactions', {
        ...SALE,
        transaction_date: '2026-06-15',
        customer_id: await made(busy, '/v1/customers', { name: 'Busy', address: ADDRESS }),
      })
    const { body } = await call('GET', path, { key: busy })
    const cursor = String(body['next_cursor'])
    expect(cursor).not.toBe('null')
    const seen = await call('GET', `${path}&cursor=${encodeURIComponent(cursor)}`, { key: idle })
    expect(seen.body).toMatchObject({ [field]: [], has_more: false, next_cursor: null })
  })
})

it('keeps the same Idempotency-Key, external ids and answers of two accounts apart', async () => {
  const sent = { ...SALE, customer: { address: ADDRESS }, external_id: 'order-2' }
  const headers = { 'Idempotency-Key': 'one-text' }
  const first = await post(owner, '/v1/transactions', sent, headers)
  const second = await post(stranger, '/v1/transactions', sent, headers)
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.headers.get('Idempotent-Replayed')).toBeNull()
  expect(second.body['id']).not.toBe(first.body['id'])
  const found = await call('GET', '/v1/transactions/external/order-2', { key: stranger })
  expect(found.body['id']).toBe(second.body['id'])
})

it('counts in totals, summaries and nexus only what is our own', async () => {
  const { key } = await newAccount()
  for (const path of ['/v1/customers', '/v1/transactions', '/v1/webhooks', '/v1/registrations'])
    expect((await call('GET', path, { key })).body['total'], path).toBe(0)
  const summary = await call('GET', '/v1/reports/summary?from_date=0001-01-01&to_date=9999-12-31', { key })
  expect(summary.body['rows']).toEqual([])
})

describe('deliveries', () => {
  it('are reached through their own webhook alone, of our own or of another account', async () => {
    const theirWebhook = await subscribe()
    const ours = await subscribe()
    const made = await post(ours.key, '/v1/webhooks', {
      url: `https://${ours.host}/second`,
      events: ['rate.updated'],
    })
    const second = String(made.body['id'])
    await happen(SYNCED, new Date())
    for (const { id } of [...(await deliveriesOf(theirWebhook.id)), ...(await deliveriesOf(ours.id))])
      await attempt(id, new Date())
    const [their] = await deliveriesOf(theirWebhook.id)
    const [our] = await deliveriesOf(ours.id)
    const redeliver = (webhook: string, delivery: string | undefined) =>
      post(ours.key, `/v1/webhooks/${webhook}/deliveries/${delivery}/redeliver`, {})
    const nothing = await redeliver(ours.id, 'dlv_00000000000000000000000000')
    expect(nothing.status).toBe(404)
    for (const answer of [
      await redeliver(ours.id, their?.id),
      await redeliver(second, our?.id),
      await redeliver(theirWebhook.id, their?.id),
      await redeliver(theirWebhook.id, our?.id),
    ])
      expect({ ...answer.body, request_id: '' }).toEqual({ ...nothing.body, request_id: '' })
    expect((await redeliver(ours.id, our?.id)).status).toBe(200)
    expect((await deliveriesOf(theirWebhook.id))[0]?.status).toBe('succeeded')
  })
})
