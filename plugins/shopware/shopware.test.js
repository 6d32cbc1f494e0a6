import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createClient } from 'tax-compliance'
import { createOffline, takeOfflineData } from 'tax-compliance/offline'
import { createShopwareApp } from './src/app.js'
import { fileOutbox, fileShops } from './src/file-stores.js'
import { taxesOf } from './src/taxes.js'
import { adminApi, APP, cartOf, confirmation, hmac, installed, NEW_YORK, orderOf, PARIS } from './shop.js'
import { refundOf, happened, post, product, promotion, PROOF, registration, webhook } from './shop.js'

const { TAX_URL, TAX_API_KEY } = process.env
const service = createClient({ baseUrl: TAX_URL, apiKey: TAX_API_KEY, retries: 0 })
const folder = await mkdtemp(join(tmpdir(), 'shopware-'))
after(() => rm(folder, { recursive: true }))

const SELLER = { country: 'DE', registrations: ['oss_union', 'US-NY'] }
const seconds = () => Math.floor(Date.now() / 1_000)

/** An app with a folder of its own, a record of the answers, and of what it told the merchant. */
function appWith(options = {}) {
  const own = join(folder, crypto.randomUUID())
  const told = []
  const answers = []
  const tax = options.tax ?? service
  const app = createShopwareApp({
    ...APP,
    shops: fileShops(join(own, 'shops')),
    outbox: fileOutbox(join(own, 'outbox')),
    product_type: 'physical_goods',
    on_failure: 'refuse',
    sale: { seller: SELLER },
    onTrouble: (trouble) => told.push(trouble),
    onUnrecorded: (unrecorded) => told.push(unrecorded),
    ...options,
    tax: {
      transactions: tax.transactions,
      calculate: async (...args) => {
        const answer = await tax.calculate(...args)
        answers.push(answer)
        return answer
      },
    },
  })
  return { app, told, answers }
}

/** The taxes of a cart. The signature of the answer is checked as Shopware does. */
async function taxesFor(app, secret, message) {
  const response = await app.fetch(post('tax', message, secret))
  const body = await response.text()
  assert.equal(response.headers.get('shopware-app-signature'), hmac(body, secret))
  return { status: response.status, taxes: JSON.parse(body) }
}

/** A service that can go away and come back at the same address, in front of the real one. */
async function doorTo(t, target) {
  const server = createServer((incoming, outgoing) => {
    const chunks = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', async () => {
      const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined
      const { authorization, 'content-type': type = '' } = incoming.headers
      const headers = { authorization, 'content-type': type, 'idempotency-key': crypto.randomUUID() }
      const answer = await fetch(new URL(incoming.url, target), { method: incoming.method, headers, body })
      outgoing.writeHead(answer.status, { 'content-type': 'application/json', connection: 'close' })
      outgoing.end(await answer.text())
    })
  })
  const open = async (port) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server.address().port
  }
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  t.after(close)
  const port = await open(0)
  const tax = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: TAX_API_KEY, retries: 0 })
  return { tax, close, open: () => open(port) }
}

test('a shop registers with the app secret, and confirms its own', async () => {
  const { app } = appWith()
  const response = await app.fetch(registration(seconds()))
  assert.equal(response.status, 200)
  const { proof, secret, confirmation_url } = await response.json()
  assert.equal(proof, PROOF)
  assert.equal(confirmation_url, 'https://app.test/shop/confirm')
  const cart = cartOf({ address: PARIS, taxStatus: 'net', lines: [product(10)] })
  assert.equal((await app.fetch(post('tax', cart, secret))).status, 401)
  assert.equal((await app.fetch(confirmation('another secret'))).status, 401)
  assert.equal((await app.fetch(confirmation(secret))).status, 204)
  assert.equal((await taxesFor(app, secret, cart)).status, 200)
})

test('a registration with a wrong secret, or an old one, is refused', async () => {
  const { app } = appWith()
  assert.equal((await app.fetch(registration(seconds(), 'wrong'))).status, 401)
  assert.equal((await app.fetch(registration(seconds() - 301))).status, 401)
})

test('another registration leaves the secret in use until it is confirmed', async () => {
  const { app } = appWith()
  const first = await installed(app)
  const again = await app.fetch(registration(seconds(), APP.appSecret, first))
  const { secret: second } = await again.json()
  const cart = cartOf({ address: PARIS, taxStatus: 'net', lines: [product(10)] })
  assert.equal((await app.fetch(post('tax', cart, first))).status, 200)
  assert.equal((await app.fetch(confirmation(second))).status, 204)
  assert.equal((await app.fetch(post('tax', cart, first))).status, 401)
  assert.equal((await app.fetch(post('tax', cart, second))).status, 200)
})

test('another registration without the secret in use is refused, and changes nothing', async () => {
  const { app } = appWith()
  const secret = await installed(app)
  for (const own of [undefined, 'wrong', APP.appSecret])
    assert.equal((await app.fetch(registration(seconds(), APP.appSecret, own))).status, 401)
  const again = await (await app.fetch(registration(seconds(), APP.appSecret, secret))).json()
  const confirmed = confirmation(again.secret)
  confirmed.headers.set('shopware-shop-signature-previous', hmac('another body', secret))
  assert.equal((await app.fetch(confirmed)).status, 401)
  const cart = cartOf({ address: PARIS, taxStatus: 'net', lines: [product(10)] })
  assert.equal((await app.fetch(post('tax', cart, secret))).status, 200)
})

test('an uninstalled app forgets the secrets of the shop, which may then register anew', async () => {
  const { app } = appWith()
  const secret = await installed(app)
  await app.fetch(registration(seconds(), APP.appSecret, secret))
  const deleted = (own) => app.fetch(happened('app.deleted', { keepUserData: false }, own, 'deleted'))
  assert.equal((await deleted('wrong')).status, 401)
  assert.equal((await app.fetch(happened('app.updated', {}, secret, 'deleted'))).status, 400)
  assert.equal((await deleted(secret)).status, 204)
  assert.equal((await deleted(secret)).status, 401)
  const cart = cartOf({ address: PARIS, taxStatus: 'net', lines: [product(10)] })
  assert.equal((await app.fetch(post('tax', cart, secret))).status, 401)
  assert.equal((await app.fetch(post('tax', cart, await installed(app)))).status, 200)
})

test('a request with a bad signature, or none, is refused', async () => {
  const { app, answers } = appWith()
  const secret = await installed(app)
  const cart = cartOf({ address: PARIS, taxStatus: 'net', lines: [product(10)] })
  const changed = post('tax', cart, secret)
  const stolen = new Request(changed.url, {
    method: 'POST',
    headers: changed.headers,
    body: JSON.stringify({ ...cart, more: 1 }),
  })
  const bare = new Request(changed.url, { method: 'POST', body: JSON.stringify(cart) })
  for (const request of [post('tax', cart, 'wrong'), stolen, bare])
    assert.equal((await app.fetch(request)).status, 401)
  const order = webhook('checkout.order.placed', {}, 'wrong')
  assert.equal((await app.fetch(order)).status, 401)
  assert.deepEqual(answers, [])
})

test('a body that is no cart is told what it lacks', async () => {
  const { app } = appWith()
  const secret = await installed(app)
  const message = cartOf({ address: PARIS, taxStatus: 'net', lines: [product(10)] })
  const { status, taxes } = await taxesFor(app, secret, { ...message, cart: { price: { taxStatus: 'net' } } })
  assert.deepEqual([status, taxes.error], [422, 'cart.lineItems must be a list'])
  const noJson = new Request(`${APP.url}tax`, { method: 'POST', body: 'no' })
  assert.equal((await app.fetch(noJson)).status, 400)
  assert.equal((await app.fetch(new Request(`${APP.url}other`))).status, 404)
})

test('gross prices in France contain the tax, net prices do not', async () => {
  const { app } = appWith()
  const secret = await installed(app)
  const ordered = async (taxStatus) => {
    const message = cartOf({ address: PARIS, taxStatus, lines: [product(19.99)], shipping: [4.9] })
    return orderOf(message, (await taxesFor(app, secret, message)).taxes)
  }
  const gross = await ordered('gross')
  assert.deepEqual([gross.price.totalPrice, gross.price.netPrice], [24.89, 20.74])
  assert.deepEqual(gross.lineItems[0].price.calculatedTaxes, [{ tax: 3.33, taxRate: 20, price: 19.99 }])
  const net = await ordered('net')
  assert.deepEqual([net.price.totalPrice, net.price.netPrice], [29.87, 24.89])
})

test('199.00 in New York City bear 17.66, as one rate of state and city', async () => {
  const { app } = appWith()
  const secret = await installed(app)
  const lines = [product(199)]
  const message = cartOf({ address: NEW_YORK, currency: 'USD', taxStatus: 'net', lines })
  const { taxes } = await taxesFor(app, secret, message)
  assert.deepEqual(taxes, {
    lineItemTaxes: { [lines[0].uniqueIdentifier]: [{ tax: 17.66, taxRate: 8.875, price: 199 }] },
    deliveryTaxes: {},
    cartPriceTaxes: [{ tax: 17.66, taxRate: 8.875, price: 199 }],
  })
})

test('a promotion lowers the lines that it is for, and a discount on shipping the shipping', async () => {
  const { app, answers } = appWith()
  const secret = await installed(app)
  const book = product(20, { payload: { customFields: { tax_product_type: 'books' } } })
  const lamp = product(100)
  const off = promotion(-10, [{ id: lamp.id, quantity: 1, discount: 10 }])
  const lines = [book, lamp, off]
  const message = cartOf({ address: PARIS, taxStatus: 'net', lines, shipping: [5, -5] })
  const { taxes } = await taxesFor(app, secret, message)
  assert.deepEqual(taxes.lineItemTaxes, {
    [book.uniqueIdentifier]: [{ tax: 1.1, taxRate: 5.5, price: 20 }],
    [lamp.uniqueIdentifier]: [{ tax: 18, taxRate: 20, price: 90 }],
    [off.uniqueIdentifier]: [{ tax: 0, taxRate: 0, price: 0 }],
  })
  assert.equal(answers[0].shipping_cost.amount, 0)
  const { price } = orderOf(message, taxes)
  assert.deepEqual([price.totalPrice, price.netPrice], [129.1, 110])
})

test('a discount that is more than the goods cost is refused, and told', async () => {
  const { app, told } = appWith()
  const secret = await installed(app)
  const lines = [product(10), promotion(-11)]
  const { status, taxes } = await taxesFor(app, secret, cartOf({ address: PARIS, taxStatus: 'net', lines }))
  assert.equal(status, 422)
  assert.match(taxes.error, /more than its goods/)
  assert.equal(told[0].outcome, 'refused')
})

test('what the service refuses is refused, and told', async () => {
  const { app, told } = appWith({ product_type: 'no_such_type' })
  const secret = await installed(app)
  const message = cartOf({ address: PARIS, taxStatus: 'net', lines: [product(10)] })
  const { status, taxes } = await taxesFor(app, secret, message)
  assert.equal(status, 422)
  assert.match(taxes.error, /product_type/)
  assert.equal(told.length, 1)
})

/** A generator of the same numbers in each run. */
function randomBy(seed) {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const CALGARY = {
  zipcode: 'T2P 1J9',
  city: 'Calgary',
  country: { iso: 'CA' },
  countryState: { shortCode: 'CA-AB' },
}
const MONTREAL = {
  zipcode: 'H2Y 1C6',
  city: 'Montréal',
  country: { iso: 'CA' },
  countryState: { shortCode: 'CA-QC' },
}
const PLACES = [
  [PARIS, 'EUR'],
  [{ zipcode: '10115', city: 'Berlin', country: { iso: 'DE' }, countryState: null }, 'EUR'],
  [NEW_YORK, 'USD'],
  [CALGARY, 'CAD'],
  [MONTREAL, 'CAD'],
]
const TYPES = ['physical_goods', 'clothing', 'books', 'basic_food', 'saas']

function randomCart(random) {
  const [address, currency] = PLACES[random(PLACES.length)]
  const lines = Array.from({ length: 1 + random(6) }, () =>
    product((1 + random(30_000)) / 100, {
      quantity: 1 + random(3),
      payload: { customFields: { tax_product_type: TYPES[random(TYPES.length)] } },
    }),
  )
  const total = lines.reduce((sum, { price }) => sum + price.totalPrice, 0)
  if (random(2) === 0) {
    const [first, second = first] = lines
    const off =
      Math.floor(random(100) * (first.price.totalPrice + (second === first ? 0 : second.price.totalPrice))) /
      100
    const composition = [first, second].map(({ id, price }) => ({
      id,
      quantity: 1,
      discount: price.totalPrice / 3,
    }))
    if (off > 0) lines.push(promotion(-off, composition))
    else lines.push({ ...promotion(-Math.ceil(total) / 100), type: 'credit', payload: {} })
  }
  const shipping = [[], [4.9], [5.95, -2], [0]][random(4)]
  return cartOf({ address, currency, taxStatus: ['gross', 'net'][random(2)], lines, shipping })
}

const inCents = (amount) => Math.round(amount * 100)

test('1,000 random carts: the totals of the shop are those of the answer, to the cent', async () => {
  const seller = { country: 'DE', registrations: ['oss_union', 'US-NY', 'CA', 'CA-QC'] }
  const random = randomBy(38)
  for (let done = 0; done < 1_000; done += 20)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { app, answers } = appWith({ sale: { seller } })
        const secret = await installed(app)
        const message = randomCart(random)
        const { status, taxes } = await taxesFor(app, secret, message)
        assert.equal(status, 200, JSON.stringify([taxes, message]))
        const { price, lineItems, deliveries } = orderOf(message, taxes)
        const [answer] = answers
        const ofLines = [
          ...lineItems.map((line) => line.price),
          ...deliveries.slice(0, 1).map((each) => each.shippingCosts),
        ]
          .flatMap(({ calculatedTaxes }) => calculatedTaxes)
          .reduce((sum, { tax }) => sum + inCents(tax), 0)
        assert.deepEqual(
          [inCents(price.totalPrice), inCents(price.totalPrice) - inCents(price.netPrice), ofLines],
          [answer.total, answer.tax_amount, answer.tax_amount],
          JSON.stringify(message),
        )
      }),
    )
})

test('service away, refuse: the cart fails within the limit, and the merchant is told', async (t) => {
  const door = await doorTo(t, TAX_URL)
  await door.close()
  const { app, told } = appWith({ tax: door.tax })
  const secret = await installed(app)
  const message = cartOf({ address: PARIS, taxStatus: 'net', lines: [product(10)] })
  const { status, taxes } = await taxesFor(app, secret, message)
  assert.equal(status, 503)
  assert.equal(taxes.lineItemTaxes, undefined)
  assert.equal(told[0].outcome, 'refused')
})

test('a service that does not answer is given up before Shopware gives up', async (t) => {
  const silent = createServer(() => {})
  t.after(() => {
    silent.closeAllConnections()
    silent.close()
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const tax = createClient({ baseUrl: `http://127.0.0.1:${silent.address().port}`, apiKey: TAX_API_KEY })
  const { app } = appWith({ tax })
  const secret = await installed(app)
  const started = performance.now()
  const message = cartOf({ address: PARIS, taxStatus: 'net', lines: [product(10)] })
  assert.equal((await taxesFor(app, secret, message)).status, 503)
  assert.ok(performance.now() - started < 5_000)
})

test('service away, last_known: an equal cart gets its last answer, another one none', async (t) => {
  const door = await doorTo(t, TAX_URL)
  const { app, told } = appWith({ tax: door.tax, on_failure: 'last_known', memo_ms: 0 })
  const secret = await installed(app)
  const message = cartOf({ address: PARIS, taxStatus: 'net', lines: [product(10)] })
  const { taxes: before } = await taxesFor(app, secret, message)
  await door.close()
  const { status, taxes } = await taxesFor(app, secret, message)
  assert.deepEqual([status, taxes], [200, before])
  assert.equal(told[0].outcome, 'last_known')
  const other = cartOf({ address: PARIS, taxStatus: 'net', lines: [product(11)] })
  assert.equal((await taxesFor(app, secret, other)).status, 503)
})

test('service away, snapshot: the cart is calculated from the snapshot, and one that it lacks is refused', async (t) => {
  const door = await doorTo(t, TAX_URL)
  const snapshot = createOffline()
  await snapshot.load(await takeOfflineData(service))
  const { app, told } = appWith({ tax: door.tax, on_failure: 'snapshot', snapshot, memo_ms: 0 })
  const secret = await installed(app)
  const lines = [product(19.99), product(5.01)]
  const message = cartOf({ address: PARIS, taxStatus: 'gross', lines, shipping: [4.9] })
  const { taxes: before } = await taxesFor(app, secret, message)
  await door.close()
  const { status, taxes } = await taxesFor(app, secret, message)
  assert.deepEqual([status, taxes], [200, before])
  assert.equal(told[0].outcome, 'snapshot')
  const local = cartOf({ address: NEW_YORK, currency: 'USD', taxStatus: 'net', lines: [product(10)] })
  const refused = await taxesFor(app, secret, local)
  assert.deepEqual([refused.status, refused.taxes.lineItemTaxes], [503, undefined])
  assert.equal(told[1].outcome, 'refused')
})

test('an order is in the books once with its own taxes, also if the service was away, and goes back once', async (t) => {
  const door = await doorTo(t, TAX_URL)
  const { app, told } = appWith({ tax: door.tax })
  const secret = await installed(app)
  const lamp = product(199)
  const lines = [lamp, product(30.5), promotion(-20, [{ id: lamp.id, quantity: 1, discount: 20 }])]
  const message = cartOf({
    address: NEW_YORK,
    currency: 'USD',
    taxStatus: 'net',
    lines,
    shipping: [5.95, -2],
  })
  const { taxes } = await taxesFor(app, secret, message)
  const order = orderOf(message, taxes, `${Date.now()}`)
  const placed = () => app.fetch(webhook('checkout.order.placed', order, secret))
  await door.close()
  assert.equal((await placed()).status, 204)
  assert.equal(told[0].why, 'away')
  await door.open()
  assert.equal(await app.flush(), 1)
  assert.equal((await placed()).status, 204)
  const number = `${message.source.shopId}-${order.orderNumber}`
  const sale = await service.transactions.getByExternalId(number)
  assert.deepEqual(
    [sale.total, sale.tax_amount],
    [inCents(order.price.totalPrice), inCents(order.price.totalPrice) - inCents(order.price.netPrice)],
  )
  for (const event of ['state_enter.order_transaction.state.refunded', 'state_enter.order.state.cancelled'])
    assert.equal((await app.fetch(webhook(event, order, secret))).status, 204)
  const { status, amount_refunded, refunds } = await service.transactions.getByExternalId(number)
  assert.deepEqual([status, amount_refunded, refunds.length], ['refunded', sale.total, 1])
})

test('an order that cannot be recorded is told to the merchant alone, and an event of another kind refused', async () => {
  const { app, told } = appWith()
  const secret = await installed(app)
  const order = { orderNumber: '1', currency: { isoCode: 'EUR' } }
  assert.equal((await app.fetch(webhook('checkout.order.placed', order, secret))).status, 204)
  assert.equal(told[0].order_number, '1')
  assert.equal((await app.fetch(webhook('product.written', order, secret))).status, 400)
})

const COMPLETED = 'state_enter.order_transaction_capture_refund.state.completed'
const IN_PART = 'state_enter.order_transaction.state.refunded_partially'
const WHOLE = 'state_enter.order_transaction.state.refunded'

/** A recorded order of two lamps and a book in Paris, at a shop with an Admin API. */
async function orderWithRefunds(t, options) {
  const shop = await adminApi(t)
  const { app, told } = appWith(options)
  const secret = await installed(app, shop.url)
  const lamps = product(240, { quantity: 2 })
  const book = product(10.55, { payload: { customFields: { tax_product_type: 'books' } } })
  const message = cartOf({ address: PARIS, taxStatus: 'gross', lines: [lamps, book], shipping: [6] })
  const { taxes } = await taxesFor(app, secret, message)
  const order = orderOf(message, taxes, crypto.randomUUID())
  const send = async (event) => assert.equal((await app.fetch(webhook(event, order, secret))).status, 204)
  await send('checkout.order.placed')
  const read = () => service.transactions.getByExternalId(`${message.source.shopId}-${order.orderNumber}`)
  return { app, secret, shop, told, order, send, read }
}

test('a refund of a part is in the books once, on the lines that it names, and the rest goes back', async (t) => {
  const { shop, told, order, send, read } = await orderWithRefunds(t)
  shop.refunds = [refundOf(120, [[order.lineItems[0], 1]])]
  for (const event of [COMPLETED, IN_PART, COMPLETED]) await send(event)
  const sale = await read()
  const [lamp] = sale.line_items
  assert.equal(sale.refunds.length, 1)
  assert.deepEqual(
    sale.refunds[0].line_items.map(({ id, net_amount, tax_amount }) => [id, net_amount, tax_amount]),
    [[lamp.id, 10_000, 2_000]],
  )
  // Money alone is shared over all lines. What is not completed waits.
  shop.refunds.push(refundOf(13.5), refundOf(1, [], 'in_progress'), refundOf(2, [], 'failed'))
  await send(COMPLETED)
  assert.deepEqual(
    (await read()).refunds.map(({ amount, line_items }) => [amount, line_items === null]).sort(),
    [
      [12_000, false],
      [1_350, true],
    ].sort(),
  )
  await send(WHOLE)
  // The money of the last one comes after the payment is called refunded: the rest contained it.
  shop.refunds[2].stateMachineState.technicalName = 'completed'
  await send(COMPLETED)
  const { refunds, amount_refunded, total } = await read()
  assert.deepEqual([refunds.length, amount_refunded], [3, total])
  assert.deepEqual(told, [])
})

test('a refund of all that names its amount goes back once', async (t) => {
  const { shop, told, order, send, read } = await orderWithRefunds(t)
  shop.refunds = [refundOf(order.price.totalPrice)]
  for (const event of [COMPLETED, WHOLE, 'state_enter.order.state.cancelled']) await send(event)
  const { refunds, amount_refunded, total } = await read()
  assert.deepEqual([refunds.length, amount_refunded], [1, total])
  assert.deepEqual(told, [])
})

test('a shop that does not answer is told, and the next refund makes it good', async (t) => {
  const { shop, told, order, send, read } = await orderWithRefunds(t)
  shop.refunds = [refundOf(12)]
  for (const answer of [
    [500, {}],
    [401, { errors: [] }],
    [302, {}, { location: `${shop.url}/elsewhere` }],
    [200, { data: [] }],
  ]) {
    shop.answer = answer
    await send(COMPLETED)
  }
  assert.deepEqual(
    told.map(({ why, order_number }) => [why, order_number]),
    Array.from({ length: 4 }, () => ['away', order.orderNumber]),
  )
  assert.equal(shop.asked.includes('/elsewhere'), false)
  assert.deepEqual((await read()).refunds, [])
  shop.answer = undefined
  shop.refunds.push(refundOf(1))
  await send(COMPLETED)
  assert.equal((await read()).amount_refunded, 1_300)
})

test('a shop that did not answer is asked again by the next flush, once for all of its orders', async (t) => {
  const { app, shop, told, send, read } = await orderWithRefunds(t)
  shop.refunds = [refundOf(12)]
  shop.answer = [500, {}]
  for (const event of [COMPLETED, IN_PART]) await send(event)
  const asked = shop.asked.length
  await app.flush()
  assert.equal(shop.asked.length, asked + 1)
  assert.deepEqual((await read()).refunds, [])
  shop.answer = undefined
  await app.flush()
  assert.equal((await read()).amount_refunded, 1_200)
  // Nothing is left to ask.
  const done = shop.asked.length
  await app.flush()
  assert.equal(shop.asked.length, done)
  assert.deepEqual([...new Set(told.map(({ why }) => why))], ['away'])
})

test('an app that has no key for the Admin API tells refunds of parts', async () => {
  const { app, told } = appWith()
  const { secret } = await (await app.fetch(registration(seconds()))).json()
  assert.equal((await app.fetch(confirmation(secret, {}))).status, 204)
  assert.equal((await app.fetch(webhook(COMPLETED, { orderNumber: '10001' }, secret))).status, 204)
  assert.match(told[0].error.message, /Install the app again/)
})

test('a refund without a currency is told', async (t) => {
  const { shop, told, send, read } = await orderWithRefunds(t)
  shop.refunds = [refundOf(12)]
  shop.currency = undefined
  await send(COMPLETED)
  assert.match(told[0].error.message, /order.currency is required/)
  assert.deepEqual((await read()).refunds, [])
})

test('a refunded part without an amount and an edited order are told to the merchant', async (t) => {
  const { shop, app, told, order, send, secret } = await orderWithRefunds(t)
  await send(IN_PART)
  assert.match(told[0].error.message, new RegExp(`-${order.orderNumber} yourself`))
  // Its completion comes with an event of its own.
  shop.refunds = [refundOf(12, [], 'in_progress')]
  await send(IN_PART)
  assert.equal(told.length, 1)
  const written = (operation, updatedFields) => ({
    entity: 'order',
    operation,
    primaryKey: `${operation}d`,
    updatedFields,
  })
  const payload = [written('insert', ['price']), written('update', ['stateId']), written('update', ['price'])]
  assert.equal((await app.fetch(happened('order.written', payload, secret))).status, 204)
  assert.deepEqual(
    told.slice(1).map(({ why, order_id }) => [why, order_id]),
    [['edited', 'updated']],
  )
})

test('a retail delivery fee on prices with tax is refused with what to do, and is a tax beside net prices', () => {
  const answerOf = (tax_behavior) => ({
    currency: 'USD',
    line_items: [{ tax_behavior, tax_amount: 0, net_amount: 20_000, tax_breakdown: [] }],
    shipping_cost: null,
    fees: [{ tax_amount: 50 }],
  })
  const question = { goods: [product(200)], others: [] }
  assert.throws(() => taxesOf(answerOf('inclusive'), question, []), /retail delivery fee .* show net prices/)
  const { cartPriceTaxes } = taxesOf(answerOf('exclusive'), question, [])
  assert.deepEqual(cartPriceTaxes, [{ tax: 0.5, taxRate: 0, price: 200 }])
})

test('the manifest names the paths of the app', async () => {
  const { app } = appWith()
  const manifest = await readFile(new URL('manifest.xml', import.meta.url), 'utf8')
  const paths = [...manifest.matchAll(/https:\/\/tax-app\.example\.com\/(\w+)/g)].map(([, path]) => path)
  assert.deepEqual(new Set(paths), new Set(['register', 'orders', 'deleted', 'tax']))
  for (const path of paths) {
    const method = path === 'register' ? 'GET' : 'POST'
    const body = method === 'GET' ? undefined : '{}'
    assert.notEqual((await app.fetch(new Request(APP.url + path, { method, body }))).status, 404)
  }
})

/** Starts server.js until the end of the test. Returns its port. */
async function started(t) {
  const server = spawn(process.execPath, ['server.js'], {
    env: {
      ...process.env,
      APP_SECRET: APP.appSecret,
      APP_URL: APP.url,
      DATA_FOLDER: join(folder, 'data'),
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => server.kill())
  const [line] = await once(server.stdout, 'data')
  return Number(/\d+/.exec(String(line))?.[0])
}

test('server.js answers on Node', async (t) => {
  const port = await started(t)
  const { pathname, search } = new URL(registration(seconds()).url)
  const { headers } = registration(seconds())
  const response = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, { headers })
  assert.equal((await response.json()).proof, PROOF)
  const wrong = await fetch(`http://127.0.0.1:${port}/shop/tax`, {
    method: 'POST',
    body: '{"source":{"shopId":"a"}}',
  })
  assert.equal(wrong.status, 401)
})

test('server.js answers what no browser sends, and lives on', async (t) => {
  const port = await started(t)
  const refused = {
    'HEAD /': 404,
    'GET //': 404,
    'GET http://other.test/': 404,
    'TRACE /': 404,
    'PUT /%': 404,
  }
  const broken = { 'GET http://[': 400, 'GET *': 400, 'OPTIONS *': 400, 'NONE /': 400 }
  for (const [line, status] of Object.entries({ ...refused, ...broken }))
    assert.equal(await statusOf(port, `${line} HTTP/1.1\r\nHost: app.test`), status, line)
  assert.equal(await statusOf(port, 'GET / HTTP/1.1\r\nHost: ['), 400)
})

/** Sends lines of a request with a body as they are. Returns the status of the answer. */
async function statusOf(port, lines) {
  const socket = connect(port, '127.0.0.1')
  socket.end(`${lines}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`)
  return Number((await text(socket)).split(' ')[1])
}
