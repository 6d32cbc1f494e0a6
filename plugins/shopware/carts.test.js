import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createClient } from 'tax-compliance'
import { createShopwareApp } from './src/app.js'
import { APP, cartOf, installed, orderOf, post, product, promotion, webhook } from './shop.js'

const { TAX_URL, TAX_API_KEY, TAX_CARTS } = process.env
const tax = createClient({ baseUrl: TAX_URL, apiKey: TAX_API_KEY })
const { shopware: carts } = JSON.parse(readFileSync(TAX_CARTS, 'utf8'))

const PICKUP = 'the-way-to-fetch'

/** Stores that last as long as the test. */
function memory() {
  const kept = new Map()
  const shops = { get: async (id) => kept.get(id), put: async (shop) => void kept.set(shop.id, shop) }
  const entries = new Map()
  const outbox = {
    put: async (entry) => void entries.set(entry.id, entry),
    list: async () => [...entries.values()],
    delete: async (id) => void entries.delete(id),
  }
  return { shops: { ...shops, delete: async (id) => void kept.delete(id) }, outbox, entries }
}

/** The facts of a sale that the merchant sets for all sales of the app. */
function settingsOf({ seller, ship_from, importer, marketplace, supply_address, customer_id, delivery }) {
  const sale = { seller, ship_from, importer, marketplace, supply_address }
  const counter = delivery === 'pickup' ? { pickup: { [PICKUP]: ship_from } } : {}
  return {
    sale: Object.fromEntries(Object.entries(sale).filter(([, value]) => value !== undefined)),
    customerOf: ({ number }) => (number === '10001' ? customer_id : undefined),
    ...counter,
  }
}

/** A cart of Shopware with these facts. A discount is a promotion on its line, or on all of them. */
function messageOf({ currency, customer, line_items, discount_amount, delivery, ...sale }) {
  const digits = currency === 'JPY' ? 1 : 100
  const lines = line_items.map(({ amount, quantity, product_type }) =>
    product(amount / digits, { quantity, payload: { customFields: { tax_product_type: product_type } } }),
  )
  const off = line_items.flatMap(({ discount }, at) =>
    discount
      ? [promotion(-discount / digits, [{ id: lines[at].id, quantity: 1, discount: discount / digits }])]
      : [],
  )
  if (discount_amount) off.push(promotion(-discount_amount / digits, []))
  const { address, vat_id } = customer
  const shipping = sale.shipping_cost ? [sale.shipping_cost.amount / digits] : delivery ? [0] : []
  const place = {
    zipcode: address.postal_code,
    city: address.city,
    country: { iso: address.country },
    countryState: address.region ? { shortCode: `${address.country}-${address.region}` } : null,
  }
  const taxStatus = sale.tax_behavior === 'inclusive' ? 'gross' : 'net'
  const message = cartOf({ address: place, currency, taxStatus, lines: [...lines, ...off], shipping })
  message.context.customer = { id: 'a1', customerNumber: '10001', vatIds: vat_id ? [vat_id] : null }
  for (const each of message.cart.deliveries)
    each.shippingMethod = { id: delivery === 'pickup' ? PICKUP : 'the-post' }
  return message
}

const sum = (rates) => rates.reduce((all, each) => all + each.tax, 0)
const cents = (amount, currency) => Math.round(amount * (currency === 'JPY' ? 1 : 100))

test('each cart bears the tax that the service answers, and its order has the facts in the books', async () => {
  assert.ok(carts.length > 12)
  for (const { name, sale, tax_amount } of carts) {
    const stores = memory()
    const told = []
    const app = createShopwareApp({
      ...APP,
      ...stores,
      ...settingsOf(sale),
      tax,
      product_type: 'physical_goods',
      on_failure: 'refuse',
      onTrouble: (trouble) => told.push(trouble),
      onUnrecorded: (unrecorded) => told.push(unrecorded),
    })
    const secret = await installed(app)
    const message = messageOf(sale)
    const response = await app.fetch(post('tax', message, secret))
    const taxes = await response.json()
    assert.equal(response.status, 200, `${name}: ${JSON.stringify(taxes)}`)
    assert.equal(cents(sum(taxes.cartPriceTaxes), sale.currency), tax_amount, name)
    const order = {
      ...orderOf(message, taxes, crypto.randomUUID()),
      orderCustomer: ordererOf(message),
      billingAddress: message.context.shippingLocation.address,
    }
    for (const [at, each] of order.deliveries.entries())
      each.shippingMethodId = message.cart.deliveries[at].shippingMethod.id
    await app.fetch(webhook('checkout.order.placed', order, secret))
    assert.deepEqual([told, stores.entries.size], [[], 0], name)
    const booked = await tax.transactions.getByExternalId(`${message.source.shopId}-${order.orderNumber}`)
    holdFacts(booked, sale, name)
    assert.equal(booked.tax_amount, tax_amount, name)
  }
})

const ordererOf = ({ context: { customer } }) => ({
  customerId: customer.id,
  customerNumber: customer.customerNumber,
  vatIds: customer.vatIds,
})

function holdFacts(booked, { line_items, customer_id, ship_from }, name) {
  const pieces = booked.line_items.slice(0, line_items.length).map(({ quantity }) => quantity)
  assert.deepEqual(
    pieces,
    line_items.map(({ quantity = 1 }) => quantity),
    name,
  )
  assert.equal(booked.customer.id, customer_id ?? null, name)
  assert.equal(booked.ship_from?.country, ship_from?.country, name)
}
