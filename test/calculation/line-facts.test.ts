import { describe, expect, it } from 'vitest'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'

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
