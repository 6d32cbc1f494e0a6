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
