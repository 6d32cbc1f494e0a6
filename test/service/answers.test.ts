import { beforeAll, describe, expect, it } from 'vitest'
import { loadTestData, request, testKey } from '../support/service-data.ts'

let key = ''
beforeAll(async () => {
  await loadTestData()
  key = await testKey('Answers')
})

describe('every answer is as the OpenAPI document says, field by field', () => {
  it.each(['EU', 'UK', 'US', 'US-TAX', 'CA', 'AU'])('for the rates of %s', async (region) => {
    const { status, body } = await request(key, 'GET', `/v1/rates?region=${region}`)
    expect(status).toBe(200)
    expect(body['total']).toBeGreaterThan(0)
  })

  it('for the thresholds of all regions', async () => {
    expect((await request(key, 'GET', '/v1/thresholds')).body['total']).toBeGreaterThan(40)
  })

  it('for a rate of every product in a place with two taxes', async () => {
    const { body } = await request(key, 'GET', '/v1/metadata/product-types')
    const types = Object.values(Object(body['product_types'])).map((type) => String(Object(type)['id']))
    expect(types.length).toBe(body['total'])
    for (const type of types)
      expect((await request(key, 'GET', `/v1/rates?jurisdiction=CA-QC&product_type=${type}`)).status).toBe(
        200,
      )
  })

  it('for a calculation with everything in it', async () => {
    const { status, body } = await request(key, 'POST', '/v1/calculate', {
      currency: 'cad',
      transaction_date: '2026-06-15T23:30:00-05:00',
      seller: { country: 'CA', region: 'ON', registrations: ['CA', 'CA-QC'] },
      customer: {
        address: { country: 'CA', region: 'QC', postal_code: 'H2X 1Y4', city: 'Montréal', line2: null },
        type: 'individual',
      },
      line_items: [
        {
          reference: 'a',
          amount: 10_000,
          quantity: 3,
          product_type: 'physical_goods',
          description: 'Chairs',
          discount: 500,
        },
        { amount: 5_000, product_type: 'books', tax_behavior: 'inclusive' },
        { amount: -2_000, product_type: 'groceries', taxable: false },
      ],
      shipping_cost: { amount: 900 },
      rounding: 'document',
      explain: true,
    })
    expect(status).toBe(200)
    expect(body['trace']).not.toHaveLength(0)
    expect(body['shipping_cost']).not.toBeNull()
  })

  it.each([
    [{ amount: 900 }, {}, 'exclusive'],
    [{ amount: 900 }, { tax_behavior: 'inclusive' }, 'inclusive'],
    [{ amount: 900, tax_behavior: 'exclusive' }, { tax_behavior: 'inclusive' }, 'exclusive'],
  ])('for the shipping cost %j beside %j, which is %s of tax', async (shipping_cost, given, tax_behavior) => {
    const sale = {
      currency: 'EUR',
      customer: { address: { country: 'DE' } },
      line_items: [{ amount: 1_000, product_type: 'books' }],
    }
    const { body } = await request(key, 'POST', '/v1/calculate', { ...sale, ...given, shipping_cost })
    expect(body['shipping_cost']).toMatchObject({ amount: 900, tax_behavior })
  })

  it('for a batch in which one calculation stands and one falls', async () => {
    const good = {
      currency: 'EUR',
      customer: { address: { country: 'DE' } },
      line_items: [{ amount: 1, product_type: 'saas' }],
    }
    const { body } = await request(key, 'POST', '/v1/calculate/batch', {
      calculations: [good, { ...good, ammount: 1 }, 7],
    })
    expect(body['summary']).toEqual({ total: 3, succeeded: 1, failed: 2 })
  })

  it.each([
    [
      {
        jurisdiction_id: 'US-CA',
        sales: { amount: 45_000_000, currency: 'USD', transaction_count: 9 },
        seller: { country: 'DE' },
      },
    ],
    [{ jurisdiction_id: 'US-OR' }],
    [
      {
        customer: { address: { country: 'FR' }, type: 'business', vat_id: 'FR40303265045' },
        product_type: 'saas',
        seller: { country: 'DE' },
      },
    ],
    [{ jurisdiction_id: 'GB', product_type: 'books', amount: 100, currency: 'GBP', date: '2025-01-01' }],
  ])('for the decision on %j', async (question) => {
    const { status, body } = await request(key, 'POST', '/v1/decision/collect', question)
    expect(status).toBe(200)
    expect(body['explanation']).not.toBe('')
  })

  it('for a calculation into each country and state that is covered, and one that is not', async () => {
    const rates = await request(key, 'GET', '/v1/thresholds')
    const ids = new Set(
      Object.values(Object(rates.body['thresholds'])).map((threshold) =>
        String(Object(threshold)['jurisdiction_id']),
      ),
    )
    for (const id of [...ids, 'BR']) {
      const [country, region] = id.split('-')
      const { status } = await request(key, 'POST', '/v1/calculate', {
        currency: 'EUR',
        customer: { address: { country, region } },
        line_items: [{ amount: 10_000, product_type: 'streaming' }],
      })
      expect([200, 400], id).toContain(status)
    }
  })
})
