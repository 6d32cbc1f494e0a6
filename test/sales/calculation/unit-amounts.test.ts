import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withAmounts } from '../../../src/sales/calculation/line-amounts.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()
const post = (path: string, body: object) => call('POST', path, { key, body })

const KILOS = { unit_amount: 399, quantity: 1.5, product_type: 'basic_food' }
const german = (line: object) => ({
  currency: 'EUR',
  seller: { country: 'DE', registrations: ['DE'] },
  customer: { address: { country: 'DE', postal_code: '10115' } },
  line_items: [line],
})
const american = (region: string, postal_code: string, line: object) => ({
  currency: 'USD',
  seller: { country: 'US', region, registrations: [`US-${region}`] },
  customer: { address: { country: 'US', region, postal_code } },
  line_items: [line],
})

describe('the amount of a unit price', () => {
  it('is its product with the quantity, rounded once, half away from zero', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.integer({ min: 1, max: 1e12 }),
        (unit_amount, millionths) => {
          const [line] = withAmounts([{ unit_amount, quantity: millionths / 1e6 }])
          const product = BigInt(unit_amount) * BigInt(millionths)
          const magnitude = product < 0n ? -product : product
          const whole = magnitude / 1_000_000n + (magnitude % 1_000_000n >= 500_000n ? 1n : 0n)
          if (whole > 1_000_000_000_000_000n) return
          expect(line?.amount).toBe(Number(product < 0n ? -whole : whole) + 0)
        },
      ),
    )
  })

  it.each([
    [399, 1.5, 599],
    [-399, 1.5, -599],
    [1, 0.5, 1],
    [1, 0.499999, 0],
    [333, 3, 999],
    [700, undefined, 700],
  ])('of %s times %s is %s', async (unit_amount, quantity, amount) => {
    const line = { unit_amount, ...(quantity !== undefined && { quantity }), product_type: 'books' }
    const { body, text } = await post('/v1/calculate', german(line))
    expect(body, text).toMatchObject({
      subtotal: amount,
      line_items: [
        {
          amount,
          unit_amount,
          unit_quantity: quantity ?? 1,
          quantity: Number.isInteger(quantity) ? quantity : 1,
        },
      ],
    })
  })

  it('makes a batch of calculations and one of sales, with the lines of other codes', async () => {
    const calculations = [german(KILOS), german({ ...KILOS, amount: 599 }), german({ ...KILOS, quantity: 2 })]
    const { body, text } = await post('/v1/calculate/batch', { calculations })
    expect(body, text).toMatchObject({
      results: [
        { data: { subtotal: 599 } },
        { error: { errors: [{ path: 'line_items[0].unit_amount' }] } },
        { data: { subtotal: 798 } },
      ],
    })
    const transactions = [german(KILOS), german({ product_type: 'books' })]
    const recorded = await post('/v1/transactions/batch', { transactions })
    expect(recorded.body, recorded.text).toMatchObject({
      results: [{ data: { subtotal: 599 } }, { error: { errors: [{ path: 'line_items[0].amount' }] } }],
    })
  })

  it.each([
    [{ amount: 599, unit_amount: 399, quantity: 1.5 }, 'unit_amount', 'give amount or unit_amount, not both'],
    [{}, 'amount', 'is required, unless unit_amount is given'],
    [{ amount: 599, quantity: 1.5 }, 'quantity', 'must be a whole number'],
    [{ amount: 399, quantity: 0 }, 'quantity', 'must be more than 0, unless the amount is 0'],
    [{ unit_amount: 399, quantity: -1.5 }, 'quantity', 'must not be negative'],
    [{ unit_amount: 399, quantity: 1.0000001 }, 'quantity', 'must have at most 6 decimals'],
    [{ unit_amount: 399, quantity: '1.5' }, 'quantity', 'must be a number'],
    [{ unit_amount: 0.4, quantity: 12_345 }, 'unit_amount', 'give amount in place of a unit price with a'],
    [{ unit_amount: 1e15, quantity: 1.000001 }, 'unit_amount', 'above 1e15'],
  ])('%j is refused, and names %s', async (line, field, detail) => {
    for (const path of ['/v1/calculate', '/v1/transactions']) {
      const { status, text } = await post(path, german({ product_type: 'books', ...line }))
      expect(status, text).toBe(400)
      expect(text).toContain(`line_items[0].${field}`)
      expect(text).toContain(detail)
    }
  })
})

it.each([
  [
    { amount: 0, quantity: 0 },
    { amount: 0, quantity: 0 },
  ],
  [
    { unit_amount: 399, quantity: 0 },
    { amount: 0, quantity: 0, unit_amount: 399, unit_quantity: 0 },
  ],
])('a line of what nobody used is accepted, and costs nothing: %j', async (line, shown) => {
  const used = { product_type: 'books', amount: 1_000 }
  const { customer, currency } = german({})
  const sale = { customer, currency, line_items: [{ product_type: 'books', ...line }, used] }
  const { body: calculation, text } = await post('/v1/calculate', sale)
  expect(calculation, text).toMatchObject({ line_items: [{ ...shown, tax_amount: 0 }, { amount: 1_000 }] })
  const batch = await post('/v1/calculate/batch', { calculations: [sale] })
  expect(batch.body).toMatchObject({ summary: { failed: 0 } })
  for (const each of [sale, { customer, calculation }]) {
    const { body, status, text: answer } = await post('/v1/transactions', each)
    expect(status, answer).toBe(201)
    expect(body).toMatchObject({ line_items: [{ ...shown, tax_amount: 0 }, { amount: 1_000 }] })
    const refund = await post(`/v1/transactions/${String(body['id'])}/refund`, {
      rest: true,
      reason: 'Returned',
    })
    expect(refund.status, refund.text).toBe(200)
  }
  // From abroad, a law looks at the price of one.
  const parcel = await post('/v1/calculate', {
    currency: 'SGD',
    seller: { country: 'CN' },
    customer: { address: { country: 'SG' } },
    line_items: [{ product_type: 'books', ...line }],
  })
  expect(parcel.status, parcel.text).toBe(200)
})

describe('a recorded line with a unit price', () => {
  it('keeps what was asked, also if it comes as a calculation', async () => {
    const shown = { amount: 599, quantity: 1, unit_amount: 399, unit_quantity: 1.5 }
    const { body: calculation, text } = await post('/v1/calculate', german(KILOS))
    expect(calculation, text).toMatchObject({ line_items: [shown] })
    const { customer } = german(KILOS)
    for (const sale of [german(KILOS), { customer, calculation }]) {
      const recorded = await post('/v1/transactions', sale)
      expect(recorded.body, recorded.text).toMatchObject({ subtotal: 599, line_items: [shown] })
      const read = await call('GET', `/v1/transactions/${String(recorded.body['id'])}`, { key })
      expect(read.body, read.text).toMatchObject({ line_items: [shown] })
    }
  })

  it('is given back by amount, because a quantity of 1 could be one kilogram or all', async () => {
    const { body } = await post('/v1/transactions', german(KILOS))
    const [line] = body['line_items'] as { id: string }[]
    const refund = (asked: object) =>
      post(`/v1/transactions/${String(body['id'])}/refund`, {
        reason: 'returned',
        line_items: [{ id: line?.id, ...asked }],
      })
    const refused = await refund({ quantity: 1 })
    expect(refused.text).toContain('line_items[0].quantity: the line was sold with a quantity of 1.5')
    expect((await refund({})).body).toMatchObject({ status: 'refunded' })
  })
})

describe('a law that looks at the price of one item', () => {
  const cloth = (unit_amount: number, quantity: number) =>
    american('NY', '10001', { unit_amount, quantity, product_type: 'clothing' })

  it('counts whole quantities as pieces', async () => {
    const { body, text } = await post('/v1/calculate', cloth(10_900, 3))
    expect(body, text).toMatchObject({ subtotal: 32_700, tax_amount: 0 })
  })

  it('is answered for a fraction if all of it is below the limit', async () => {
    const { body, text } = await post('/v1/calculate', cloth(5_000, 1.5))
    expect(body, text).toMatchObject({ subtotal: 7_500, tax_amount: 0 })
  })

  it.each([
    ['New York: clothing of 110 USD', cloth(10_900, 1.5)],
    [
      'Massachusetts: the excess over 175 USD',
      american('MA', '02108', { ...cloth(20_000, 1.5).line_items[0] }),
    ],
  ])('refuses a fraction that hides the number of items: %s', async (_law, body) => {
    for (const path of ['/v1/calculate', '/v1/transactions']) {
      const refused = await post(path, body)
      expect(refused.body, refused.text).toMatchObject({
        reason: 'fractional_quantity',
        errors: [{ path: 'line_items[0].quantity' }],
      })
    }
  })

  it('asks an import by item for a number of items, and a sale within the country for none', async () => {
    const sale = (country: string) => ({
      currency: 'NZD',
      seller: { country, registrations: ['NZ'] },
      customer: { address: { country: 'NZ' } },
      line_items: [{ unit_amount: 90_000, quantity: 1.5, product_type: 'physical_goods' }],
    })
    const refused = await post('/v1/calculate', sale('CN'))
    expect(refused.text).toContain('fractional_quantity')
    const { status, text } = await post('/v1/calculate', sale('NZ'))
    expect(status, text).toBe(200)
  })
})
