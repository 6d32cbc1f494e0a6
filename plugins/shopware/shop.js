import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

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
export function registration(timestamp, secret = APP.appSecret, own, url = SHOP.url) {
  const signed = `shop-id=${SHOP.id}&shop-url=${url}&timestamp=${timestamp}`
  const query = new URLSearchParams({ 'shop-id': SHOP.id, 'shop-url': url, timestamp })
  return new Request(`${APP.url}register?${query}`, {
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

/** What the shop gives the app for its Admin API. */
export const API = { apiKey: 'a key', secretKey: 'a secret' }

export const confirmation = (secret, api = API) =>
  post('confirm', { shopId: SHOP.id, shopUrl: SHOP.url, ...api, timestamp: '1' }, secret)

/** Registers a shop, and returns its secret. */
export async function installed(app, url = SHOP.url) {
  const now = Math.floor(Date.now() / 1_000)
  const { secret } = await (await app.fetch(registration(now, APP.appSecret, undefined, url))).json()
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
    id: crypto.randomUUID(),
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

/** A refund of a payment, as the Admin API answers it. `positions`: pairs of a line and the pieces of it. */
export const refundOf = (amount, positions = [], technicalName = 'completed') => ({
  id: crypto.randomUUID().replaceAll('-', ''),
  amount: price(amount),
  createdAt: new Date().toISOString(),
  updatedAt: null,
  stateMachineState: { technicalName },
  positions: positions.map(([line, quantity]) => ({
    orderLineItemId: line.id,
    quantity,
    amount: price((line.price.totalPrice / line.quantity) * quantity, quantity),
  })),
})

/**
 * The Admin API of a shop, for its tokens and its search of orders. It follows `OrderDefinition.php` and those
 * of transactions, captures and refunds: an association that the query does not name is not in the answer.
 */
export async function adminApi(t) {
  const api = { refunds: [], currency: 'EUR', asked: [], answer: undefined }
  const orderOfQuery = ({ filter: [by], associations: { currency, transactions } }) => ({
    [by.field]: by.value,
    ...(currency && { currency: { isoCode: api.currency } }),
    ...(transactions?.associations.captures.associations.refunds && {
      // The first payment failed, and has no capture.
      transactions: [{ captures: [] }, { captures: [{ refunds: api.refunds }] }],
    }),
  })
  const answerTo = (path, headers, body) => {
    if (api.answer !== undefined) return api.answer
    if (path === '/api/oauth/token')
      return body.grant_type === 'client_credentials' &&
        body.client_id === API.apiKey &&
        body.client_secret === API.secretKey
        ? [200, { token_type: 'Bearer', expires_in: 600, access_token: 'a token' }]
        : [401, { errors: [] }]
    if (headers.authorization !== 'Bearer a token') return [401, { errors: [] }]
    if (path !== '/api/search/order') return [404, { errors: [] }]
    return [200, { total: 1, data: [orderOfQuery(body)] }]
  }
  const server = createServer(async (incoming, outgoing) => {
    const body = JSON.parse(await text(incoming))
    api.asked.push(incoming.url)
    const [status, answer, headers = {}] = answerTo(incoming.url, incoming.headers, body)
    outgoing.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    outgoing.end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  api.url = `http://127.0.0.1:${server.address().port}`
  return api
}
