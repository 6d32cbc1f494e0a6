'use strict'
const assert = require('node:assert/strict')
const { readFileSync } = require('node:fs')
const { after, before, test } = require('node:test')
const { Order, OrderLine, RequestContextService, ShippingLine } = require('@vendure/core')
const { createClient } = require('tax-compliance')
const { TaxComplianceService } = require('../src/plugin.js')
const { startShop } = require('./shop.js')

const { TAX_URL: url, TAX_API_KEY: apiKey, TAX_CARTS } = process.env
const { vendure: carts } = JSON.parse(readFileSync(TAX_CARTS, 'utf8'))

let shop
before(async () => {
  shop = await startShop(
    {
      url,
      apiKey,
      onFailure: 'refuse',
      productType: ({ productType }) => productType,
      customer: ({ facts }) => facts.customer,
      customerOf: ({ facts }) => facts.customer_id,
      shipFrom: ({ facts }) => facts.ship_from,
      pickup: ({ facts }) => facts.delivery === 'pickup' && facts.ship_from,
    },
    19_900 + (process.pid % 1_000),
  )
})
after(() => shop.server.destroy())

/** An order of Vendure with these facts. Discounts are promotions on a line, or on the whole order. */
function orderOf({ line_items, shipping_cost, discount_amount, customer, ...sale }, at) {
  const listPriceIncludesTax = sale.tax_behavior === 'inclusive'
  const common = { listPriceIncludesTax, adjustments: [], taxLines: [] }
  // Vendure keeps two digits of each currency.
  const scale = sale.currency === 'JPY' ? 100 : 1
  const lines = line_items.map(({ amount, quantity = 1, discount = 0, product_type }, id) => {
    const line = new OrderLine({
      ...common,
      id: id + 1,
      quantity,
      orderPlacedQuantity: 0,
      listPrice: (amount / quantity) * scale,
      taxCategoryId: 1,
      productVariant: { sku: `V${id}`, productType: product_type },
    })
    const off = discount + (line_items.length === 1 ? (discount_amount ?? 0) : 0)
    if (off > 0)
      line.addAdjustment({
        adjustmentSource: 'PROMOTION:1',
        type: 'PROMOTION',
        description: 'Off',
        amount: -off,
      })
    return line
  })
  const { country, region, postal_code, city } = customer.address
  const { address, ...facts } = customer
  const shippingAddress = { countryCode: country, province: region, postalCode: postal_code, city }
  const shipping = shipping_cost
    ? [new ShippingLine({ ...common, id: 1, listPrice: shipping_cost.amount })]
    : []
  const order = new Order({
    currencyCode: sale.currency,
    shippingAddress,
    lines,
    shippingLines: shipping,
    surcharges: [],
  })
  return Object.assign(order, { code: `D${at}-${process.pid}`, facts: { ...sale, customer: facts } })
}

test('each cart bears the tax that the service answers, and its sale has the facts in the books', async () => {
  const service = shop.server.app.get(TaxComplianceService)
  const tax = createClient({ baseUrl: url, apiKey })
  assert.ok(carts.length > 12)
  for (const [at, { name, sale, tax_amount, taxes }] of carts.entries()) {
    // The seller is one for all orders of a shop, and another in each cart.
    service.options.seller = sale.seller
    const order = orderOf(sale, at)
    const { sale: question, answer, shop_lines } = await service.ask(order)
    service.write(order, answer)
    assert.deepEqual([answer.tax_amount, taxesOf(answer)], [tax_amount, taxes], name)
    const booked = await recorded(service, tax, order, { sale: question, answer, shop_lines })
    assert.equal(booked.tax_amount, tax_amount, name)
    const pieces = booked.line_items.slice(0, sale.line_items.length).map(({ quantity }) => quantity)
    assert.deepEqual(
      pieces,
      sale.line_items.map(({ quantity = 1 }) => quantity),
      name,
    )
    assert.equal(booked.customer.id, sale.customer_id ?? null, name)
    assert.equal(booked.ship_from?.country, sale.ship_from?.country, name)
  }
})

const taxesOf = ({ line_items, shipping_cost }) =>
  [...line_items, ...(shipping_cost ? [shipping_cost] : [])].map((line) => line.tax_amount)

/** Places the order: its kept answer goes by the outbox into the books. */
async function recorded(service, tax, order, body) {
  const { TaxComplianceAnswer } = require('../src/entities.js')
  const { connection } = service
  const id = Number(order.code.replace(/\D/g, ''))
  Object.assign(order, { id, orderPlacedAt: new Date() })
  const answers = connection.rawConnection.getRepository(TaxComplianceAnswer)
  await answers.save({ orderId: String(id), keptAt: Date.now(), body })
  await service.keepSale({ ctx: await contextOf(), order })
  await service.flush()
  return tax.transactions.getByExternalId(order.code)
}

function contextOf() {
  return shop.server.app.get(RequestContextService).create({ apiType: 'shop' })
}
