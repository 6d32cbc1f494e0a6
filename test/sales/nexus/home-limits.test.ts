import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { announceThresholds } from '../../../src/sales/nexus/announce-thresholds.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

const { books } = keepAccountsIn(1)

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
  await loadTestData()
})
afterEach(() => vi.useRealTimers())

/** The small business of a country, and how it sells there. */
async function smallBusiness(country: string, currency: string, profile: object = {}) {
  const { key, account_id } = await newAccount({ tier: 'enterprise' })
  await call('PUT', '/v1/account', {
    key,
    body: { country, small_business: true, time_zone: 'UTC', ...profile },
  })
  const sell = async (amount: number, day: string, product_type = 'physical_goods', to = country) => {
    const body = {
      currency,
      transaction_date: day,
      customer: { address: { country: to } },
      line_items: [{ amount, product_type }],
    }
    const sale = await call('POST', '/v1/transactions', { key, body })
    expect(sale.status, sale.text).toBe(201)
  }
  const limits = async () =>
    (await call('GET', '/v1/nexus', { key })).body['home_limits'] as Record<string, unknown>[]
  return { key, account_id, sell, limits }
}

const told = async (account_id: string) =>
  (
    await books
      .prepare(
        `SELECT type, data FROM events WHERE owner_account_id = ? AND type LIKE 'threshold.%' ORDER BY id`,
      )
      .bind(account_id)
      .all<{ type: string; data: string }>()
  ).results.map(({ type, data }) => ({ type, ...(JSON.parse(data) as object) }))

const night = async () => announceThresholds(env, shardOf(env, 1), new Date())

describe('the limits of a small business at home', () => {
  it('are those of the year before and of the running year in Germany', async () => {
    const { sell, limits } = await smallBusiness('DE', 'EUR')
    await sell(2_400_000, '2025-05-05')
    await sell(2_000_000, '2026-02-02')
    await sell(700_000, '2026-03-03', 'saas')
    expect(await limits()).toMatchObject([
      {
        jurisdiction_id: 'DE',
        status: 'approaching',
        registered: false,
        threshold: { amount: 2_500_000, source: expect.any(String) },
        progress: { amount: 2_400_000, ratio: 0.96 },
        measured_from: '2025-01-01',
        exceeded_on: null,
        next_period: { status: 'exceeded', progress: { amount: 2_700_000 }, obliges_from: '2027-01-01' },
        uncollected_tax: null,
      },
      {
        status: 'below',
        threshold: { amount: 10_000_000 },
        progress: { amount: 2_700_000 },
        measured_from: '2026-01-01',
      },
    ])
  })

  it('tell the day on which each was passed', async () => {
    const { sell, limits } = await smallBusiness('DE', 'EUR')
    await sell(2_600_000, '2025-06-01')
    await sell(9_900_000, '2026-02-02')
    await sell(200_000, '2026-10-03')
    expect(await limits()).toMatchObject([
      { status: 'exceeded', exceeded_on: '2025-06-01' },
      { status: 'exceeded', exceeded_on: '2026-10-03' },
    ])
  })

  it('count services apart in France, and by the share of goods in Ireland', async () => {
    const french = await smallBusiness('FR', 'EUR')
    await french.sell(6_000_000, '2025-05-05')
    await french.sell(3_000_000, '2025-05-05', 'professional_services')
    expect(await french.limits()).toMatchObject([
      { status: 'exceeded', threshold: { amount: 8_500_000 }, progress: { amount: 9_000_000 } },
      { status: 'below', threshold: { amount: 3_750_000 }, progress: { amount: 3_000_000 } },
    ])
    // Lodging and meals on the spot count with goods (CGI, art. 293 B).
    const innkeeper = await smallBusiness('FR', 'EUR')
    await innkeeper.sell(4_000_000, '2025-05-05', 'accommodation')
    await innkeeper.sell(1_000_000, '2025-05-05', 'prepared_food')
    await innkeeper.sell(1_000_000, '2025-05-05', 'professional_services')
    expect(await innkeeper.limits()).toMatchObject([
      { status: 'below', threshold: { amount: 8_500_000 }, progress: { amount: 6_000_000 } },
      { status: 'below', threshold: { amount: 3_750_000 }, progress: { amount: 1_000_000 } },
    ])
    const irish = await smallBusiness('IE', 'EUR')
    await irish.sell(4_000_000, '2026-05-05')
    await irish.sell(400_000, '2026-05-05', 'professional_services')
    expect(await irish.limits()).toMatchObject([
      { status: 'below', threshold: { amount: 8_500_000 }, progress: { amount: 4_400_000 } },
    ])
    await irish.sell(100_000, '2026-06-05', 'professional_services')
    expect(await irish.limits()).toMatchObject([
      { status: 'exceeded', threshold: { amount: 4_250_000 }, exceeded_on: '2026-05-05' },
    ])
  })

  it('take the share of goods in Ireland in one currency', async () => {
    const { key, sell, limits } = await smallBusiness('IE', 'EUR')
    await sell(4_000_000, '2026-05-05')
    // About 3,400 EUR, a twelfth of the turnover.
    const inYen = {
      currency: 'JPY',
      transaction_date: '2026-05-05',
      customer: { address: { country: 'IE' } },
      line_items: [{ amount: 600_000, product_type: 'professional_services' }],
    }
    expect((await call('POST', '/v1/transactions', { key, body: inYen })).status).toBe(201)
    expect(await limits()).toMatchObject([{ status: 'below', threshold: { amount: 8_500_000 } }])
  })

  it('count no sale that is taxed abroad, and are of no account that charges tax', async () => {
    const { sell, limits } = await smallBusiness('GB', 'GBP')
    await sell(8_000_000, '2026-05-05')
    await sell(8_000_000, '2026-05-05', 'professional_services', 'CH')
    expect(await limits()).toMatchObject([{ status: 'approaching', progress: { amount: 8_000_000 } }])
    const taxed = await smallBusiness('GB', 'GBP', { small_business: false })
    await taxed.sell(8_000_000, '2026-05-05')
    expect(await taxed.limits()).toEqual([])
  })

  it('are announced once when they are near, and once when they are passed', async () => {
    const { account_id, sell } = await smallBusiness('DE', 'EUR')
    await sell(8_600_000, '2026-11-20')
    await night()
    await night()
    const near = {
      type: 'threshold.approaching',
      jurisdiction_id: 'DE',
      threshold_type: 'VAT_REGISTRATION',
      threshold_amount: 10_000_000,
      amount: 8_600_000,
      measured_from: '2026-01-01',
    }
    expect(await told(account_id)).toMatchObject([near])
    vi.setSystemTime(new Date('2026-11-21T13:00:00Z'))
    await sell(1_500_000, '2026-11-21')
    await night()
    expect(await told(account_id)).toMatchObject([
      near,
      { type: 'threshold.exceeded', jurisdiction_id: 'DE', amount: 10_100_000 },
    ])
  })
})
