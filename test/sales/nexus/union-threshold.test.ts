import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { runJobs } from '../../../src/service/jobs.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

await loadTestData()
const NIGHTLY = '17 3 * * *'

/** A German seller without the one-stop shop that sells books to France. */
async function sellerOf(amount: number): Promise<string> {
  const { key } = await newAccount({ tier: 'enterprise' })
  await call('PUT', '/v1/account', { key, body: { country: 'DE' } })
  const sale = await call('POST', '/v1/transactions', {
    key,
    body: {
      currency: 'EUR',
      transaction_date: '2026-11-01',
      customer: { address: { country: 'FR' } },
      line_items: [{ amount, product_type: 'physical_goods' }],
    },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  })
  expect(sale.status, sale.text).toBe(201)
  return key
}

const placeOf = async (key: string) => {
  const answer = await call('POST', '/v1/calculate', {
    key,
    body: {
      currency: 'EUR',
      customer: { address: { country: 'FR' } },
      line_items: [{ amount: 1_000, product_type: 'physical_goods' }],
    },
  })
  return answer.body['jurisdiction_id']
}

it('decides by the books whether the seller is over the threshold of distance sales', async () => {
  const [over, below] = await Promise.all([sellerOf(1_000_001), sellerOf(1_000_000)])
  expect(await placeOf(over)).toBe('DE')
  await runJobs(NIGHTLY, env, new Date('2026-11-22T03:17:00Z'))
  expect((await call('GET', '/v1/account', { key: over })).body['over_eu_threshold']).toBe(true)
  expect((await call('GET', '/v1/account', { key: below })).body['over_eu_threshold']).toBe(false)
  forgetAll()
  expect(await placeOf(over)).toBe('FR')
  expect(await placeOf(below)).toBe('DE')
})

it('counts goods and electronic services alone, and no goods into the own state of the seller', async () => {
  const { key } = await newAccount({ tier: 'enterprise' })
  const send = async (method: string, path: string, body: object) => {
    const answer = await call(method, path, { key, body })
    expect(answer.status, answer.text).toBeLessThan(300)
  }
  await send('PUT', '/v1/account', { country: 'DE', time_zone: 'UTC' })
  await send('POST', '/v1/registrations', { scheme: 'oss_union', valid_from: '2025-01-01' })
  const sell = (country: string, line: object, more: object = {}) =>
    send('POST', '/v1/transactions', {
      currency: 'EUR',
      transaction_date: '2026-11-01',
      customer: { address: { country } },
      line_items: [line],
      ...more,
    })
  const isOver = async () => {
    await runJobs(NIGHTLY, env, new Date('2026-11-22T03:17:00Z'))
    forgetAll()
    return (await call('GET', '/v1/account', { key })).body['over_eu_threshold']
  }
  const union = async () => {
    const { body } = await call('GET', '/v1/nexus', { key })
    return (body['jurisdictions'] as Record<string, unknown>[]).find(
      (each) => each['jurisdiction_id'] === 'EU',
    )
  }
  const goods = { amount: 1_500_000, product_type: 'physical_goods' }
  await sell('DE', goods, { ship_from: { country: 'FR' } })
  await sell('IT', { ...goods, product_type: 'event_admission' }, { supply_address: { country: 'IT' } })
  expect(await isOver()).toBe(false)
  expect(await union()).toBeUndefined()
  await sell('ES', { ...goods, amount: 600_000 }, { ship_from: { country: 'FR' } })
  expect(await isOver()).toBe(false)
  expect(await union()).toMatchObject({ progress: { amount: 600_000 }, notes: [] })
  await send('POST', '/v1/registrations', { jurisdiction_id: 'FR', valid_from: '2026-01-01' })
  await sell('IT', { amount: 400_001, product_type: 'saas' })
  expect(await isOver()).toBe(true)
  expect(await union()).toMatchObject({
    status: 'exceeded',
    progress: { amount: 1_000_001 },
    exceeded_on: '2026-11-01',
    notes: [expect.stringContaining('left stock in a member state')],
  })
})

it('keeps on the account that the seller is a small business', async () => {
  const { key } = await newAccount({ tier: 'enterprise' })
  await call('PUT', '/v1/account', { key, body: { country: 'DE', small_business: true } })
  const answer = await call('POST', '/v1/calculate', {
    key,
    body: {
      currency: 'EUR',
      customer: { address: { country: 'DE' } },
      line_items: [{ amount: 1_000, product_type: 'books' }],
    },
  })
  expect(answer.body).toMatchObject({ tax_amount: 0, line_items: [{ taxability_reason: 'small_business' }] })
})

it('registers the schemes of Canada for sellers from abroad', async () => {
  const { key } = await newAccount({ tier: 'enterprise' })
  const answer = await call('POST', '/v1/registrations', {
    key,
    body: { scheme: 'ca_simplified', valid_from: '2026-01-01' },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  })
  expect(answer.status, answer.text).toBe(201)
})
