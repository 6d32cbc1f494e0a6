import { beforeAll, describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../transactions/sales.ts'

let key = ''
beforeAll(async () => {
  await loadTestData()
  key = (await newAccount()).key
})

const decide = async (body: object, own = key) => call('POST', '/v1/decision/collect', { key: own, body })

describe('POST /v1/decision/collect', () => {
  it('compares recorded sales with the thresholds of the province and of Canada', async () => {
    const { key: own } = await newAccount()
    await call('PUT', '/v1/account', { key: own, body: { country: 'US', region: 'NY' } })
    await created(own, {
      customer: { address: { country: 'CA', region: 'ON' } },
      currency: 'CAD',
      transaction_date: '2026-06-01',
      line_items: [{ amount: 4_000_000, product_type: 'physical_goods' }],
    })
    for (const jurisdiction_id of ['CA-BC', 'CA-QC', 'CA-ON'])
      expect((await decide({ jurisdiction_id, date: '2026-06-15' }, own)).body).toMatchObject({
        reason: 'threshold_exceeded',
        must_register: true,
        threshold: { jurisdiction_id: 'CA' },
        progress: { amount: 4_000_000, currency: 'CAD', transaction_count: 1 },
      })
  })

  it('reports the recorded sales that it could not compare', async () => {
    const { key: own } = await newAccount()
    await call('PUT', '/v1/account', { key: own, body: { country: 'US', region: 'NY' } })
    await created(own, {
      customer: { address: { country: 'US', region: 'WA' } },
      currency: 'FKP',
      transaction_date: '2026-06-01',
      line_items: [{ amount: 90_000_000_000, product_type: 'physical_goods' }],
    })
    const { body } = await decide({ jurisdiction_id: 'US-WA', date: '2026-06-15' }, own)
    expect(body).toMatchObject({
      must_register: false,
      explanation: expect.stringContaining('Sales in FKP are not counted'),
    })
  })

  it('uses the price of goods from abroad', async () => {
    const question = {
      jurisdiction_id: 'AU',
      seller: { country: 'US', region: 'NY', registrations: ['AU'] },
      product_type: 'clothing',
    }
    expect((await decide({ ...question, amount: 500_000, currency: 'AUD' })).body).toMatchObject({
      collect: false,
      reason: 'not_subject_to_tax',
    })
    expect((await decide({ ...question, amount: 50_000, currency: 'AUD' })).body).toMatchObject({
      collect: true,
    })
  })

  it('refuses an amount without its currency', async () => {
    const { status, body } = await decide({ jurisdiction_id: 'AU', amount: 500_000 })
    expect(status).toBe(400)
    expect(body).toMatchObject({ reason: 'invalid_request', errors: [{ path: 'currency' }] })
  })

  it('asks for the state if only the United States are named', async () => {
    const { status, body } = await decide({ jurisdiction_id: 'US' })
    expect(status).toBe(400)
    expect(body).toMatchObject({ reason: 'region_required', errors: [{ path: 'jurisdiction_id' }] })
  })

  it('answers for Canada as a whole, because its GST needs one registration', async () => {
    const sales = { amount: 4_000_000, currency: 'CAD', transaction_count: 1 }
    const { body } = await decide({ jurisdiction_id: 'CA', seller: { country: 'US', region: 'NY' }, sales })
    expect(body).toMatchObject({ must_register: true, threshold: { jurisdiction_id: 'CA' } })
  })

  it('names its own field if the data does not reach back to the day', async () => {
    const { status, body } = await decide({ jurisdiction_id: 'CA-ON', date: '1999-01-01' })
    expect(status).toBe(400)
    expect(body).toMatchObject({ reason: 'no_rate_for_date', errors: [{ path: 'date' }] })
  })
})

describe('the registrations of the seller', () => {
  it('must be of existing countries, even if the data does not cover them', async () => {
    const ask = (registration: string) =>
      decide({ jurisdiction_id: 'FR', seller: { country: 'DE', registrations: [registration] } })
    expect((await ask('US-NYY')).body).toMatchObject({
      reason: 'unknown_jurisdiction',
      errors: [{ path: 'seller.registrations[0]' }],
    })
    expect((await ask('CH')).status).toBe(200)
  })
})

describe('GET /v1/rates for a product', () => {
  it('asks for the state if only the United States are named', async () => {
    const { status, body } = await call('GET', '/v1/rates?jurisdiction=US&product_type=saas', { key })
    expect(status).toBe(400)
    expect(body).toMatchObject({ reason: 'region_required', errors: [{ path: 'jurisdiction' }] })
  })

  it('names the last day of a rate that the law itself ends', async () => {
    const lodging = (date: string) =>
      call('GET', `/v1/rates?jurisdiction=CH&product_type=accommodation&date=${date}`, { key })
    expect((await lodging('2027-12-31')).body).toMatchObject({ combined_rate: 0.038 })
    const { status, body } = await lodging('2028-01-01')
    expect(status).toBe(400)
    expect(body).toMatchObject({ reason: 'no_rate_for_date' })
    expect(JSON.stringify(body)).toContain('2027-12-31')
  })

  it('names its own field if the data does not reach back to the day', async () => {
    const { status, body } = await call(
      'GET',
      '/v1/rates?jurisdiction=CA-ON&product_type=saas&date=1999-01-01',
      { key },
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({ reason: 'no_rate_for_date', errors: [{ path: 'date' }] })
  })

  it.each([
    ['GB', 'books', 0, ['zero']],
    ['GB', 'saas', 0.2, ['standard']],
    ['FR', 'books', 0.055, ['reduced']],
  ])(
    'lists the record that the product goes by: %s, %s',
    async (jurisdiction, product_type, combined_rate, categories) => {
      const { body } = await call(
        'GET',
        `/v1/rates?jurisdiction=${jurisdiction}&product_type=${product_type}`,
        { key },
      )
      expect(body).toMatchObject({ combined_rate, rates: categories.map((category) => ({ category })) })
    },
  )

  it('adds the general rates of a state that taxes some products on top', async () => {
    for (const [place, combined_rate] of [
      ['jurisdiction=US-UT', 0.061],
      ['jurisdiction=US-FL', 0.06],
    ] as const) {
      const { body } = await call('GET', `/v1/rates?${place}`, { key })
      expect.soft(body, place).toMatchObject({ combined_rate })
      const goods = await call('GET', `/v1/rates?${place}&product_type=physical_goods`, { key })
      expect.soft(goods.body, place).toMatchObject({ combined_rate })
    }
  })

  it('does not list the rates of a country for a territory with another tax', async () => {
    const { body } = await call('GET', '/v1/rates?jurisdiction=ES-CN', { key })
    expect(body).toMatchObject({ combined_rate: null, rates: [], total: 0 })
  })
})
