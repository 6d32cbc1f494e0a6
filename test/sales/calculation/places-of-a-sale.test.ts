import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { partOfState } from '../../../src/tax-data/records/local-parts.ts'
import { writeLocalParts } from '../../../src/tax-data/records/write-local-parts.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { ask, newShop } from '../../interfaces/taxjar/asking.ts'
import { LAW } from '../../support/local-data.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

const read_at = '2026-09-01T00:00:00.000Z'
const place = (type: 'county' | 'city', code: string, name: string, rate: number) => ({
  id: `US-MO-${code}`,
  state: 'MO',
  type,
  code,
  name,
  county_fips: '29510',
  rates: [{ rate_millionths: rate, from: null, to: null }],
  also: [],
  zips: [],
  source: 'file of Missouri',
  as_of: '2026-09-01',
})

await loadTestData()
await writeLocalParts(
  env,
  [
    partOfState('MO', {
      law: { ...LAW, sourcing: 'origin', zip5: 'largest' },
      jurisdictions: [place('county', '510', 'County', 10_000), place('city', '65000', 'St. Louis', 44_540)],
      read_at,
    }),
  ],
  new Date(read_at),
)
forgetAll()

const ST_LOUIS = { country: 'US', region: 'MO', city: 'St. Louis', postal_code: '63101' }
const PROFILE = { ...ST_LOUIS, line1: '1 Market Street', line2: 'Floor 2' }
const shop = await newShop({ profile: PROFILE, registrations: ['US-MO', 'DE'] })
const without_city = await newShop({ profile: { ...ST_LOUIS, city: null }, registrations: ['US-MO'] })

const SALE = {
  currency: 'USD',
  customer: { address: ST_LOUIS },
  line_items: [{ amount: 100_000, product_type: 'physical_goods' }],
}
const LINE = { id: '1', quantity: 1, unit_price: 1000 }
const TAX = 4_225 + 1_000 + 4_454

async function answer(path: string, body: object, key = shop.key) {
  const { status, body: said, text } = await call('POST', path, { key, body })
  expect(status, text).toBeLessThan(300)
  return said
}

describe('the address of the account', () => {
  it('is shown whole, and goes with its country', async () => {
    const { body } = await call('GET', '/v1/account', { key: shop.key })
    expect(body).toMatchObject(PROFILE)
    const moved = await newShop({ profile: PROFILE })
    const left = await call('PUT', '/v1/account', { key: moved.key, body: { country: 'DE' } })
    expect(left.body).toMatchObject({ region: null, city: null, postal_code: null, line1: null, line2: null })
    const none = await call('PUT', '/v1/account', {
      key: moved.key,
      body: { country: null, city: 'Berlin' },
    })
    expect(none.body['errors']).toMatchObject([{ path: 'country' }])
  })

  it('decides the tax of a state that taxes its sellers at their place', async () => {
    expect(await answer('/v1/calculate', SALE)).toMatchObject({ tax_amount: TAX, coverage: 'local' })
    expect(await answer('/v1/transactions', SALE)).toMatchObject({ tax_amount: TAX })
    const { results } = await answer('/v1/transactions/batch', { transactions: [SALE] })
    expect(results).toMatchObject([{ data: { tax_amount: TAX } }])
  })

  it('is replaced by the address of the seller of one sale', async () => {
    const { tax_amount, coverage } = await answer('/v1/calculate', SALE, without_city.key)
    expect([tax_amount, coverage]).toEqual([4_225, 'state'])
    const seller = { ...ST_LOUIS, line1: '1 Market Street', registrations: ['US-MO'] }
    expect(await answer('/v1/calculate', { ...SALE, seller }, without_city.key)).toMatchObject({
      tax_amount: TAX,
    })
  })
})

describe('the form of TaxJar', () => {
  const to = { to_country: 'US', to_state: 'MO', to_zip: '63101', to_city: 'St. Louis' }
  const from = { from_country: 'US', from_state: 'MO', from_zip: '63101', from_city: 'St. Louis' }
  const nexus = [{ country: 'US', state: 'MO', zip: '63101', city: 'St. Louis', street: '1 Market Street' }]

  it.each([
    ['the city that the goods leave', from],
    ['the city of the account', {}],
    ['the city of the account beside places of nexus', { nexus_addresses: nexus }],
  ])('takes %s', async (_, named) => {
    const body = { ...to, ...named, shipping: 0, line_items: [LINE] }
    const { body: said } = await ask('POST', '/v2/taxes', { key: shop.key, body })
    expect(said['tax']).toMatchObject({
      rate: 0.09679,
      tax_source: 'origin',
      jurisdictions: { city: 'ST. LOUIS' },
    })
  })

  it('records an order with the city that it leaves', async () => {
    const { key } = without_city
    const sums = { amount: 1000, shipping: 0, sales_tax: 96.79 }
    const body = { ...to, ...from, ...sums, line_items: [{ ...LINE, sales_tax: 96.79 }] }
    const order = { transaction_id: 'origin', transaction_date: '2026-11-20', ...body }
    expect((await ask('POST', '/v2/transactions/orders', { key, body: order })).status).toBe(201)
    const { body: recorded } = await call('GET', '/v1/transactions/external/origin', { key })
    expect(recorded).toMatchObject({ tax_amount: 9_679, tax_variance: 0 })
  })
})

describe('goods that the customer fetches', () => {
  const { customer: _, ...AT_THE_TILL } = { ...SALE, delivery: 'pickup' }

  it('are sold at the counter without an address of the customer', async () => {
    expect(await answer('/v1/calculate', AT_THE_TILL)).toMatchObject({
      tax_amount: TAX,
      jurisdiction_id: 'US-MO',
    })
    const ship_from = { country: 'DE', city: 'Berlin' }
    expect(await answer('/v1/transactions', { ...AT_THE_TILL, ship_from })).toMatchObject({
      jurisdiction_id: 'DE',
      tax_amount: 19_000,
      delivery: 'pickup',
      ship_from: { country: 'DE', city: 'Berlin' },
      customer: { address: { country: 'DE' } },
    })
  })

  it('bear the local taxes of the counter for a customer from abroad', async () => {
    const sale = { ...AT_THE_TILL, customer: { address: { country: 'FR' } } }
    expect(await answer('/v1/calculate', sale)).toMatchObject({ tax_amount: TAX, coverage: 'local' })
    expect(await answer('/v1/transactions', sale)).toMatchObject({
      tax_amount: TAX,
      customer: { address: { country: 'FR' } },
    })
  })

  it('need a known counter', async () => {
    const { key } = await newShop({ profile: { country: null, region: null, postal_code: null } })
    const refused = await call('POST', '/v1/calculate', { key, body: AT_THE_TILL })
    expect(refused.status).toBe(400)
    expect(refused.body['errors']).toMatchObject([{ path: 'ship_from' }])
  })
})
