import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
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
    [null, 'depends_on_turnover'],
    [{ amount: 9_000_000, currency: 'CHF' }, 'approaching'],
    [{ amount: 10_000_000, currency: 'CHF' }, 'exceeded'],
    [{ amount: 20_000_000, currency: 'USD' }, 'exceeded'],
  ])('asks Switzerland with a turnover of %j: %s', async (global_turnover, status) => {
    const key = await sellerOfTexas({ global_turnover })
    await sells(key, 'CH', 'CHF', 100)
    const shown = await exposureOf(key, 'CH')
    expect(shown?.status).toBe(status)
    expect(shown?.notes.join().includes('worldwide turnover')).toBe(global_turnover === null)
  })

  it('knows no share of a threshold while the worldwide turnover is unknown, and alarms nobody', async () => {
    const key = await sellerOfTexas()
    await sells(key, 'CH', 'CHF', 15_519)
    await sells(key, 'DE', 'CHF', 40_000)
    expect(await exposureOf(key, 'CH')).toMatchObject({
      status: 'depends_on_turnover',
      progress: { amount: 15_519, ratio: null },
      exceeded_on_at_pace: null,
      worldwide_turnover: { currency: 'CHF', stated: null, recorded: 55_519 },
      notes: [
        'The seller must register in Switzerland if its worldwide turnover is CHF 100,000.00 or more. ' +
          'This turnover is unknown. Send it in seller.global_turnover',
      ],
    })
    const { body } = await call('GET', '/v1/overview', { key })
    expect(body['nexus']).toEqual({ exceeded: 0, approaching: 0, first: [] })
  })

  it('needs no stated turnover once the recorded sales worldwide pass the limit', async () => {
    const key = await sellerOfTexas()
    await sells(key, 'CH', 'CHF', 100)
    await sells(key, 'DE', 'CHF', 9_999_800)
    expect(await exposureOf(key, 'CH')).toMatchObject({ status: 'depends_on_turnover' })
    await sells(key, 'DE', 'CHF', 100)
    expect(await exposureOf(key, 'CH')).toMatchObject({
      status: 'exceeded',
      exceeded_on: '2026-10-05',
      nexus_since: '2026-10-05',
      uncollected_tax: [{ currency: 'CHF', taxable_amount: 100, tax_amount: 8 }],
      notes: [],
    })
  })

  it('names the day of the first sale if the stated turnover is over the limit', async () => {
    const key = await sellerOfTexas({ global_turnover: { amount: 10_000_000, currency: 'CHF' } })
    await sells(key, 'CH', 'CHF', 100)
    expect(await exposureOf(key, 'CH')).toMatchObject({
      exceeded_on: '2026-10-05',
      worldwide_turnover: { stated: 10_000_000, recorded: 100 },
    })
  })
})

describe('the places of GET /v1/nexus that no threshold measures', () => {
  const unmonitored = async (key: string) => (await call('GET', '/v1/nexus', { key })).body['not_monitored']

  it('are named with their sales and why, until the seller registers there', async () => {
    const key = await sellerOfTexas()
    expect(await unmonitored(key)).toEqual([])
    await sells(key, 'GB', 'GBP', 50_000)
    await sells(key, 'GB', 'GBP', 20_000)
    await sells(key, 'GB', 'USD', 10_000)
    await sells(key, 'BR', 'USD', 30_000)
    await sells(key, 'NO', 'NOK', 100)
    const days = { measured_from: '2025-11-22', measured_to: '2026-11-21' }
    const brazil = {
      jurisdiction_id: 'BR',
      jurisdiction_name: 'Brazil',
      why: 'not_covered',
      ...days,
      transaction_count: 1,
      sums: [{ currency: 'USD', net_amount: 30_000, tax_amount: 0 }],
    }
    const britain = {
      jurisdiction_id: 'GB',
      jurisdiction_name: 'United Kingdom',
      why: 'no_threshold',
      ...days,
      transaction_count: 3,
      sums: [
        { currency: 'GBP', net_amount: 70_000, tax_amount: 0 },
        { currency: 'USD', net_amount: 10_000, tax_amount: 0 },
      ],
    }
    expect(await unmonitored(key)).toEqual([britain, brazil])
    await call('POST', '/v1/registrations', {
      key,
      body: { jurisdiction_id: 'GB', valid_from: '2026-01-01' },
    })
    expect(await unmonitored(key)).toEqual([brazil])
  })

  it('are neither the own state, nor those without the tax, nor those where the customer accounts', async () => {
    const key = await sellerOfTexas()
    for (const region of ['TX', 'OR', 'WA'])
      await created(key, {
        customer: { address: { country: 'US', region } },
        currency: 'USD',
        transaction_date: '2026-10-05',
        line_items: [{ amount: 5_000, product_type: 'physical_goods' }],
      })
    await sells(key, 'GB', 'GBP', 50_000, { type: 'business', vat_id: 'GB123456782' })
    expect(await unmonitored(key)).toEqual([])
  })

  it('are those of exports, too, and those whose threshold looks at another year', async () => {
    const { key } = await newAccount()
    await call('PUT', '/v1/account', { key, body: { country: 'DE' } })
    await sells(key, 'JP', 'EUR', 7_000)
    await created(key, {
      customer: { address: { country: 'BR' } },
      currency: 'EUR',
      transaction_date: '2026-10-05',
      line_items: [{ amount: 9_000, product_type: 'physical_goods' }],
    })
    expect(await unmonitored(key)).toMatchObject([
      { jurisdiction_id: 'BR', why: 'not_covered', sums: [{ currency: 'EUR', net_amount: 9_000 }] },
      { jurisdiction_id: 'JP', why: 'later_period', sums: [{ currency: 'EUR', net_amount: 7_000 }] },
    ])
  })

  it.each([
    ['physical_goods', 'DE', 'union_threshold'],
    ['accommodation', 'DE', 'no_threshold'],
    ['physical_goods', null, 'seller_unknown'],
  ])('tell why %s of a seller in %s without tax are not measured: %s', async (product_type, country, why) => {
    const { key } = await newAccount()
    if (country !== null) await call('PUT', '/v1/account', { key, body: { country } })
    await created(key, {
      customer: { address: { country: 'FR' } },
      jurisdiction_id: 'FR',
      currency: 'EUR',
      transaction_date: '2026-10-05',
      line_items: [{ amount: 9_000, product_type, tax_amount: 0 }],
    })
    expect(await unmonitored(key)).toMatchObject([{ jurisdiction_id: 'FR', why }])
    const body = { jurisdiction_id: 'FR', valid_from: '2026-01-01' }
    await call('POST', '/v1/registrations', { key, body })
    expect(await unmonitored(key)).toEqual([])
  })

  it('are nothing of another account', async () => {
    const key = await sellerOfTexas()
    await sells(await sellerOfTexas(), 'BR', 'USD', 30_000)
    expect(await unmonitored(key)).toEqual([])
  })
})

describe('the tax that was not collected over a threshold', () => {
  const sellsTo = (key: string, region: string, product_type: string, amount: number, day = '2026-10-05') =>
    created(key, {
      customer: { address: { country: 'US', region } },
      currency: 'USD',
      transaction_date: day,
      line_items: [{ amount, product_type }],
    })
  const estimateOf = async (key: string, id: string) =>
    ((await call('GET', '/v1/nexus', { key })).body['jurisdictions'] as Record<string, unknown>[]).find(
      ({ jurisdiction_id }) => jurisdiction_id === id,
    )?.['uncollected_tax']

  it('is estimated from its taxable sales at the rate of the state, until the seller registers', async () => {
    const key = await sellerOfTexas()
    await sellsTo(key, 'WA', 'physical_goods', 9_000_000)
    expect(await estimateOf(key, 'US-WA')).toBeNull()
    await sellsTo(key, 'WA', 'physical_goods', 1_000_100)
    await sellsTo(key, 'WA', 'groceries', 50_000)
    expect(await estimateOf(key, 'US-WA')).toEqual([
      // 6.5 % of the goods: groceries are not taxed in Washington.
      { currency: 'USD', taxable_amount: 10_000_100, tax_amount: 650_007 },
    ])
    await call('POST', '/v1/registrations', {
      key,
      body: { jurisdiction_id: 'US-WA', valid_from: '2026-01-01' },
    })
    expect(await estimateOf(key, 'US-WA')).toBeNull()
  })

  it('is that of the sales from the day of passing on, because those before it bore no duty', async () => {
    const key = await sellerOfTexas()
    await sellsTo(key, 'WA', 'physical_goods', 9_990_000, '2026-03-05')
    await sellsTo(key, 'WA', 'physical_goods', 20_000, '2026-09-03')
    await sellsTo(key, 'WA', 'physical_goods', 4_000, '2026-11-20')
    expect(await exposureOf(key, 'US-WA')).toMatchObject({ exceeded_on: '2026-09-03' })
    expect(await estimateOf(key, 'US-WA')).toEqual([
      { currency: 'USD', taxable_amount: 24_000, tax_amount: 1_560 },
    ])
  })

  it('is left out where several authorities tax a sale', async () => {
    const key = await sellerOfTexas()
    await created(key, {
      customer: { address: { country: 'CA', region: 'ON' } },
      currency: 'CAD',
      transaction_date: '2026-10-05',
      line_items: [{ amount: 9_000_000, product_type: 'saas' }],
    })
    expect(await exposureOf(key, 'CA')).toMatchObject({ status: 'exceeded', uncollected_tax: null })
  })
})
