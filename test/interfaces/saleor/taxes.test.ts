import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { CalculateTaxesSchema, cartOf, type CartLine, orderEvent, PARIS, SAN_FRANCISCO } from './payloads.ts'
import { connected, type Installed, newPair, type Reply, serveShop, shop, tell } from './shop.ts'

await loadTestData()
shop.pairs = [await newPair()]
serveShop()

let install: Installed
beforeAll(async () => {
  install = await connected(['FR', 'US-CA', 'US-NY'], { country: 'FR', postal_code: '75001' })
})

const answered = ({ status, body }: Reply) => {
  expect(status, JSON.stringify(body)).toBe(200)
  return CalculateTaxesSchema.strict().parse(body)
}

const cents = (decimal: string) => Math.round(Number(decimal) * 100)

describe('the taxes of a cart', () => {
  it('have the lines of the cart in their order, with the discount shared', async () => {
    const lines = [
      { amount: 60, quantity: 3 },
      { amount: 30, tax_class: 'Books' },
    ]
    const reply = await tell(install, 'taxes', cartOf(lines, { discount: 9, shipping: 12.5 }))
    expect(answered(reply)).toEqual({
      // The postage bears the tax of what is sent.
      shipping_tax_rate: '15.2',
      shipping_price_net_amount: '12.50',
      shipping_price_gross_amount: '14.40',
      lines: [
        { tax_rate: '20', total_net_amount: '54.00', total_gross_amount: '64.80' },
        { tax_rate: '5.5', total_net_amount: '27.00', total_gross_amount: '28.49' },
      ],
    })
  })

  it('are taken out of prices that contain them, for orders too', async () => {
    const cart = cartOf([{ amount: 119.99 }], { inclusive: true, shipping: 6, kind: 'Order' })
    expect(answered(await tell(install, 'taxes', cart))).toMatchObject({
      shipping_price_net_amount: '5.00',
      lines: [{ total_net_amount: '99.99', total_gross_amount: '119.99' }],
    })
  })

  it('are those of the product that the shop names', async () => {
    const of = async (line: Partial<CartLine>) => tell(install, 'taxes', cartOf([{ amount: 10, ...line }]))
    expect(answered(await of({ tax_type: 'books' })).lines[0]?.tax_rate).toBe('5.5')
    expect(answered(await of({ tax_class: 'Our own class' })).lines[0]?.tax_rate).toBe('20')
    expect(await of({ tax_type: 'bokks' })).toMatchObject({
      status: 400,
      body: { reason: 'unknown_product_type', message: expect.stringContaining('taxBase.lines[0]') },
    })
  })

  it('are not answered before there is a place or a line: 202, which is no answer', async () => {
    for (const cart of [cartOf([{ amount: 10 }], { address: null }), cartOf([])]) {
      const { status, body } = await tell(install, 'taxes', cart)
      expect([status, Object.keys(body)]).toEqual([202, ['message']])
      expect(CalculateTaxesSchema.safeParse(body).success).toBe(false)
    }
  })

  it('are never a silent zero: what cannot be calculated is an error with its field', async () => {
    const place = { ...SAN_FRANCISCO, countryArea: '', postalCode: '' }
    const bad = await tell(install, 'taxes', cartOf([{ amount: 10 }], { address: place, currency: 'USD' }))
    expect(bad).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR' } })
    const { status, body } = await tell(install, 'taxes', { __typename: 'CalculateTaxes', taxBase: {} })
    expect([status, body['reason']]).toEqual([400, 'invalid_request'])
    expect((await tell(install, 'taxes', orderEvent('OrderConfirmed', { id: 'x' }, []))).status).toBe(400)
  })

  it('add up to the total of our answer in 1,000 random carts', async () => {
    const random = seeded(20_261_125)
    const classes = [undefined, 'Books', 'clothing', 'groceries', 'saas', 'Something else']
    for (let count = 0; count < 1_000; count += 1) {
      const american = random(2) === 0
      const lines = Array.from({ length: 1 + random(6) }, (): CartLine => {
        const tax_class = classes[random(classes.length)]
        return { amount: random(50_000) / 100, quantity: 1 + random(4), ...(tax_class && { tax_class }) }
      })
      const sum = lines.reduce((total, { amount }) => total + Math.round(amount * 100), 0)
      const cart = {
        address: american ? SAN_FRANCISCO : PARIS,
        currency: american ? 'USD' : 'EUR',
        inclusive: random(2) === 0,
        discount: random(3) === 0 ? random(sum + 1) / 100 : 0,
        shipping: random(2_000) / 100,
      }
      const answer = answered(await tell(install, 'taxes', cartOf(lines, cart)))
      expect(answer.lines.length).toBe(lines.length)
      const parts = [
        ...answer.lines.map((line) => cents(line.total_gross_amount)),
        cents(answer.shipping_price_gross_amount),
      ]
      const type = (name?: string) => name?.toLowerCase() ?? 'physical_goods'
      const own = await call('POST', '/v1/calculate', {
        key: install.key,
        body: {
          currency: cart.currency,
          tax_behavior: cart.inclusive ? 'inclusive' : 'exclusive',
          customer: {
            address: american
              ? {
                  country: 'US',
                  region: 'CA',
                  city: 'SAN FRANCISCO',
                  postal_code: '94111',
                  line1: '600 Montgomery St',
                }
              : { country: 'FR', city: 'PARIS', postal_code: '75001', line1: '1 rue de Rivoli' },
          },
          line_items: lines.map(({ amount, quantity, tax_class }) => ({
            amount: Math.round(amount * 100),
            quantity,
            product_type: tax_class === 'Something else' ? 'physical_goods' : type(tax_class),
          })),
          shipping_cost: { amount: Math.round(cart.shipping * 100) },
          ...(cart.discount > 0 && { discount_amount: Math.round(cart.discount * 100) }),
        },
      })
      expect(own.status, own.text).toBe(200)
      expect(parts.reduce((total, part) => total + part, 0)).toBe(own.body['total'])
    }
  })
})

/** Numbers below a limit, the same in each run. */
function seeded(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
