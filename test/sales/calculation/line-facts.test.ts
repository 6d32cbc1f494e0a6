import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

const post = (path: string, body: object) => call('POST', path, { key, body })
const inState = (region: string, line: object) => ({
  currency: 'USD',
  seller: { country: 'US', region, registrations: [`US-${region}`] },
  customer: { address: { country: 'US', region } },
  line_items: [{ amount: 10_000, product_type: 'physical_goods', ...line }],
})
const COUPON = { discount: 2_000, discount_funded_by: 'manufacturer' }

describe('a discount that the manufacturer pays for', () => {
  it.each([
    ['NJ', 10_000],
    ['TX', 8_000],
  ])('is taxed by the law of US-%s, and the customer pays less', async (region, taxable_amount) => {
    const { body, text } = await post('/v1/calculate', inState(region, COUPON))
    expect(body, text).toMatchObject({
      subtotal: 8_000,
      line_items: [
        { net_amount: 8_000, taxable_amount, discount: 2_000, discount_funded_by: 'manufacturer' },
      ],
    })
  })

  it('is recorded with the sale, and a full refund gives back its tax', async () => {
    const { body: sale, text } = await post('/v1/transactions', inState('NJ', COUPON))
    expect(sale, text).toMatchObject({
      total: 8_663,
      tax_amount: 663,
      line_items: [{ amount: 8_000, discount: 2_000, discount_funded_by: 'manufacturer' }],
    })
    const refund = {
      reason: 'returned',
      line_items: [{ id: (sale['line_items'] as { id: string }[])[0]?.id }],
    }
    const { body, text: said } = await post(`/v1/transactions/${String(sale['id'])}/refund`, refund)
    expect(body, said).toMatchObject({ refund: { amount: 8_663, tax_amount: 663 } })
  })

  it('is a part of the sales of the return', async () => {
    const own = await newAccount()
    const sale = { ...inState('NJ', COUPON), transaction_date: '2026-05-04' }
    await call('POST', '/v1/transactions', { key: own.key, body: sale })
    const query = 'type=us_state&period=2026-05&jurisdiction_id=US-NJ'
    const { body, text } = await call('GET', `/v1/reports/filing?${query}`, { key: own.key })
    const figures = { gross_sales: 10_000, exempt_sales: 0, taxable_amount: 10_000, tax_amount: 663 }
    expect(body, text).toMatchObject({ supplies: [figures] })
  })

  it.each([
    [{ discount_funded_by: 'manufacturer' }, 'line_items[0].discount_funded_by'],
    [{ ...COUPON, discount_funded_by: 'bank' }, 'line_items[0].discount_funded_by'],
    [{ trade_in: 10_001 }, 'line_items[0].trade_in'],
    [{ trade_in: -1 }, 'line_items[0].trade_in'],
    [{ trade_in: 0.5 }, 'line_items[0].trade_in'],
  ])('or a trade-in is refused: %j names %s', async (line, path) => {
    for (const route of ['/v1/calculate', '/v1/transactions']) {
      const { status, text } = await post(route, inState('NJ', line))
      expect(status, text).toBe(400)
      expect(text).toContain(path)
    }
  })
})

describe('a trade-in', () => {
  it('lowers the taxed price where the law says so, and is recorded', async () => {
    const sale = inState('TX', { trade_in: 4_000 })
    const { body, text } = await post('/v1/calculate', sale)
    expect(body, text).toMatchObject({
      subtotal: 10_000,
      tax_amount: 375,
      line_items: [{ taxable_amount: 6_000, taxability_reason: 'taxable_basis_reduced', trade_in: 4_000 }],
    })
    const { body: recorded, text: said } = await post('/v1/transactions', sale)
    expect(recorded, said).toMatchObject({ tax_amount: 375, line_items: [{ trade_in: 4_000 }] })
  })

  it('and a discount of a manufacturer stay with a calculation that is given back', async () => {
    const { seller, customer, ...cart } = inState('TX', { ...COUPON, trade_in: 3_000 })
    const { body: calculation } = await post('/v1/calculate', { seller, customer, ...cart })
    const { body, text } = await post('/v1/transactions', { seller, customer, calculation })
    expect(body, text).toMatchObject({
      tax_variance: 0,
      line_items: [{ trade_in: 3_000, discount_funded_by: 'manufacturer' }],
    })
  })
})

describe('a bundle', () => {
  const BASKET = {
    product_type: 'groceries',
    bundle: [
      { product_type: 'groceries', share: 0.6 },
      { product_type: 'physical_goods', share: 0.4 },
    ],
  }
  const inGermany = (line: object) => ({
    currency: 'EUR',
    seller: { country: 'DE' },
    customer: { address: { country: 'DE' } },
    line_items: [{ amount: 10_000, ...BASKET, ...line }],
  })

  it('is taxed by the law of the place, and the answer repeats it', async () => {
    const { body, text } = await post('/v1/calculate', inState('WA', BASKET))
    expect(body, text).toMatchObject({
      tax_amount: 0,
      line_items: [{ ...BASKET, taxability_reason: 'product_exempt', rule: 'specific' }],
    })
    const { body: batch } = await post('/v1/calculate/batch', {
      calculations: [inState('NY', BASKET), inGermany({})],
    })
    expect(batch).toMatchObject({
      results: [{ data: { tax_amount: 400 } }, { data: { tax_amount: 6_000 * 0.07 + 4_000 * 0.19 } }],
    })
  })

  it('names its products by our types, and says so of a code', async () => {
    const bundle = [
      { product_type: '40030', share: 0.5 },
      { product_type: 'physical_goods', share: 0.5 },
    ]
    const line = { product_type: 'physical_goods', bundle }
    const { body, text } = await post('/v1/calculate', inState('NY', line))
    expect(body, text).toMatchObject({
      errors: [{ path: 'line_items[0].bundle[0].product_type', message: expect.stringContaining('a code') }],
    })
  })

  it('is recorded with its sale, declared by its rates, and given back to the cent', async () => {
    const own = await newAccount()
    const sale = { ...inGermany({ amount: 9_999 }), transaction_date: '2026-05-04' }
    const { body, text } = await call('POST', '/v1/transactions', { key: own.key, body: sale })
    const tax_amount = 420 + 760
    expect(body, text).toMatchObject({ tax_amount, line_items: [BASKET] })
    const query = 'type=eu_domestic&period=2026-05&jurisdiction_id=DE'
    const returned = () => call('GET', `/v1/reports/filing?${query}`, { key: own.key })
    const { body: filed, text: declared } = await returned()
    expect(filed['supplies'], declared).toMatchObject([
      { rate: 0.07, taxable_amount: 5_999, tax_amount: 420 },
      { rate: 0.19, taxable_amount: 4_000, tax_amount: 760 },
    ])
    const refund = (amount: number) =>
      call('POST', `/v1/transactions/${String(body['id'])}/refund`, {
        key: own.key,
        body: { amount, reason: 'returned' },
      })
    await refund(3_333)
    const { body: rest, text: said } = await refund(9_999 + tax_amount - 3_333)
    expect(rest, said).toMatchObject({ amount_refunded: 9_999 + tax_amount, tax_refunded: tax_amount })
  })

  it('stays with a calculation that is given back', async () => {
    const { seller, customer, ...cart } = inGermany({})
    const { body: calculation } = await post('/v1/calculate', { seller, customer, ...cart })
    const { body, text } = await post('/v1/transactions', { seller, customer, calculation })
    expect(body, text).toMatchObject({ tax_variance: 0, line_items: [BASKET] })
  })

  const parts = (...shares: [string, number][]) =>
    shares.map(([product_type, share]) => ({ product_type, share }))

  it.each([
    [{ bundle: parts(['groceries', 1]) }, 'line_items[0].bundle'],
    [{ bundle: parts(['groceries', 0.5], ['books', 0.4]) }, 'line_items[0].bundle'],
    [{ bundle: parts(['groceries', 0.333], ['books', 0.333], ['saas', 0.333]) }, 'line_items[0].bundle'],
    [{ bundle: parts(['groceries', 0], ['books', 1]) }, 'line_items[0].bundle[0].share'],
    [{ bundle: parts(['groceries', 0.1234567], ['books', 0.8765433]) }, 'line_items[0].bundle[0].share'],
    [{ bundle: parts(['groceries', 1.5], ['books', -0.5]) }, 'line_items[0].bundle[0].share'],
    [{ bundle: parts(['groceries', 0.5], ['cake', 0.5]) }, 'line_items[0].bundle[1].product_type'],
    [{ bundle: parts(['groceries', 0.5], ['groceries', 0.5]) }, 'line_items[0].bundle[1].product_type'],
    [{ bundle: parts(['groceries', 0.5], ['shipping', 0.5]) }, 'line_items[0].bundle[1].product_type'],
    [{ ...BASKET, product_type: 'books' }, 'line_items[0].product_type'],
    [{ product_type: 'streaming', live: true, bundle: parts(['streaming', 0.5], ['saas', 0.5]) }, 'live'],
    [{ bundle: Array.from({ length: 11 }, () => ({ product_type: 'books', share: 0.1 })) }, 'bundle'],
  ])('is refused: %j names %s', async (line, path) => {
    for (const route of ['/v1/calculate', '/v1/transactions']) {
      const { status, text } = await post(route, inState('NJ', { product_type: 'groceries', ...line }))
      expect(status, text).toBe(400)
      expect(text).toContain(path)
    }
  })
})
