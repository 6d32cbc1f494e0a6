import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import worker from '../../../src/worker.ts'
import { newAccount } from '../../support/account.ts'
import { countingBindings } from '../../support/counting.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { ask, newShop } from './asking.ts'

await loadTestData()
const { key, owner } = await newShop({ taxjar: { accept_state_only: true } })
const taxes = (body: object, more: object = {}) => ask('POST', '/v2/taxes', { key, body, ...more })
const tax = async (body: object) => {
  const { status, body: said, text } = await taxes(body)
  expect(status, text).toBe(200)
  expect(Object.keys(said)).toEqual(['tax'])
  return said['tax']
}
const ITEM = { id: '1', quantity: 1, unit_price: 15, discount: 0 }
const FRANCE = {
  from_country: 'FR',
  from_zip: '75008',
  to_country: 'FR',
  to_zip: '13281',
  to_city: 'Marseille',
  amount: 15,
  shipping: 1.5,
  line_items: [ITEM],
}
const ONTARIO = {
  from_country: 'CA',
  from_zip: 'V6G 3E2',
  from_state: 'BC',
  to_country: 'CA',
  to_zip: 'M5V 2T6',
  to_state: 'ON',
  to_city: 'Toronto',
  amount: 15,
  shipping: 1.5,
  nexus_addresses: [{ id: 'Main', country: 'CA', zip: 'V6G 3E2', state: 'BC' }],
  line_items: [ITEM],
}

it('rounds the tax of the order, not that of each line, as TaxJar does', async () => {
  const line_items = [1, 2, 3, 4, 5].map((id) => ({ id: String(id), quantity: 1, unit_price: 0.02 }))
  const said = await tax({ ...FRANCE, amount: 0.1, shipping: 0, line_items })
  expect(said).toMatchObject({ amount_to_collect: 0.02, breakdown: { tax_collectable: 0.02 } })
})

describe('the scenarios that TaxJar documents', () => {
  it('France: 3.30 of VAT, shipping too', async () => {
    expect(await tax(FRANCE)).toEqual({
      order_total_amount: 16.5,
      shipping: 1.5,
      taxable_amount: 16.5,
      amount_to_collect: 3.3,
      rate: 0.2,
      has_nexus: true,
      freight_taxable: true,
      tax_source: 'destination',
      jurisdictions: { country: 'FR', city: 'MARSEILLE' },
      breakdown: {
        taxable_amount: 16.5,
        tax_collectable: 3.3,
        combined_tax_rate: 0.2,
        country_taxable_amount: 16.5,
        country_tax_rate: 0.2,
        country_tax_collectable: 3.3,
        line_items: [
          {
            id: '1',
            taxable_amount: 15,
            tax_collectable: 3,
            combined_tax_rate: 0.2,
            country_taxable_amount: 15,
            country_tax_rate: 0.2,
            country_tax_collectable: 3,
          },
        ],
        shipping: {
          taxable_amount: 1.5,
          tax_collectable: 0.3,
          combined_tax_rate: 0.2,
          country_taxable_amount: 1.5,
          country_tax_rate: 0.2,
          country_tax_collectable: 0.3,
        },
      },
    })
  })

  it('Ontario: 2.15 of HST, as 5 % federal and the rest provincial', async () => {
    const line = { gst_tax_rate: 0.05, pst_tax_rate: 0.08, qst_tax_rate: 0, qst: 0, qst_taxable_amount: 0 }
    expect(await tax(ONTARIO)).toEqual({
      order_total_amount: 16.5,
      shipping: 1.5,
      taxable_amount: 16.5,
      amount_to_collect: 2.15,
      rate: 0.13,
      has_nexus: true,
      freight_taxable: true,
      tax_source: 'destination',
      jurisdictions: { country: 'CA', state: 'ON', city: 'TORONTO' },
      breakdown: {
        ...line,
        taxable_amount: 16.5,
        tax_collectable: 2.15,
        combined_tax_rate: 0.13,
        gst_taxable_amount: 16.5,
        gst: 0.83,
        pst_taxable_amount: 16.5,
        pst: 1.32,
        line_items: [
          {
            ...line,
            id: '1',
            taxable_amount: 15,
            tax_collectable: 1.95,
            combined_tax_rate: 0.13,
            gst_taxable_amount: 15,
            gst: 0.75,
            pst_taxable_amount: 15,
            pst: 1.2,
          },
        ],
        shipping: {
          ...line,
          taxable_amount: 1.5,
          tax_collectable: 0.2,
          combined_tax_rate: 0.13,
          gst_taxable_amount: 1.5,
          gst: 0.08,
          pst_taxable_amount: 1.5,
          pst: 0.12,
        },
      },
    })
  })

  it('Australia: 1.65 of GST, with the state before the postal code', async () => {
    const order = {
      ...FRANCE,
      from_country: 'AU',
      from_zip: 'NSW 2000',
      to_country: 'AU',
      to_zip: 'VIC 3002',
    }
    expect(await tax(order)).toMatchObject({
      amount_to_collect: 1.65,
      rate: 0.1,
      jurisdictions: { country: 'AU' },
      breakdown: { country_tax_rate: 0.1, shipping: { tax_collectable: 0.15 } },
    })
  })

  it('no nexus: amounts of 0, and no breakdown', async () => {
    const order = {
      from_country: 'US',
      from_state: 'FL',
      from_zip: '33018',
      to_country: 'US',
      to_state: 'OR',
      to_zip: '97035',
      amount: 15,
      shipping: 1.5,
    }
    expect(await tax(order)).toEqual({
      order_total_amount: 16.5,
      shipping: 1.5,
      taxable_amount: 0,
      amount_to_collect: 0,
      rate: 0,
      has_nexus: false,
      freight_taxable: false,
      tax_source: null,
    })
  })
})

describe('what shops send', () => {
  it('takes numbers as texts, ids as numbers, and prices that do not end', async () => {
    const line = { id: 7, quantity: '3', unit_price: '3.3333333333333', discount: '-0.0' }
    const order = { ...FRANCE, shipping: '0.0', line_items: [line] }
    expect(await tax(order)).toMatchObject({
      order_total_amount: 10,
      amount_to_collect: 2,
      freight_taxable: true,
      breakdown: { line_items: [{ id: '7', taxable_amount: 10 }] },
    })
    expect(
      await tax({ ...order, line_items: [{ ...line, unit_price: 3.3333333333333, quantity: 3 }] }),
    ).toMatchObject({
      order_total_amount: 10,
    })
  })

  it('taxes a tax code that does not exist in full, and known ones by their type', async () => {
    const of = async (product_tax_code: string) =>
      tax({ ...FRANCE, shipping: 0, line_items: [{ ...ITEM, product_tax_code }] })
    expect(await of('TaxCode - 34067')).toMatchObject({ amount_to_collect: 3 })
    expect(await of('81100')).toMatchObject({ amount_to_collect: 0.83 })
    const log = vi.spyOn(console, 'log')
    await of('TaxCode - 34067')
    expect(log.mock.calls.flat().join()).toContain('"status":200')
    expect(log.mock.calls.flat().join()).toContain('"reason":"unknown_product_tax_code"')
    log.mockRestore()
  })

  it('has no breakdown for an amount without lines', async () => {
    const { line_items: _, ...order } = FRANCE
    expect(await tax(order)).not.toHaveProperty('breakdown')
    expect(await tax(order)).toMatchObject({ amount_to_collect: 3.3 })
  })

  it('numbers lines without an id from 1, and ignores empty texts and unknown fields', async () => {
    const { id: _, ...line } = ITEM
    const order = {
      ...FRANCE,
      to_street: '',
      customer_id: '',
      exemption_type: '',
      plugin: 'woo',
      line_items: [line, line],
    }
    expect(await tax(order)).toMatchObject({ breakdown: { line_items: [{ id: '1' }, { id: '2' }] } })
  })

  it('charges no tax on an order that is exempt, and says why', async () => {
    const said = await taxes({ ...FRANCE, exemption_type: 'wholesale' })
    expect(said.body['tax']).toMatchObject({
      order_total_amount: 16.5,
      shipping: 1.5,
      taxable_amount: 0,
      amount_to_collect: 0,
      has_nexus: true,
      freight_taxable: false,
      exemption_type: 'wholesale',
      breakdown: { line_items: [{ id: '1', tax_collectable: 0 }] },
    })
    expect(await tax({ ...FRANCE, exemption_type: 'non_exempt' })).toMatchObject({
      amount_to_collect: 3.3,
      exemption_type: 'non_exempt',
    })
  })

  it('applies the exemptions of a saved customer, and none of an unknown one', async () => {
    const made = await call('POST', '/v1/customers', {
      key: owner,
      body: { external_id: 'c-9', name: 'Acme' },
    })
    const path = `/v1/customers/${String(made.body['id'])}/exemptions`
    const certificate = {
      jurisdiction_id: 'CA-ON',
      exemption_type: 'government',
      certificate_number: '1',
      valid_from: '2020-01-01',
    }
    const exemption = await call('POST', path, { key: owner, body: certificate })
    await call('PUT', `${path}/${String(exemption.body['id'])}`, { key: owner, body: { status: 'verified' } })
    expect(await tax({ ...ONTARIO, customer_id: 'nobody' })).toMatchObject({ amount_to_collect: 2.15 })
    const exempt = await tax({ ...ONTARIO, customer_id: 'c-9' })
    expect(exempt).toMatchObject({ exemption_type: 'government' })
  })
})

describe('who is asked', () => {
  it('takes the place that the goods leave and nexus addresses for registrations', async () => {
    const order = { to_country: 'DE', to_zip: '10115', amount: 100, shipping: 0 }
    expect(await tax({ ...order, from_country: 'DE' })).toMatchObject({ amount_to_collect: 19 })
    expect(await tax({ ...order, from_country: 'US', from_state: 'FL' })).toMatchObject({ has_nexus: false })
    const nexus_addresses = [{ country: 'DE' }]
    expect(await tax({ ...order, from_country: 'DE', nexus_addresses })).toMatchObject({ has_nexus: true })
  })

  it('refuses an order if nothing says where the seller is', async () => {
    const { key: bare } = await newShop({ profile: { country: null, region: null, postal_code: null } })
    const said = await ask('POST', '/v2/taxes', { key: bare, body: { ...FRANCE, from_country: '' } })
    expect(said.body).toEqual({
      status: 400,
      error: 'Bad Request',
      detail: 'from_country is missing: give it, nexus_addresses, or an address of the account',
    })
  })

  it('never answers the rate of a state alone in silence', async () => {
    const { key: strict } = await newShop()
    const order = { to_country: 'US', to_state: 'CA', to_zip: '90002', amount: 15, shipping: 0 }
    expect((await ask('POST', '/v2/taxes', { key: strict, body: order })).body).toEqual({
      status: 400,
      error: 'Bad Request',
      detail: 'local rates of CA are not covered',
    })
    expect(await tax(order)).toMatchObject({ has_nexus: true })
  })

  it('uses the currency of the account, else that of the country that goods leave', async () => {
    const { key: yen } = await newShop({
      profile: { country: 'FR', region: null, postal_code: null },
      taxjar: { currency: 'JPY' },
    })
    const order = { ...FRANCE, line_items: [{ ...ITEM, unit_price: 1999 }], shipping: 0 }
    const said = await ask('POST', '/v2/taxes', { key: yen, body: order })
    expect(said.body['tax']).toMatchObject({ amount_to_collect: 400 })
  })
})

describe('errors', () => {
  const refused = async (body: object, status: number, detail: string) => {
    const said = await taxes(body)
    expect(said.body).toEqual({ status, error: expect.any(String), detail })
    expect(said.status).toBe(status)
  }

  it('names the field in the words of TaxJar', async () => {
    const { shipping: _, ...unshipped } = FRANCE
    await refused(unshipped, 406, 'shipping is missing')
    await refused({ ...FRANCE, to_country: '' }, 406, 'to_country is missing')
    await refused({ ...FRANCE, line_items: [], amount: null }, 406, 'amount is missing')
    await refused({ ...FRANCE, shipping: 'a lot' }, 400, 'shipping must be a number')
    const us = { ...FRANCE, to_country: 'US', to_state: 'NY', to_zip: '99999' }
    await refused(us, 400, 'to_zip 99999 is not used within to_state NY')
    await refused({ ...us, to_zip: null }, 400, 'to_zip is required when to_country is US')
    await refused({ ...us, to_state: null }, 400, 'to_state is required when to_country is US')
    await refused(
      { ...FRANCE, line_items: [{ ...ITEM, discount: 20 }] },
      400,
      'line_items[0][discount] discount 2000 is larger than the amount of its line',
    )
  })

  it('401 names the route', async () => {
    const said = await ask('GET', '/v2/categories')
    expect(said.status).toBe(401)
    expect(said.body).toEqual({
      status: 401,
      error: 'Unauthorized',
      detail: "Not authorized for route 'GET /v2/categories'",
    })
  })

  it('403 says that the account does not answer in this form', async () => {
    const { key: off } = await newAccount()
    const said = await ask('GET', '/v2/categories', { key: off })
    expect(said.body).toMatchObject({ status: 403, error: 'Forbidden' })
    expect(said.body['detail']).toContain('taxjar_api')
  })
})

it('reads neither D1 nor KV for a warm request, however the key is sent', async () => {
  const { bindings, count } = countingBindings()
  const send = async (Authorization: string) => {
    Object.assign(count, { kv: 0, d1: 0 })
    const headers = { Authorization, 'Content-Type': 'application/json' }
    const request = new Request('https://service.test/v2/taxes', {
      method: 'POST',
      headers,
      body: JSON.stringify(FRANCE),
    })
    const response = await worker.fetch(request, bindings, createExecutionContext())
    expect(await response.json()).toMatchObject({ tax: { amount_to_collect: 3.3 } })
    return { ...count }
  }
  for (const authorization of [`Bearer ${key}`, `Token token="${key}"`]) {
    await send(authorization)
    expect(await send(authorization)).toEqual({ kv: 0, d1: 0 })
  }
})

it('leaves a retail delivery fee out of its amounts, and says it in a header', async () => {
  const shop = await newShop({ taxjar: { accept_state_only: true }, registrations: ['US-MN'] })
  const body = { scheme: 'mn_retail_delivery_fee', valid_from: '2024-07-01' }
  expect((await call('POST', '/v1/registrations', { key: shop.owner, body })).status).toBe(201)
  const order = { to_country: 'US', to_state: 'MN', to_zip: '55401', shipping: 0 }
  const line_items = [{ id: '1', quantity: 1, unit_price: 200 }]
  const said = await ask('POST', '/v2/taxes', { key: shop.key, body: { ...order, line_items } })
  expect(said.body['tax']).toMatchObject({
    amount_to_collect: 13.75,
    breakdown: { tax_collectable: 13.75, line_items: [{ tax_collectable: 13.75 }] },
  })
  expect(said.headers.get('X-Retail-Delivery-Fee')).toBe('0.5')
})
