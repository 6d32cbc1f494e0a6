import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { app } from '../../src/service/app.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { keepAccountsIn } from '../support/shards.ts'
import { everything, withDatabase, withoutTable } from './faulty.ts'

keepAccountsIn(0)
await loadTestData()
const { key } = await newAccount()

const QUEUED = 'D1_ERROR: D1 DB is overloaded. Too many requests queued.'
const WAITED = 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.'
const BATCHES = [
  ['/v1/transactions/batch', 'transactions'],
  ['/v1/calculate/batch', 'calculations'],
] as const
const CUSTOMER = { external_id: 'crowded', address: { country: 'DE' } }

/** The service with a database that refuses the n-th trip, and each one after it, without running it. */
function refusingFrom(first: number, words: string): Bindings {
  let trip = 0
  return withDatabase((run) => {
    trip += 1
    return trip < first ? run() : Promise.reject(new Error(words))
  })
}

async function ask(bindings: Bindings, method: string, path: string, body?: object) {
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Idempotency-Key': 'crowded' }),
  }
  const sent = new Request(`https://service.test${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const response = await app.fetch(sent, bindings, createExecutionContext())
  const text = await response.text()
  return { status: response.status, retry_after: response.headers.get('Retry-After'), text }
}

const BUSY = { status: 503, retry_after: '5', text: expect.stringContaining('"reason":"database_busy"') }

it('says when to come back if the database is overloaded', async () => {
  for (const words of [QUEUED, WAITED])
    expect(await ask(refusingFrom(1, words), 'GET', '/v1/customers')).toMatchObject(BUSY)
})

it('says so too if the database refuses to prepare a statement', async () => {
  const db = withoutTable('customers', new Error(QUEUED))
  expect(await ask({ ...env, DB: db }, 'GET', '/v1/customers')).toMatchObject(BUSY)
})

it('writes once what is sent again, whichever trip was refused, and never says that nothing was written', async () => {
  const before = await everything()
  let first = 1
  for (; first < 20; first += 1) {
    const answer = await ask(refusingFrom(first, QUEUED), 'POST', '/v1/customers', CUSTOMER)
    if (answer.status === 201) break
    expect(answer).toMatchObject(BUSY)
    expect(answer.text).toContain('Idempotency-Key or external_id')
    if (first === 1) expect(await everything()).toEqual(before)
  }
  expect(first).toBeGreaterThan(1)
  expect((await ask(env, 'POST', '/v1/customers', CUSTOMER)).status).toBe(201)
  const { body } = await call('GET', '/v1/customers', { key })
  expect(body['customers']).toHaveLength(1)
})

it('refuses a whole batch of sales, not each of them', async () => {
  const sale = {
    currency: 'EUR',
    seller: { country: 'DE' },
    customer_id: 'cust_00000000000000000000000000',
    customer: { address: { country: 'DE' } },
    line_items: [{ amount: 10_000, product_type: 'saas' }],
  }
  const db = withoutTable('FROM customers', new Error(QUEUED))
  for (const [path, name] of BATCHES)
    expect(await ask({ ...env, DB: db }, 'POST', path, { [name]: [sale] }), path).toMatchObject(BUSY)
})

it('keeps the other failures of a database as they are', async () => {
  const answer = await ask(refusingFrom(1, 'D1_ERROR: Network connection lost.'), 'GET', '/v1/customers')
  expect(answer).toMatchObject({ status: 500, retry_after: null })
})
