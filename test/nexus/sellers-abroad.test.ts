import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { created } from '../transactions/sales.ts'

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
  await loadTestData()
})
afterEach(() => vi.useRealTimers())

async function sellerOfTexas(more: object = {}): Promise<string> {
  const { key } = await newAccount()
  const profile = { country: 'US', region: 'TX', ...more }
  expect((await call('PUT', '/v1/account', { key, body: profile })).status).toBe(200)
  return key
}

const sells = (key: string, country: string, currency: string, amount: number, more: object = {}) =>
  created(key, {
    customer: { address: { country }, ...more },
    currency,
    transaction_date: '2026-10-05',
    line_items: [{ amount, product_type: 'saas' }],
  })

async function exposureOf(key: string, id: string) {
  const { body } = await call('GET', '/v1/nexus', { key })
  const exposures = body['jurisdictions'] as { jurisdiction_id: string; status: string; notes: string[] }[]
  return exposures.find(({ jurisdiction_id }) => jurisdiction_id === id)
}

describe('GET /v1/nexus of a seller abroad', () => {
  it('measures sales to consumers in Norway', async () => {
    const key = await sellerOfTexas()
    await sells(key, 'NO', 'NOK', 4_900_000)
    expect(await exposureOf(key, 'NO')).toMatchObject({ status: 'approaching' })
    await sells(key, 'NO', 'NOK', 100_001)
    expect(await exposureOf(key, 'NO')).toMatchObject({ status: 'exceeded' })
  })

  it('does not count sales for which the customer accounts', async () => {
    const key = await sellerOfTexas()
    await sells(key, 'NO', 'NOK', 9_000_000, { type: 'business', vat_id: '995525828MVA' })
    await sells(key, 'IN', 'INR', 9_000_000, { type: 'business', vat_id: '27AAPFU0939F1ZV' })
    expect(await exposureOf(key, 'NO')).toMatchObject({ status: 'below' })
    expect(await exposureOf(key, 'IN')).toMatchObject({ status: 'below' })
  })

  it('obliges from the first sale where there is no threshold', async () => {
    const key = await sellerOfTexas()
    await sells(key, 'AE', 'AED', 100)
    expect(await exposureOf(key, 'AE')).toMatchObject({ status: 'exceeded' })
  })

  it.each([
    [null, 'approaching'],
    [{ amount: 9_000_000, currency: 'CHF' }, 'approaching'],
    [{ amount: 10_000_000, currency: 'CHF' }, 'exceeded'],
    [{ amount: 20_000_000, currency: 'USD' }, 'exceeded'],
  ])('asks Switzerland with a turnover of %j: %s', async (global_turnover, status) => {
    const key = await sellerOfTexas({ global_turnover })
    await sells(key, 'CH', 'CHF', 100)
    const shown = await exposureOf(key, 'CH')
    expect(shown?.status).toBe(status)
    expect(shown?.notes.join().includes('turnover in all countries')).toBe(global_turnover === null)
  })
})
