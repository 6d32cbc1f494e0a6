'use strict'
const { Order, OrderLine, ShippingLine, Surcharge } = require('@vendure/core')

const PLACES = [
  ['EUR', { countryCode: 'FR', postalCode: '75002', city: 'Paris' }],
  ['EUR', { countryCode: 'DE', postalCode: '10115', city: 'Berlin' }],
  ['EUR', { countryCode: 'IT', postalCode: '00118', city: 'Roma' }],
  ['EUR', { countryCode: 'HU', postalCode: '1011', city: 'Budapest' }],
  ['EUR', { countryCode: 'IE', postalCode: 'D01 F5P2', city: 'Dublin' }],
  ['USD', { countryCode: 'US', province: 'New York', postalCode: '10001', city: 'New York' }],
  ['USD', { countryCode: 'US', province: 'NY', postalCode: '14201', city: 'Buffalo' }],
  ['USD', { countryCode: 'US', province: 'CO', postalCode: '80202', city: 'Denver' }],
  ['USD', { countryCode: 'US', province: 'TN', postalCode: '37201', city: 'Nashville' }],
  ['USD', { countryCode: 'US', province: 'MA', postalCode: '02108', city: 'Boston' }],
  ['USD', { countryCode: 'US', province: 'TX', postalCode: '73301', city: 'Austin' }],
  ['USD', { countryCode: 'US', province: 'CA', postalCode: '90001', city: 'Los Angeles' }],
]
const TYPES = ['physical_goods', 'clothing', 'groceries', 'books', 'ebooks', 'saas', 'digital_goods']

/** The same numbers at each run: a linear congruential generator. */
function numbers(seed = 7) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Orders of many places, prices, quantities and discounts; `tried` are the promotions of each. */
function carts(count) {
  const random = numbers()
  return Array.from({ length: count }, (_, at) => {
    const [currencyCode, shippingAddress] = PLACES[random(PLACES.length)]
    const listPriceIncludesTax = currencyCode === 'EUR' && random(2) === 0
    const common = { listPriceIncludesTax, adjustments: [], taxLines: [] }
    const line = (number) => ({
      ...common,
      id: number + 1,
      quantity: 1 + random(12),
      orderPlacedQuantity: 0,
      listPrice: random(4) === 0 ? 10_000 + random(400_000) : 1 + random(9_999),
      taxCategoryId: 1,
      productVariant: { sku: `V${number}`, productType: TYPES[random(TYPES.length)] },
    })
    const lines = Array.from({ length: 1 + random(6) }, (_, number) => new OrderLine(line(number)))
    const shippingLines = Array.from(
      { length: random(4) % 3 },
      (_, number) => new ShippingLine({ ...common, id: number + 1, listPrice: random(3_000) }),
    )
    const surcharges = Array.from(
      { length: random(4) === 0 ? 1 + random(2) : 0 },
      (_, number) =>
        new Surcharge({ ...common, id: number + 1, description: 'Wrapping', listPrice: random(2_000) }),
    )
    const order = new Order({ currencyCode, shippingAddress, lines, shippingLines, surcharges })
    order.code = `R${at}`
    return Object.assign(order, { tried: random(2) === 0 ? [] : [promotionOf(1 + random(40))] })
  })
}

/** A discount on the whole order, which Vendure distributes to its lines. */
function promotionOf(percent) {
  return {
    id: 1,
    test: async () => true,
    apply: async (_ctx, { order, orderLine, shippingLine }) => {
      if (orderLine || shippingLine) return undefined
      const amount = -Math.round((order.subTotal * percent) / 100)
      const type = 'DISTRIBUTED_ORDER_PROMOTION'
      return { amount, type, adjustmentSource: 'PROMOTION:1', description: `${percent} %`, data: {} }
    },
  }
}

module.exports = { carts }
