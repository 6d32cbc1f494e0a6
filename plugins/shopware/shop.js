import { createHmac } from 'node:crypto'

/**
 * What Shopware does, for the tests: it signs requests, and puts taxes of a provider into its cart. The second
 * follows `TaxAdjustment.php` of Shopware 6.7 and `CalculatedTaxCollection.php`.
 */
export const APP = {
  appName: 'TaxCompliance',
  appSecret: 'the-secret-of-the-app',
  url: 'https://app.test/shop/',
}

const SHOP = { id: 'vvRy7Nv3Bo8mAVda', url: 'https://shop.test' }

export const hmac = (text, secret) => createHmac('sha256', secret).update(text).digest('hex')

/** `own`: the secret of a shop that registers again. */
export function registration(timestamp, secret = APP.appSecret, own) {
  const url = encodeURIComponent(SHOP.url)
  const signed = `shop-id=${SHOP.id}&shop-url=${SHOP.url}&timestamp=${timestamp}`
  return new Request(`${APP.url}register?shop-id=${SHOP.id}&shop-url=${url}&timestamp=${timestamp}`, {
    headers: {
      'shopware-app-signature': hmac(signed, secret),
      ...(own && { 'shopware-shop-signature': hmac(signed, own) }),
    },
  })
}

export const PROOF = hmac(SHOP.id + SHOP.url + APP.appName, APP.appSecret)

export function post(path, message, secret) {
  const body = JSON.stringify(message)
  const headers = { 'Content-Type': 'application/json', 'shopware-shop-signature': hmac(body, secret) }
  return new Request(APP.url + path, { method: 'POST', headers, body })
}

export const confirmation = (secret) =>
  post(
    'confirm',
    { shopId: SHOP.id, shopUrl: SHOP.url, apiKey: 'a key', secretKey: 'a secret', timestamp: '1' },
    secret,
  )

/** Registers a shop, and returns its secret. */
export async function installed(app) {
  const { secret } = await (await app.fetch(registration(Math.floor(Date.now() / 1_000)))).json()
  await app.fetch(confirmation(secret))
  return secret
}

const source = { url: SHOP.url, shopId: SHOP.id, appVersion: '1.0.0' }

export const PARIS = { zipcode: '75002', city: 'Paris', country: { iso: 'FR' }, countryState: null }
export const NEW_YORK = {
  zipcode: '10001',
  city: 'New York',
  country: { iso: 'US' },
  countryState: { shortCode: 'US-NY' },
}

const price = (totalPrice, quantity = 1) => ({ totalPrice, quantity, calculatedTaxes: [], taxRules: [] })

export const product = (totalPrice, more = {}) => {
  const id = crypto.randomUUID()
  const quantity = more.quantity ?? 1
  const line = { id, uniqueIdentifier: `unique-${id}`, type: 'product', label: 'Lamp', payload: {} }
  return { ...line, price: price(totalPrice, quantity), ...more, quantity }
}

export const promotion = (totalPrice, composition) => ({
  ...product(totalPrice),
  type: 'promotion',
  label: 'Summer',
  payload: { composition },
})

/** A request to the tax provider. A discount on the shipping is a delivery with the same positions. */
export function cartOf({ address, currency = 'EUR', taxStatus, lines, shipping = [] }) {
  const positions = lines.slice(0, 1).map(({ id }) => ({ identifier: id }))
  const deliveries = shipping.map((cost) => ({ positions, shippingCosts: price(cost) }))
  return {
    source,
    cart: { price: { taxStatus }, lineItems: lines, deliveries },
    context: {
      currency: { isoCode: currency },
      customer: { vatIds: null },
      shippingLocation: { address, country: address.country, state: address.countryState },
    },
  }
}

const sumOf = (amounts) => amounts.reduce((sum, amount) => sum + amount, 0)
const rounded = (amount) => Math.round(amount * 100) / 100
/** Shopware keeps one tax of each rate: a later one takes the place of an earlier one. */
const collection = (taxes) => [...new Map(taxes.map((tax) => [String(tax.taxRate), tax])).values()]

/** The order that Shopware makes of a cart with the taxes of a provider. */
export function orderOf({ cart, context }, taxes, orderNumber) {
  const lineItems = cart.lineItems.map((line) => ({
    ...line,
    identifier: line.id,
    price: { ...line.price, calculatedTaxes: collection(taxes.lineItemTaxes[line.uniqueIdentifier]) },
  }))
  const deliveries = cart.deliveries.map(({ positions, shippingCosts }) => ({
    shippingOrderAddress: context.shippingLocation.address,
    shippingCosts: {
      ...shippingCosts,
      calculatedTaxes: collection(taxes.deliveryTaxes[positions[0].identifier]),
    },
  }))
  const calculatedTaxes = collection(taxes.cartPriceTaxes)
  const tax = sumOf(calculatedTaxes.map((each) => each.tax))
  const prices = [...lineItems.map((line) => line.price), ...deliveries.map((each) => each.shippingCosts)]
  const shown = sumOf(prices.map(({ totalPrice }) => totalPrice))
  const { taxStatus } = cart.price
  const total = rounded(taxStatus === 'net' ? shown + tax : shown)
  return {
    orderNumber,
    orderDateTime: new Date().toISOString(),
    currency: context.currency,
    orderCustomer: { vatIds: null },
    taxStatus,
    price: { totalPrice: total, netPrice: rounded(total - tax), taxStatus, calculatedTaxes },
    lineItems,
    deliveries,
  }
}

export const webhook = (event, order, secret) => happened(event, { order }, secret)

export const happened = (event, payload, secret, path = 'orders') =>
  post(path, { source, data: { event, payload }, timestamp: 1 }, secret)
