import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { applyFacts } from '../../src/tax-data/records/apply-facts.ts'
import { readFactsOf } from '../../src/tax-data/records/store.ts'
import { loadTestData, request, testFacts, testKey } from '../support/service-data.ts'
import { forgetAll } from '../../src/platform/kit/memory.ts'

const SALE = {
  currency: 'EUR',
  transaction_date: '2026-06-15',
  seller: { country: 'DE', registrations: ['oss_union'] },
  customer: { address: { country: 'FR' } },
  line_items: [{ amount: 1999, product_type: 'saas' }],
}

let key = ''
beforeAll(async () => {
  await loadTestData()
  key = await testKey('First call')
})

describe('POST /v1/calculate', () => {
  it('answers with the tax of the customer’s country', async () => {
    const { status, body } = await request(key, 'POST', '/v1/calculate', SALE)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      jurisdiction_id: 'FR',
      subtotal: 1999,
      tax_amount: 400,
      total: 2399,
      tax_rate: 0.2,
    })
    expect(body['queried_at']).toMatch(/Z$/)
  })

  it('goes on answering from memory while KV and D1 hold nothing', async () => {
    await request(key, 'POST', '/v1/calculate', SALE)
    await env.KV.delete('ratebook5:current')
    expect((await request(key, 'POST', '/v1/calculate', SALE)).status).toBe(200)
    forgetAll()
    expect((await request(key, 'POST', '/v1/calculate', SALE)).body).toMatchObject({ tax_amount: 400 })
  })

  it.each([
    ['an unknown field', { ...SALE, ammount: 1 }, 'ammount'],
    [
      'an unknown product',
      { ...SALE, line_items: [{ amount: 1, product_type: 'magic' }] },
      'line_items[0].product_type',
    ],
    [
      'a fraction of a cent',
      { ...SALE, line_items: [{ amount: 1.5, product_type: 'saas' }] },
      'line_items[0].amount',
    ],
    [
      'a huge amount',
      { ...SALE, line_items: [{ amount: 1e15 + 1, product_type: 'saas' }] },
      'line_items[0].amount',
    ],
    ['no lines', { ...SALE, line_items: [] }, 'line_items'],
    ['a day that does not exist', { ...SALE, transaction_date: '2026-02-30' }, 'transaction_date'],
    ['a day before the data', { ...SALE, transaction_date: '1900-01-01' }, 'transaction_date'],
    ['an unknown country', { ...SALE, customer: { address: { country: 'XX' } } }, 'customer.address.country'],
    ['a missing state', { ...SALE, customer: { address: { country: 'US' } } }, 'customer.address.region'],
    [
      'a state that its ZIP contradicts',
      { ...SALE, customer: { address: { country: 'US', region: 'TX', postal_code: '10001' } } },
      'customer.address.postal_code',
    ],
    [
      'a discount above its line',
      { ...SALE, line_items: [{ amount: 100, discount: 101, product_type: 'saas' }] },
      'line_items[0].discount',
    ],
  ])('refuses %s and names the field', async (_name, body, path) => {
    const answer = await request(key, 'POST', '/v1/calculate', body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error_code: 'VALIDATION_ERROR', errors: [{ path }] })
  })

  it.each([
    ['malformed JSON', '{', 'invalid_json'],
    ['deep nesting', `${'['.repeat(40)}${']'.repeat(40)}`, 'nesting_too_deep'],
    ['a body over 1 MiB', ' '.repeat(1_048_577), 'body_too_large'],
  ])('refuses %s', async (_name, body, reason) => {
    const answer = await request(key, 'POST', '/v1/calculate', body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error_code: 'VALIDATION_ERROR', reason })
  })

  it('gives each calculation of a batch its own answer', async () => {
    const { status, body } = await request(key, 'POST', '/v1/calculate/batch', {
      calculations: [SALE, { ...SALE, currency: 'XXXX' }],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      summary: { total: 2, succeeded: 1, failed: 1 },
      results: [
        { index: 0, success: true },
        { index: 1, success: false },
      ],
    })
  })
})

describe('the rules behind it', () => {
  it('lists the federal tax with a province’s own', async () => {
    const { body } = await request(key, 'GET', '/v1/rates?jurisdiction=CA-QC&date=2026-06-15')
    expect(body).toMatchObject({ combined_rate: 0.14975 })
  })

  it('answers NOT_FOUND for a jurisdiction that does not exist', async () => {
    const { status, body } = await request(key, 'GET', '/v1/rates?jurisdiction=ZZ')
    expect(status).toBe(404)
    expect(body).toMatchObject({ error_code: 'NOT_FOUND', reason: 'invalid_jurisdiction' })
  })

  it('tells the threshold of a state', async () => {
    const { body } = await request(key, 'GET', '/v1/thresholds?jurisdiction=US-CA&date=2026-06-15')
    expect(body).toMatchObject({ total: 1, thresholds: [{ amount: 50_000_000, currency: 'USD' }] })
  })

  it('decides that a seller over the threshold must register', async () => {
    const sales = { amount: 50_000_001, currency: 'USD', transaction_count: 10 }
    const { body } = await request(key, 'POST', '/v1/decision/collect', {
      jurisdiction_id: 'US-CA',
      seller: { country: 'US', region: 'NY', registrations: [] },
      sales,
    })
    expect(body).toMatchObject({ reason: 'threshold_exceeded', must_register: true, collect: false })
  })

  it('names the field of a jurisdiction that there is not', async () => {
    const { status, body } = await request(key, 'POST', '/v1/decision/collect', { jurisdiction_id: 'ZZ' })
    expect({ status, body }).toMatchObject({
      status: 404,
      body: { reason: 'invalid_jurisdiction', errors: [{ path: 'jurisdiction_id' }] },
    })
  })
})

describe('the data behind them', () => {
  it('is not changed by loading it again', async () => {
    expect(await applyFacts(env.DB, testFacts(), new Date('2026-11-21T00:00:00Z'), 'again')).toMatchObject({
      version: null,
      added: 0,
      changed: 0,
    })
  })

  it('keeps what a correction supersedes, for replay', async () => {
    const before = await readFactsOf(env.DB, null)
    if (before === null) throw new Error('no data')
    const rates = before.rates.map((rate) =>
      rate.jurisdiction_id === 'FR' && rate.category === 'standard'
        ? { ...rate, rate_millionths: 210_000 }
        : rate,
    )
    const applied = await applyFacts(
      env.DB,
      { ...before, rates },
      new Date('2026-11-22T00:00:00Z'),
      'correction',
    )
    expect(applied.changed).toBeGreaterThan(0)
    expect((await readFactsOf(env.DB, before.version))?.rates.toSorted(byId)).toEqual(
      before.rates.toSorted(byId),
    )
    expect(
      (await readFactsOf(env.DB, applied.version))?.rates.find(
        (rate) => rate.jurisdiction_id === 'FR' && rate.category === 'standard',
      )?.rate_millionths,
    ).toBe(210_000)
    const replayed = await request(key, 'POST', '/v1/calculate', { ...SALE, data_version: before.version })
    expect(replayed.body).toMatchObject({ tax_amount: 400 })
  })
})

function byId(a: { id: string }, b: { id: string }): number {
  return a.id.localeCompare(b.id)
}
