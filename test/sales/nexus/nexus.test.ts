import { keepAccountsIn } from '../../support/shards.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../transactions/sales.ts'

const { books } = keepAccountsIn(2)

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
  await loadTestData()
})
afterEach(() => vi.useRealTimers())

const sale = (region: string, amount: number, date: string, more: object = {}) => ({
  customer: { address: { country: 'US', region } },
  currency: 'USD',
  transaction_date: date,
  line_items: [{ amount, product_type: 'physical_goods' }],
  ...more,
})

type Exposure = Record<string, unknown> & { jurisdiction_id: string }
const nexus = async (key: string) =>
  (await call('GET', '/v1/nexus', { key })).body['jurisdictions'] as Exposure[]
const exposureOf = async (key: string, id: string) =>
  (await nexus(key)).find((each) => each.jurisdiction_id === id)

async function seller(profile: object): Promise<string> {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: profile })
  return key
}

function largeTotal(account_id: string, product_type: string): D1PreparedStatement {
  return books
    .prepare(
      `INSERT INTO tax_totals (account_id, span, period, sold_in, jurisdiction_id, place_of_supply, scheme,
       currency, product_type, tax_rate, reason, transactions, net_amount)
     VALUES (?, 'month', '2026-01', '2026-01', 'US-WA', 'US-WA', '', 'USD', ?, 0, '', 1, 9000000000000000)`,
    )
    .bind(account_id, product_type)
}

describe('GET /v1/nexus', () => {
  it('is empty without sales', async () => {
    expect(await nexus(await seller({ country: 'US', region: 'TX' }))).toEqual([])
  })

  it('measures by the year, and shows the day on which the threshold was passed', async () => {
    const key = await seller({ country: 'US', region: 'TX' })
    await created(key, sale('WA', 6_000_000, '2026-02-03'))
    await created(key, sale('WA', 3_900_000, '2026-05-06'))
    expect(await exposureOf(key, 'US-WA')).toMatchObject({
      status: 'approaching',
      registered: false,
      progress: { amount: 9_900_000, currency: 'USD', transaction_count: 2, ratio: 0.99 },
      measured_from: '2026-01-01',
      measured_to: '2026-11-21',
      exceeded_on: null,
      // 99 % in 325 days: 4 days later.
      exceeded_on_at_pace: '2026-11-25',
    })
    await created(key, sale('WA', 100_001, '2026-08-14T18:00:00Z'))
    await created(key, sale('WA', 100, '2026-09-01'))
    expect(await exposureOf(key, 'US-WA')).toMatchObject({
      status: 'exceeded',
      exceeded_on: '2026-08-14',
      exceeded_on_at_pace: null,
      progress: { amount: 10_000_101 },
    })
  })

  it('also counts the year before if the law does', async () => {
    const key = await seller({ country: 'US', region: 'TX' })
    await created(key, sale('WA', 10_000_001, '2025-03-01'))
    expect(await exposureOf(key, 'US-WA')).toMatchObject({
      status: 'exceeded',
      exceeded_on: '2025-03-01',
      measured_to: '2025-12-31',
    })
  })

  it('shows what the running year will oblige to, and from when, if the law looks at the year before', async () => {
    const key = await seller({ country: 'US', region: 'TX' })
    await created(key, sale('AL', 30_000_000, '2026-03-01'))
    await created(key, sale('PA', 9_000_000, '2026-03-01'))
    await created(key, sale('FL', 10_000_100, '2025-03-01'))
    await created(key, sale('WA', 9_900_000, '2026-03-01'))
    const shown = await nexus(key)
    expect(shown.map(({ jurisdiction_id }) => jurisdiction_id)).toEqual(['US-AL', 'US-FL', 'US-WA', 'US-PA'])
    expect(shown[0]).toMatchObject({
      status: 'below',
      progress: { amount: 0, transaction_count: 0, ratio: 0 },
      measured_from: '2025-01-01',
      measured_to: '2025-12-31',
      exceeded_on: null,
      next_period: {
        status: 'exceeded',
        progress: { amount: 30_000_000, currency: 'USD', transaction_count: 1, ratio: 1.2 },
        measured_from: '2026-01-01',
        measured_to: '2026-11-21',
        obliges_from: '2027-01-01',
      },
    })
    expect(shown[1]).toMatchObject({ status: 'exceeded', next_period: null })
    expect(shown[2]).toMatchObject({ status: 'approaching', next_period: null })
    expect(shown[3]).toMatchObject({
      status: 'below',
      next_period: { status: 'approaching', obliges_from: '2027-04-01' },
    })
    const asked = { key, body: { jurisdiction_id: 'US-AL' } }
    const decided = await call('POST', '/v1/decision/collect', asked)
    expect(decided.body).toMatchObject({ collect: false, must_register: false, reason: 'below_threshold' })
  })

  it('shows the first day of passing if both periods have one', async () => {
    const key = await seller({ country: 'US', region: 'TX' })
    await created(key, sale('WA', 10_000_001, '2025-03-01'))
    await created(key, sale('WA', 90_000_000, '2026-03-01'))
    expect(await exposureOf(key, 'US-WA')).toMatchObject({
      exceeded_on: '2025-03-01',
      progress: { amount: 10_000_001 },
    })
  })

  it('counts transactions if one test is enough, and needs both tests if the law does', async () => {
    const key = await seller({ country: 'US', region: 'TX' })
    const many = (region: string, count: number, amount: number) =>
      Array.from({ length: count }, () => sale(region, amount, '2026-08-01'))
    for (let batch = 0; batch < 4; batch += 1)
      await call('POST', '/v1/transactions/batch', { key, body: { transactions: many('GA', 50, 100) } })
    expect(await exposureOf(key, 'US-GA')).toMatchObject({
      status: 'exceeded',
      progress: { transaction_count: 200, ratio: 1 },
    })
    await created(key, sale('NY', 60_000_000, '2026-08-01'))
    expect(await exposureOf(key, 'US-NY')).toMatchObject({
      status: 'below',
      progress: { transaction_count: 1, ratio: 0.01 },
    })
  })

  it('counts only goods or only taxable sales if the law does', async () => {
    const key = await seller({ country: 'US', region: 'TX' })
    await created(key, sale('CA', 40_000_000, '2026-03-01'))
    await created(
      key,
      sale('CA', 40_000_000, '2026-03-01', { line_items: [{ amount: 40_000_000, product_type: 'saas' }] }),
    )
    expect(await exposureOf(key, 'US-CA')).toMatchObject({
      status: 'below',
      progress: { amount: 40_000_000 },
    })
    await created(key, sale('OK', 8_000_000, '2026-03-01'))
    await created(
      key,
      sale('OK', 8_000_000, '2026-03-01', {
        line_items: [{ amount: 8_000_000, product_type: 'prescription_drugs' }],
      }),
    )
    expect(await exposureOf(key, 'US-OK')).toMatchObject({ status: 'below', progress: { amount: 8_000_000 } })
  })

  it('does not subtract refunds or count pending transactions', async () => {
    const key = await seller({ country: 'US', region: 'TX' })
    const id = await created(key, sale('WA', 9_000_000, '2026-02-03'))
    await created(key, sale('WA', 9_000_000, '2026-02-03', { status: 'pending' }))
    await call('POST', `/v1/transactions/${id}/refund`, {
      key,
      body: { amount: 9_000_000, reason: 'returned' },
    })
    expect(await exposureOf(key, 'US-WA')).toMatchObject({
      progress: { amount: 9_000_000, transaction_count: 1 },
    })
  })

  it('leaves out a jurisdiction if the period has only refunds of older sales', async () => {
    const key = await seller({ country: 'US', region: 'TX' })
    const id = await created(key, sale('WA', 9_000_000, '2024-02-03'))
    await call('POST', `/v1/transactions/${id}/refund`, {
      key,
      body: { amount: 9_000_000, reason: 'returned' },
    })
    expect(await nexus(key)).toEqual([])
  })

  it('counts exports for a Canadian seller, and only sales into Canada for a foreign seller', async () => {
    const toCanada = {
      ...sale('ON', 100_000, '2026-11-02'),
      customer: { address: { country: 'CA', region: 'ON' } },
      currency: 'CAD',
    }
    const toTexas = { ...sale('TX', 4_000_000, '2026-11-03'), currency: 'CAD' }
    const canadian = await seller({ country: 'CA', region: 'AB' })
    await created(canadian, toCanada)
    await created(canadian, toTexas)
    expect(await exposureOf(canadian, 'CA')).toMatchObject({
      exceeded_on: '2026-11-03',
      progress: { amount: 4_100_000, transaction_count: 2 },
    })
    expect(await exposureOf(canadian, 'US-TX')).toMatchObject({
      status: 'below',
      progress: { transaction_count: 1, currency: 'USD' },
    })
    const foreign = await seller({ country: 'US', region: 'NY' })
    await created(foreign, toCanada)
    await created(foreign, toTexas)
    expect(await exposureOf(foreign, 'CA')).toMatchObject({
      status: 'below',
      progress: { amount: 100_000, transaction_count: 1 },
    })
  })

  it('counts goods from abroad towards the threshold of the state that they are exported to', async () => {
    const key = await seller({ country: 'DE' })
    await created(key, sale('TX', 30_000_000, '2026-02-03'))
    await created(key, sale('TX', 20_000_001, '2026-05-06'))
    await created(key, sale('WA', 100, '2026-05-06'))
    expect(await exposureOf(key, 'US-TX')).toMatchObject({
      status: 'exceeded',
      exceeded_on: '2026-05-06',
      registered: false,
      progress: { amount: 50_000_001, transaction_count: 2 },
    })
    expect(await exposureOf(key, 'US-WA')).toMatchObject({
      status: 'below',
      progress: { amount: 100, transaction_count: 1 },
    })
    const decided = await call('POST', '/v1/decision/collect', { key, body: { jurisdiction_id: 'US-TX' } })
    expect(decided.body).toMatchObject({ must_register: true, progress: { amount: 50_000_001 } })
  })

  it('counts an invoice of another system that states no tax on an export', async () => {
    const key = await seller({ country: 'GB' })
    const line_items = [{ amount: 9_000_000, product_type: 'physical_goods', tax_amount: 0, tax_rate: 0 }]
    await created(key, sale('WA', 0, '2026-02-03', { line_items }))
    expect(await exposureOf(key, 'US-WA')).toMatchObject({
      status: 'approaching',
      progress: { amount: 9_000_000 },
    })
  })

  it('refuses sums that are too large to be exact', async () => {
    const { key, account_id } = await newAccount()
    await call('PUT', '/v1/account', { key, body: { country: 'US', region: 'TX' } })
    // The sum of each product is exact, but the sum of both is not.
    await books.batch(['saas', 'physical_goods'].map((product_type) => largeTotal(account_id, product_type)))
    const refused = { status: 400, body: { reason: 'amount_out_of_range' } }
    expect(await call('GET', '/v1/nexus', { key })).toMatchObject(refused)
    expect(
      await call('POST', '/v1/decision/collect', { key, body: { jurisdiction_id: 'US-WA' } }),
    ).toMatchObject(refused)
  })

  it('compares other currencies at indicative rates and says so', async () => {
    const key = await seller({ country: 'US', region: 'TX' })
    await created(key, sale('WA', 1_000_000, '2026-02-03', { currency: 'EUR' }))
    const exposure = await exposureOf(key, 'US-WA')
    expect(exposure?.['notes']).toEqual([expect.stringContaining('indicative')])
    expect(exposure?.['progress']).toMatchObject({ currency: 'USD' })
  })

  it('adds up sales to consumers in all other member states', async () => {
    const key = await seller({ country: 'DE' })
    const to = (country: string, amount: number) => ({
      ...sale('', amount, '2026-03-01'),
      customer: { address: { country } },
      currency: 'EUR',
    })
    await created(key, to('FR', 500_000))
    await created(key, to('IT', 500_001))
    await created(key, to('DE', 900_000))
    expect(await exposureOf(key, 'EU')).toMatchObject({
      status: 'exceeded',
      progress: { amount: 1_000_001, currency: 'EUR' },
      registered: false,
    })
  })

  it('shows nothing of another account', async () => {
    const key = await seller({ country: 'US', region: 'TX' })
    await created(key, sale('WA', 9_000_000, '2026-02-03'))
    expect(await nexus(await seller({ country: 'US', region: 'TX' }))).toEqual([])
  })
})

describe('POST /v1/decision/collect without sales', () => {
  it('counts the recorded sales of the account', async () => {
    const key = await seller({ country: 'US', region: 'TX' })
    const decide = async () =>
      (await call('POST', '/v1/decision/collect', { key, body: { jurisdiction_id: 'US-WA' } })).body
    expect(await decide()).toMatchObject({
      reason: 'below_threshold',
      progress: { amount: 0, transaction_count: 0, ratio: 0 },
    })
    await created(key, sale('WA', 9_000_000, '2026-02-03'))
    expect(await decide()).toMatchObject({
      reason: 'approaching_threshold',
      must_register: false,
      progress: { amount: 9_000_000, transaction_count: 1, ratio: 0.9 },
    })
    await created(key, sale('WA', 1_000_001, '2026-02-04'))
    expect(await decide()).toMatchObject({
      reason: 'threshold_exceeded',
      must_register: true,
      collect: false,
    })
  })
})
