import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { ask, newShop } from '../../interfaces/taxjar/asking.ts'

await loadTestData()
const { key } = await newAccount()
const ADDRESS = { country: 'US', region: 'AE', postal_code: '09012', city: 'APO' }
const SALE = {
  currency: 'USD',
  seller: { country: 'US', region: 'NY', registrations: ['US-NY'] },
  customer: { address: ADDRESS },
  line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
  shipping_cost: { amount: 900 },
}
const UNTAXED = {
  tax_amount: 0,
  jurisdiction_id: 'US-AE',
  line_items: [
    {
      taxability_reason: 'not_subject_to_tax',
      reason_detail: expect.stringContaining('delivered in no state'),
    },
  ],
}

it('is not taxed in our form, with the reason', async () => {
  const calculated = await call('POST', '/v1/calculate', { key, body: SALE })
  expect(calculated.status, calculated.text).toBe(200)
  expect(calculated.body).toMatchObject({ ...UNTAXED, jurisdiction_name: 'Armed Forces Europe' })
  const recorded = await call('POST', '/v1/transactions', { key, body: SALE })
  expect(recorded.status, recorded.text).toBe(201)
  const [goods] = UNTAXED.line_items
  expect(recorded.body).toMatchObject({ ...UNTAXED, line_items: [goods, goods] })
  const { customer, seller } = SALE
  const decided = await call('POST', '/v1/decision/collect', { key, body: { customer, seller } })
  expect(decided.body).toMatchObject({ jurisdiction_id: 'US-AE', collect: false, must_register: false })
})

it('is a good address, whose ZIP tells the region', async () => {
  const check = async (address: object) =>
    (await call('POST', '/v1/addresses/validate', { key, body: { address } })).body
  expect(await check(ADDRESS)).toMatchObject({
    valid: true,
    jurisdiction_id: null,
    special_territory: { id: 'US-AE', name: 'Armed Forces Europe', treatment: 'not_covered' },
  })
  const { region: _, ...without } = ADDRESS
  expect(await check(without)).toMatchObject({ valid: true, address: { region: 'AE' } })
  expect(await check({ ...ADDRESS, region: 'NY' })).toMatchObject({
    valid: false,
    issues: [{ code: 'region_postal_code_mismatch' }],
  })
})

it('is not taxed in the form of TaxJar, with the reason in a header', async () => {
  const shop = await newShop({ registrations: ['US-NY'], profile: { region: 'NY', postal_code: '10001' } })
  const to = { to_country: 'US', to_state: 'AE', to_zip: '09012', to_city: 'APO' }
  const order = { ...to, shipping: 9, line_items: [{ id: 1, quantity: 1, unit_price: 100 }] }
  const said = await ask('POST', '/v2/taxes', { key: shop.key, body: order })
  expect(said.status, said.text).toBe(200)
  expect(said.body['tax']).toMatchObject({ amount_to_collect: 0, has_nexus: false })
  expect(said.headers.get('X-Taxability-Reason')).toBe('not_subject_to_tax')
  const rates = await ask('GET', '/v2/rates/09012?state=AE', { key: shop.key })
  expect(rates.status, rates.text).toBe(200)
  expect(rates.body['rate']).toMatchObject({ state: 'AE', state_rate: '0.0', combined_rate: '0.0' })
  const body = { country: 'US', state: 'AE', zip: '09012', city: 'APO' }
  const checked = await ask('POST', '/v2/addresses/validate', { key: shop.key, body })
  expect(checked.body['addresses']).toMatchObject([{ state: 'AE', zip: '09012' }])
  const kept = {
    ...order,
    transaction_id: 'apo-1',
    transaction_date: '2026-05-14',
    amount: 109,
    sales_tax: 0,
  }
  expect((await ask('POST', '/v2/transactions/orders', { key: shop.key, body: kept })).status).toBe(201)
})
