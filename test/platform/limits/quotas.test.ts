import { keepAccountsIn } from '../../support/shards.ts'
import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { pruneIdempotencyKeys } from '../../../src/platform/writes/idempotency.ts'
import { callWith } from '../../faults/faulty.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

keepAccountsIn(0)

await loadTestData()

const lines = (count: number, description = '') =>
  Array.from({ length: count }, () => ({ amount: 100, product_type: 'saas', tax_amount: 0, description }))
const sale = (count: number, description = '') => ({
  currency: 'EUR',
  customer: { address: { country: 'DE' } },
  line_items: lines(count, description),
})
const usageOf = async (key: string) => (await call('GET', '/v1/account/usage', { key })).body['usage']
const total = (key: string, path: string) => call('GET', path, { key }).then(({ body }) => body['total'])

describe('a request with many lines', () => {
  const batch = (key: string, transactions: object[]) =>
    call('POST', '/v1/transactions/batch', { key, body: { transactions } })

  it('is refused as a whole if its transactions have more than 2,000 lines together', async () => {
    const { key } = await newAccount()
    const refused = await batch(key, [sale(500), sale(500), sale(500), sale(500), sale(1)])
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'transactions' }] } })
    expect(await total(key, '/v1/transactions')).toBe(0)
  })

  it('is refused if its calculations have more than 2,000 lines, or 500 explained ones', async () => {
    const { key } = await newAccount()
    const calculate = (calculations: object[]) =>
      call('POST', '/v1/calculate/batch', { key, body: { calculations } })
    const { tax_amount: _, ...line } = { amount: 100, product_type: 'saas', tax_amount: 0 }
    const one = (count: number, explain: boolean) => ({
      currency: 'EUR',
      customer: { address: { country: 'DE' } },
      line_items: Array.from({ length: count }, () => line),
      explain,
    })
    expect((await calculate(Array.from({ length: 5 }, () => one(401, false)))).status).toBe(400)
    expect((await calculate([one(251, true), one(250, true)])).body['errors']).toMatchObject([
      { path: 'calculations', message: 'must have at most 500 explained or compared lines, not 501' },
    ])
    expect((await calculate([one(250, true), one(250, true), one(500, false)])).status).toBe(200)
  })

  it('with an Idempotency-Key and the longest answer is done, and answered again in the same way', async () => {
    const { key } = await newAccount()
    // Texts that hardly compress: the answer is longer than a row of D1 may be.
    const random = () => crypto.randomUUID() + crypto.randomUUID()
    const transactions = Array.from({ length: 40 }, () => ({
      ...sale(0),
      customer: { address: { country: 'CA', region: 'QC' } },
      line_items: Array.from({ length: 50 }, () => ({
        amount: 100,
        product_type: 'saas',
        description: random() + random() + random() + random(),
      })),
    }))
    const headers = { 'Idempotency-Key': 'long' }
    const first = await call('POST', '/v1/transactions/batch', { key, body: { transactions }, headers })
    expect(first.body['summary']).toEqual({ total: 40, succeeded: 40, failed: 0 })
    expect(first.text.length).toBeGreaterThan(1_400_000)
    const again = await call('POST', '/v1/transactions/batch', { key, body: { transactions }, headers })
    expect(again.text).toBe(first.text)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  })
})

describe('a quota', () => {
  const small = (quotas: Record<string, string>) => ({ ...env, ...quotas })
  const post = (bindings: typeof env, key: string, path: string, body: object) =>
    callWith(bindings, key, { method: 'POST', path, body })

  it('of lines refuses the batch that would pass it, whole, and counts what is stored', async () => {
    const { key } = await newAccount({ tier: 'pro' })
    const bindings = small({ QUOTA_PRO_TRANSACTION_LINES: '5' })
    expect((await post(bindings, key, '/v1/transactions', sale(3))).status).toBe(201)
    const refused = await post(bindings, key, '/v1/transactions/batch', { transactions: [sale(2), sale(1)] })
    expect(refused.body).toMatchObject({ error_code: 'FORBIDDEN', reason: 'quota_exceeded' })
    expect(await total(key, '/v1/transactions')).toBe(1)
    expect((await post(bindings, key, '/v1/transactions', sale(2))).status).toBe(201)
    expect(await usageOf(key)).toMatchObject({ transaction_lines: { stored: 5, quota: 2_000_000 } })
  })

  it('is kept by writes that come at the same time', async () => {
    const { key } = await newAccount({ tier: 'pro' })
    const bindings = small({ QUOTA_PRO_TRANSACTION_LINES: '5' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(bindings, key, '/v1/transactions', sale(1))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5)
  })

  it('of lines that filed returns keep refuses the return that would pass it, and keeps nothing of it', async () => {
    const { key, account_id } = await newAccount({ tier: 'pro' })
    const dated = { ...sale(3), transaction_date: '2026-02-01' }
    expect((await post(small({}), key, '/v1/transactions', dated)).status).toBe(201)
    const filing = { type: 'generic', period: '2026-Q1' }
    const refused = await post(small({ QUOTA_PRO_FILED_ROWS: '2' }), key, '/v1/returns', filing)
    expect(refused.body).toMatchObject({ error_code: 'FORBIDDEN', reason: 'quota_exceeded' })
    const kept = env.DB.prepare('SELECT count(*) AS rows FROM filed_rows WHERE account_id = ?').bind(
      account_id,
    )
    expect(await kept.first('rows')).toBe(0)
    expect((await post(small({ QUOTA_PRO_FILED_ROWS: '3' }), key, '/v1/returns', filing)).status).toBe(201)
    expect(await usageOf(key)).toMatchObject({ filed_rows: { stored: 3, quota: 4_000_000 } })
  })

  it('of customers and exemptions falls when they are deleted', async () => {
    const { key } = await newAccount({ tier: 'free' })
    const bindings = small({ QUOTA_FREE_CUSTOMERS: '1', QUOTA_FREE_EXEMPTIONS: '1' })
    const made = await post(bindings, key, '/v1/customers', { name: 'Acme' })
    const certificate = {
      jurisdiction_id: 'DE',
      exemption_type: 'other',
      certificate_number: 'c-1',
      valid_from: '2026-01-01',
    }
    const path = `/v1/customers/${String(made.body['id'])}`
    expect((await post(bindings, key, `${path}/exemptions`, certificate)).status).toBe(201)
    expect((await post(bindings, key, `${path}/exemptions`, certificate)).status).toBe(403)
    expect((await post(bindings, key, '/v1/customers', { name: 'Other' })).status).toBe(403)
    await callWith(bindings, key, { method: 'DELETE', path, body: undefined })
    expect(await usageOf(key)).toMatchObject({ customers: { stored: 0 }, exemptions: { stored: 0 } })
    expect((await post(bindings, key, '/v1/customers', { name: 'Other' })).status).toBe(201)
  })

  it.each([
    ['REGISTRATIONS', '/v1/registrations', { jurisdiction_id: 'DE', valid_from: '2026-01-01' }],
    ['WEBHOOKS', '/v1/webhooks', { url: 'https://hooks.example.com/quota', events: ['*'] }],
  ])('of %s refuses one more', async (name, path, body) => {
    const { key } = await newAccount({ tier: 'pro' })
    const bindings = small({ [`QUOTA_PRO_${name}`]: '1' })
    expect((await post(bindings, key, path, body)).status).toBe(201)
    expect((await post(bindings, key, path, { ...body })).body).toMatchObject({ reason: 'quota_exceeded' })
  })

  it('of keys does not count revoked ones', async () => {
    const { key } = await newAccount({ tier: 'pro' })
    const bindings = small({ QUOTA_PRO_API_KEYS: '2' })
    const made = await post(bindings, key, '/v1/api-keys', { scopes: ['tax:read'] })
    expect((await post(bindings, key, '/v1/api-keys', { scopes: ['tax:read'] })).status).toBe(403)
    await callWith(bindings, key, {
      method: 'DELETE',
      path: `/v1/api-keys/${String(made.body['id'])}`,
      body: undefined,
    })
    expect((await post(bindings, key, '/v1/api-keys', { scopes: ['tax:read'] })).status).toBe(201)
  })

  it('of refunds: a sale takes at most 200', async () => {
    const { key } = await newAccount()
    const { body } = await call('POST', '/v1/transactions', { key, body: { ...sale(1) } })
    const path = `/v1/transactions/${String(body['id'])}/refund`
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200)
       INSERT INTO refunds (id, account_id, transaction_id, amount, tax_amount, reason, parts, refunded_at)
       SELECT printf('rfd_%026d', i), account_id, id, 1, 0, 'x', '[]', created_at FROM n, transactions WHERE id = ?`,
    )
      .bind(String(body['id']))
      .run()
    const refused = await call('POST', path, { key, body: { amount: 1, reason: 'x' } })
    expect(refused.body).toMatchObject({ reason: 'quota_exceeded' })
  })
})

describe('webhooks with one address', () => {
  it('are at most three in an account, whatever their query', async () => {
    const { key } = await newAccount()
    const make = (url: string) => call('POST', '/v1/webhooks', { key, body: { url, events: ['*'] } })
    for (const query of ['', '?a=1', '?b=2'])
      expect((await make(`https://hooks.example.com/same${query}`)).status).toBe(201)
    expect((await make('https://hooks.example.com/same?c=3')).body).toMatchObject({
      reason: 'too_many_webhooks_of_url',
    })
    const other = await make('https://hooks.example.com/other')
    const moved = await call('PUT', `/v1/webhooks/${String(other.body['id'])}`, {
      key,
      body: { url: 'https://hooks.example.com/same' },
    })
    expect(moved.body).toMatchObject({ reason: 'too_many_webhooks_of_url' })
  })
})

describe('kept answers', () => {
  it('beyond the bytes of a day are not kept, and the request still happens only once', async () => {
    // The day does not end in the middle.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { key, account_id } = await newAccount({ tier: 'free' })
    const today = new Date().toISOString().slice(0, 10)
    await env.DB.prepare(
      'INSERT INTO account_usage (account_id, answer_day, answer_bytes) VALUES (?, ?, 20000000)',
    )
      .bind(account_id, today)
      .run()
    const headers = { 'Idempotency-Key': 'k' }
    const send = () => call('POST', '/v1/customers', { key, body: { name: 'Acme' }, headers })
    expect((await send()).status).toBe(201)
    expect((await send()).body).toMatchObject({ reason: 'idempotency_answer_not_kept' })
    expect(await total(key, '/v1/customers')).toBe(1)
  })

  it('are deleted after a day in slices, however many there are', async () => {
    const { account_id } = await newAccount()
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
       INSERT INTO idempotency_keys (account_id, key, method, path, request_hash, status, answer, created_at)
       SELECT ?1, i, 'POST', '/v1/customers', 'h', 201, '{}', '2026-01-01T00:00:00.000Z' FROM n`,
    )
      .bind(account_id)
      .run()
    await pruneIdempotencyKeys(env.DB, new Date())
    const left = await env.DB.prepare('SELECT count(*) AS n FROM idempotency_keys WHERE account_id = ?')
      .bind(account_id)
      .first('n')
    expect(left).toBe(0)
  })

  it('about a customer lose their text with the customer, by an index, and keep their keys', async () => {
    const { key, account_id } = await newAccount()
    const headers = { 'Idempotency-Key': 'k' }
    const made = await call('POST', '/v1/customers', { key, body: { name: 'Erased' }, headers })
    await call('POST', '/v1/customers', { key, body: { name: 'Kept' }, headers: { 'Idempotency-Key': 'l' } })
    await call('DELETE', `/v1/customers/${String(made.body['id'])}`, { key })
    const { results } = await env.DB.prepare(
      "SELECT key, answer = '' AS empty FROM idempotency_keys WHERE account_id = ? ORDER BY key",
    )
      .bind(account_id)
      .all()
    expect(results).toEqual([
      { key: 'k', empty: 1 },
      { key: 'l', empty: 0 },
    ])
    const plan = await env.DB.prepare(
      'EXPLAIN QUERY PLAN DELETE FROM idempotency_keys WHERE account_id = ? AND customer_id = ?',
    )
      .bind('a', 'c')
      .all<{ detail: string }>()
    expect(plan.results.map(({ detail }) => detail).join()).toContain('idempotency_keys_of_customer')
  })
})
