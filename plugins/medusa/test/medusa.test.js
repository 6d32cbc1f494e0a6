const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { createServer, request } = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { decorateCartTotals, MathBN, Modules, ModulesSdkUtils } = require('@medusajs/framework/utils')
const { createWorkflow, WorkflowResponse } = require('@medusajs/framework/workflows-sdk')
// The package itself needs a client of Redis, and this step does not.
const {
  getItemTaxLinesStep,
} = require('../node_modules/@medusajs/core-flows/dist/tax/steps/get-item-tax-lines')
const {
  prepareTaxLinesData,
} = require('../node_modules/@medusajs/core-flows/dist/cart/utils/prepare-line-item-data')
const { moduleIntegrationTestRunner } = require('@medusajs/test-utils')
const { createClient } = require('tax-compliance')
const { createOffline, takeOfflineData } = require('tax-compliance/offline')
const { setTaxContext } = require('../src/context')
const jobs = require('../src/jobs')
const { TaxComplianceProvider } = require('../src/provider')
const { checkTaxRegions } = require('../src/regions')
const subscribers = require('../src/subscribers')

const { default: catchUp } = jobs
const { default: recordInBooks } = subscribers

const { TAX_CARTS, TAX_URL, TAX_API_KEY, SERVICE_GATE_PORT } = process.env
const { medusa: NATIVE_CARTS } = JSON.parse(readFileSync(TAX_CARTS, 'utf8'))
const CARTS = 1_000

jest.setTimeout(300_000)

/** Stands between Medusa and the service: counts the requests, and can be shut, or hang without an answer. */
const gate = { calls: [], shut: false, swallow: false, hangs: false }
const server = createServer((asked, answer) => {
  gate.calls.push(`${asked.method} ${asked.url}`)
  if (gate.shut) return asked.socket.destroy()
  if (gate.hangs) return asked.resume()
  const { hostname, port } = new URL(TAX_URL)
  const { method, url, headers } = asked
  const forward = request({ hostname, port, method, path: url, headers }, (response) => {
    if (gate.swallow) {
      response.resume().on('end', () => asked.socket.destroy())
      return
    }
    answer.writeHead(response.statusCode, response.headers)
    response.pipe(answer)
  })
  asked.pipe(forward)
})
const GATE = `http://127.0.0.1:${SERVICE_GATE_PORT}`

beforeAll(async () => {
  await new Promise((resolve) => {
    server.listen(Number(SERVICE_GATE_PORT), '127.0.0.1', resolve)
  })
})
afterAll(() => server.close())

const troubles = []
const OPTIONS = {
  url: GATE,
  apiKey: TAX_API_KEY,
  seller: { country: 'FR', registrations: ['FR', 'US-NY', 'US-TX'] },
  productType: ({ product_type }) => product_type ?? 'physical_goods',
  onFailure: 'refuse',
  onTrouble: (trouble) => troubles.push(trouble),
  time_limit_ms: 60_000,
}
const provider = (id, options) => ({
  resolve: require.resolve('../src/provider.js'),
  id,
  options: { ...OPTIONS, ...options },
})

const PARIS = { country_code: 'fr', city: 'Paris', postal_code: '75002', address_1: '1 rue de la Paix' }
const NEW_YORK = { country_code: 'us', province: 'us-ny', city: 'New York', postal_code: '10001' }
const AUSTIN = { country_code: 'us', province: 'tx', city: 'Austin', postal_code: '78701' }

/** The calculator without the service. A test gives it a copy of the tax data. */
const offline = createOffline()

/** Workflows throw what they keep of an error: its fields. */
const AWAY = { message: expect.stringContaining('service is away') }

let made = 0
function item(fields) {
  made += 1
  return { id: `cali_${made}`, quantity: 1, is_tax_inclusive: false, adjustments: [], ...fields }
}
function method(fields) {
  made += 1
  return {
    id: `casm_${made}`,
    shipping_option_id: 'so_1',
    is_tax_inclusive: false,
    adjustments: [],
    ...fields,
  }
}
function cartOf(currency_code, shipping_address, items, shipping_methods = []) {
  made += 1
  return {
    ...{ id: `cart_${made}`, currency_code, shipping_address, items, shipping_methods },
    region: { automatic_taxes: true },
  }
}

/** The totals of Medusa itself. The database of carts keeps a rate as a float of four bytes. */
function totalsOf(cart, { lineItemTaxLines, shippingMethodsTaxLines }) {
  const kept = (lines) => lines.map((line) => ({ ...line, rate: Math.fround(line.rate) }))
  const copy = structuredClone(cart)
  for (const each of copy.items)
    each.tax_lines = kept(lineItemTaxLines.filter(({ line_item_id }) => line_item_id === each.id))
  for (const each of copy.shipping_methods)
    each.tax_lines = kept(
      shippingMethodsTaxLines.filter(({ shipping_line_id }) => shipping_line_id === each.id),
    )
  return decorateCartTotals(copy)
}

function cents(amount) {
  return MathBN.mult(amount, 100).decimalPlaces(0, 4).toNumber()
}

/** The step of Medusa, which asks the module of taxes once for items and once for shipping. */
const taxesOfCart = createWorkflow(
  'taxes-of-cart',
  (input) => new WorkflowResponse(getItemTaxLinesStep(input)),
)

const db = ModulesSdkUtils.createPgConnection({
  clientUrl: `postgres://postgres@${process.env.DB_HOST}:${process.env.DB_PORT}/postgres`,
})
afterAll(() => db.destroy())

/** A container of a shop: the real module of taxes and database, and a query over these rows. */
function containerOf(taxes, rows) {
  const query = { graph: async ({ entity, filters = {} }) => ({ data: rowsOf(rows, entity, filters) }) }
  const parts = { [Modules.TAX]: taxes, query, __pg_connection__: db }
  return { resolve: (name) => parts[name], hasRegistration: (name) => name in parts }
}

function rowsOf(rows, entity, { id, created_at }) {
  return (rows[entity] ?? []).filter(
    (row) =>
      (id === undefined || [id].flat().includes(row.id)) &&
      (!created_at || new Date(row.created_at) >= created_at.$gte),
  )
}

/** A container whose orders are those of the module of orders. It has no links, so no payments. */
function containerOfOrders(taxes, medusaApp) {
  const query = {
    graph: ({ entity, fields, ...asked }) => {
      if (entity !== 'order') return { data: [] }
      const own = fields.filter((field) => !/^(payment_collections|customer)\./.test(field))
      return medusaApp.query.graph({ entity, fields: own, ...asked })
    },
  }
  const parts = { [Modules.TAX]: taxes, query, __pg_connection__: db }
  return { resolve: (name) => parts[name], hasRegistration: (name) => name in parts }
}

/** What a cart becomes when Medusa completes it: lines without the ids of the cart, with its tax lines. */
function newOrder({ currency_code, shipping_address, items, shipping_methods }, lines) {
  const taxesOf = (all, key, id) =>
    prepareTaxLinesData(
      all.filter((line) => line[key] === id).map((line) => ({ ...line, description: line.name })),
    )
  return {
    ...{ currency_code, shipping_address, email: 'a@example.com', status: 'pending' },
    items: items.map(({ id, ...each }) => ({
      ...each,
      tax_lines: taxesOf(lines.lineItemTaxLines, 'line_item_id', id),
    })),
    shipping_methods: shipping_methods.map(({ id, ...each }) => ({
      ...each,
      tax_lines: taxesOf(lines.shippingMethodsTaxLines, 'shipping_line_id', id),
    })),
  }
}

async function taxed(container, cart) {
  const additional_context = await setTaxContext({ cart }, { container })
  const { result } = await taxesOfCart(container).run({
    input: {
      orderOrCart: cart,
      items: cart.items,
      shipping_methods: cart.shipping_methods,
      additional_context,
    },
  })
  return { lines: result, totals: totalsOf(cart, result) }
}

/** A way of shipping, and the counter of a stock location. */
const OPTION = { id: 'so_1', service_zone: { fulfillment_set: { type: 'shipping', location: null } } }
const counterAt = (place) => ({
  id: 'so_counter',
  service_zone: {
    fulfillment_set: { type: 'pickup', location: place ? { address: placeOf(place) } : null },
  },
})

function placeOf({ country, region, city, postal_code }) {
  return { country_code: country.toLowerCase(), province: region ?? null, city, postal_code }
}

/** A provider with the facts of a sale that the merchant decides. */
function shopWith({ seller, ship_from, customer_id, customer: { vat_id }, delivery }) {
  return new TaxComplianceProvider(
    { logger: { error: () => {} } },
    {
      ...OPTIONS,
      seller,
      customerOf: () => customer_id,
      vatId: () => vat_id,
      ...(delivery !== 'pickup' && { shipFrom: ship_from }),
    },
  )
}

/** A cart of Medusa. Discounts are adjustments of its lines. */
function cartWith({ currency, customer, line_items, discount_amount = 0, delivery, ...sale }) {
  const digits = currency === 'JPY' ? 1 : 100
  const is_tax_inclusive = sale.tax_behavior === 'inclusive'
  const items = line_items.map(({ amount, unit_amount, quantity = 1, discount = 0, product_type }) => {
    const off = discount + (line_items.length === 1 ? discount_amount : 0)
    return item({
      unit_price: (unit_amount ?? amount / quantity) / digits,
      quantity,
      product_type,
      is_tax_inclusive,
      adjustments: off > 0 ? [{ amount: off / digits, is_tax_inclusive }] : [],
    })
  })
  const fetched = delivery === 'pickup'
  const amount = (sale.shipping_cost?.amount ?? 0) / digits
  const shipping_option_id = fetched ? 'so_counter' : OPTION.id
  const methods = fetched || amount > 0 ? [method({ amount, shipping_option_id, is_tax_inclusive })] : []
  return cartOf(currency.toLowerCase(), placeOf(customer.address), items, methods)
}

/** The tax lines of a cart, asked for as Medusa does: once for items, and once for shipping. */
async function answered(provider_of_shop, cart, rows) {
  const { shop } = provider_of_shop
  const taxes = {
    listTaxRegions: async () => [{ country_code: 'us', provider_id: 'tp_tax_compliance_own' }],
    listTaxProviders: async () => [],
    getProvider: async () => ({ shop }),
  }
  const container = containerOf(taxes, rows)
  const additional_context = await setTaxContext({ cart }, { container })
  const { province: province_code, ...address } = cart.shipping_address
  const context = { address: { ...address, province_code }, additional_context }
  const own = (key, lines) => lines.map((line) => ({ [key]: line, rates: [] }))
  const [lineItemTaxLines, shippingMethodsTaxLines] = [
    await provider_of_shop.getTaxLines(own('line_item', cart.items), [], context),
    await provider_of_shop.getTaxLines([], own('shipping_line', cart.shipping_methods), context),
  ]
  return { container, lines: { lineItemTaxLines, shippingMethodsTaxLines } }
}

async function regions(service, ids) {
  await service.createTaxRegions(
    Object.entries(ids).map(([country_code, id]) => ({
      country_code,
      provider_id: `tp_tax_compliance_${id}`,
    })),
  )
}

const tax = createClient({ baseUrl: TAX_URL, apiKey: TAX_API_KEY })

moduleIntegrationTestRunner({
  moduleName: Modules.TAX,
  resolve: '@medusajs/tax',
  moduleModels: Object.values(require('@medusajs/tax/dist/models')),
  moduleOptions: {
    providers: [
      provider('main', {}),
      provider('patient', { onFailure: 'last_known', memo_ms: 0 }),
      provider('refusing', { url: 'http://127.0.0.1:1' }),
      provider('hurried', { time_limit_ms: 300, memo_ms: 0 }),
      provider('copied', {
        onFailure: 'snapshot',
        snapshot: offline,
        memo_ms: 0,
        time_limit_ms: 300,
      }),
    ],
  },
  testSuite: ({ service }) => {
    beforeEach(() => {
      troubles.length = 0
      gate.calls.length = 0
      Object.assign(gate, { shut: false, swallow: false, hangs: false })
      jest.spyOn(console, 'error').mockImplementation(() => {})
    })

    it('taxes carts in France, New York City and Texas to the cent, by one request each', async () => {
      await regions(service, { fr: 'main', us: 'main' })
      const carts = [
        cartOf('eur', PARIS, [item({ unit_price: 19.99, quantity: 3, is_tax_inclusive: true })]),
        cartOf('usd', NEW_YORK, [item({ unit_price: 199 })], [method({ amount: 5 })]),
        // Texas taxes 80 % of data processing.
        cartOf('usd', AUSTIN, [item({ unit_price: 100, product_type: 'saas' })]),
        // New York taxes clothing from 110 USD an item.
        cartOf('usd', NEW_YORK, [
          item({ unit_price: 120, product_type: 'clothing' }),
          item({ unit_price: 50, product_type: 'clothing' }),
        ]),
      ]
      const seen = []
      for (const cart of carts) {
        gate.calls.length = 0
        const { lines, totals } = await taxed(containerOf(service, { cart: [cart] }), cart)
        const { rate, code, data } = lines.lineItemTaxLines[0]
        const cent = [totals.tax_total, totals.total].map(cents)
        seen.push([code, ...cent, Number(rate.toFixed(4)), data.taxable_amount, gate.calls.length])
      }
      expect(seen).toEqual([
        ['fr', 1_000, 5_997, 20.012, 4_997, 1],
        ['us-ny', 1_810, 22_210, 8.8744, 19_900, 1],
        ['us-tx', 660, 10_660, 6.6, 8_000, 1],
        ['us-ny', 1_065, 18_065, 8.875, 12_000, 1],
      ])
      expect(troubles).toEqual([])
    })

    it('taxes each cart as the service does when it is asked directly, and records its facts', async () => {
      await db.raw('drop table if exists tax_compliance_outbox')
      expect(NATIVE_CARTS.length).toBeGreaterThan(12)
      for (const { name, sale, tax_amount } of NATIVE_CARTS) {
        const own = shopWith(sale)
        const cart = cartWith(sale)
        const rows = { cart: [cart], region: [], shipping_option: [OPTION, counterAt(sale.ship_from)] }
        const { container, lines } = await answered(own, cart, rows)
        const taxOf = (all) => all.reduce((sum, { data }) => sum + data.tax_amount, 0)
        const totals = totalsOf(cart, lines)
        const digits = sale.currency === 'JPY' ? 1 : 100
        const charged = MathBN.mult(totals.tax_total, digits).decimalPlaces(0, 4).toNumber()
        const ours = taxOf(lines.lineItemTaxLines) + taxOf(lines.shippingMethodsTaxLines.slice(0, 1))
        expect([name, ours, charged]).toEqual([name, tax_amount, tax_amount])
        made += 1
        const placed = {
          ...totals,
          id: `order_${process.pid}_${made}`,
          status: 'pending',
          created_at: new Date(),
        }
        rows.order = [placed]
        await recordInBooks({ event: { name: 'order.placed', data: { id: placed.id } }, container })
        expect([name, troubles]).toEqual([name, []])
        const booked = await tax.transactions.getByExternalId(placed.id)
        const pieces = booked.line_items.slice(0, sale.line_items.length).map(({ quantity }) => quantity)
        expect([name, booked.tax_amount, booked.customer.id, booked.ship_from?.country, pieces]).toEqual([
          name,
          tax_amount,
          sale.customer_id ?? null,
          sale.ship_from?.country,
          sale.line_items.map(({ quantity = 1 }) => (Number.isInteger(quantity) ? quantity : 1)),
        ])
      }
      expect(troubles).toEqual([])
    })

    it('says of a cart that is fetched in part that it is taxed as shipped', async () => {
      const [{ sale }] = NATIVE_CARTS.filter(({ sale: each }) => each.delivery === 'pickup')
      const own = shopWith(sale)
      const cart = cartWith(sale)
      cart.shipping_methods.push(method({ amount: 0, shipping_option_id: OPTION.id }))
      await answered(own, cart, {
        cart: [cart],
        region: [],
        shipping_option: [OPTION, counterAt(sale.ship_from)],
      })
      expect(troubles.map(({ outcome }) => outcome)).toContain('pickup_and_shipping')
    })

    it('says aloud in which countries Medusa would charge no tax', async () => {
      await regions(service, { fr: 'main' })
      const cart = cartOf('usd', NEW_YORK, [item({ unit_price: 199 })])
      const region = { id: 'reg_1', countries: [{ iso_2: 'fr' }, { iso_2: 'us' }, { iso_2: 'de' }] }
      const container = containerOf(service, { cart: [cart], region: [region] })
      expect(await checkTaxRegions(container, new Set())).toEqual(['de', 'us'])
      const { lines } = await taxed(container, cart)
      expect(lines.lineItemTaxLines).toEqual([])
      expect(troubles.map(({ outcome, country }) => [outcome, country])).toEqual([
        ['no_tax_region', 'DE'],
        ['no_tax_region', 'US'],
        ['no_tax_region', 'US'],
      ])
      expect(console.error).toHaveBeenCalledWith(expect.stringContaining('no tax region for US'))
    })

    it('does what the merchant chose while the service is away', async () => {
      await regions(service, { fr: 'patient', us: 'refusing' })
      const french = cartOf('eur', PARIS, [item({ unit_price: 20 })])
      const american = cartOf('usd', NEW_YORK, [item({ unit_price: 199 })])
      const container = containerOf(service, { cart: [french, american] })
      await expect(taxed(container, american)).rejects.toMatchObject(AWAY)
      expect(troubles.map(({ outcome }) => outcome)).toEqual(['refused'])
      expect(cents((await taxed(container, french)).totals.tax_total)).toBe(400)
      gate.shut = true
      const { lines, totals } = await taxed(container, french)
      expect(cents(totals.tax_total)).toBe(400)
      expect(lines.lineItemTaxLines[0].data.source).toBe('last_known')
      french.items.push(item({ unit_price: 1 }))
      await expect(taxed(container, french)).rejects.toMatchObject(AWAY)
      expect(troubles.map(({ outcome }) => outcome)).toEqual(['refused', 'last_known', 'refused'])
    })

    it('refuses the cart, and waits no longer than its limit, while the service hangs', async () => {
      await regions(service, { us: 'hurried' })
      const cart = cartOf('usd', NEW_YORK, [item({ unit_price: 199 })])
      gate.hangs = true
      await expect(taxed(containerOf(service, { cart: [cart] }), cart)).rejects.toMatchObject(AWAY)
      expect(gate.calls.length).toBeGreaterThan(0)
      expect(troubles.map(({ outcome }) => outcome)).toEqual(['refused'])
    })

    it.each(['shut', 'hangs'])('sells by a stored copy while the service is away: %s', async (way) => {
      await db.raw('drop table if exists tax_compliance_outbox')
      await regions(service, { us: 'copied' })
      await offline.load(await copyInFile(['US-NY']))
      const [cart, texan] = [NEW_YORK, AUSTIN].map((place) =>
        cartOf('usd', place, [item({ unit_price: 199 })]),
      )
      const container = containerOf(service, { cart: [cart, texan] })
      gate[way] = true
      const placed = await orderOf(container, cart)
      expect([placed.tax_total, placed.total].map(cents)).toEqual([1_766, 21_666])
      expect(placed.items[0].tax_lines[0].data.source).toBe('snapshot')
      // Its local taxes are not in the copy.
      await expect(taxed(container, texan)).rejects.toMatchObject(AWAY)
      expect(new Set(troubles.map(({ outcome }) => outcome))).toEqual(new Set(['snapshot', 'refused']))
      const shop = containerOf(service, { order: [placed], region: [] })
      const event = { name: 'order.placed', data: { id: placed.id } }
      gate.hangs = false
      gate.shut = true
      await recordInBooks({ event, container: shop })
      expect(troubles.at(-1)).toMatchObject({ outcome: 'unrecorded', why: 'away' })
      gate.shut = false
      await catchUp(shop)
      await catchUp(shop)
      expect(await tax.transactions.getByExternalId(placed.id)).toMatchObject({
        tax_amount: 1_766,
        total: 21_666,
      })
      expect(await db('tax_compliance_outbox').whereNull('recorded_at')).toEqual([])
    })

    it('names the countries without a tax region at the first calculation of a process', async () => {
      await regions(service, { fr: 'main' })
      const cart = cartOf('eur', PARIS, [item({ unit_price: 1 })])
      const region = { id: 'reg_1', countries: [{ iso_2: 'fr' }, { iso_2: 'it' }] }
      const container = containerOf(service, { cart: [cart], region: [region] })
      let fresh
      jest.isolateModules(() => {
        fresh = require('../src/context')
      })
      await fresh.setTaxContext({ cart }, { container })
      await fresh.setTaxContext({ cart }, { container })
      expect(troubles.map(({ outcome, country }) => [outcome, country])).toEqual([['no_tax_region', 'IT']])
    })

    it('prices products without a cart, and refuses a cart without its context', async () => {
      await regions(service, { fr: 'main' })
      const address = { country_code: 'fr' }
      const product = {
        id: 'variant_1',
        product_id: 'prod_1',
        quantity: 1,
        unit_price: 0.99,
        currency_code: 'eur',
      }
      const [line] = await service.getTaxLines([product], { address })
      expect(line).toMatchObject({ rate: 20, line_item_id: 'variant_1' })
      await expect(service.getTaxLines([{ ...product, id: 'cali_9' }], { address })).rejects.toThrow(
        /setTaxContext/,
      )
    })

    it('records a sale and its refunds once, through crashes', async () => {
      await db.raw('drop table if exists tax_compliance_outbox')
      await regions(service, { us: 'main' })
      const cart = cartOf('usd', NEW_YORK, [item({ unit_price: 199 })], [method({ amount: 5 })])
      const container = containerOf(service, { cart: [cart] })
      const placed = await orderOf(container, cart)
      const rows = { order: [placed], region: [] }
      const shop = containerOf(service, rows)
      const on = (name, id = placed.id) => recordInBooks({ event: { name, data: { id } }, container: shop })
      // The service is away: the sale waits in the database.
      gate.shut = true
      await on('order.placed')
      expect(troubles).toMatchObject([{ outcome: 'unrecorded', why: 'away' }])
      await expect(tax.transactions.getByExternalId(placed.id)).rejects.toThrow()
      // It is recorded, and the answer is lost.
      gate.shut = false
      gate.swallow = true
      await catchUp(shop)
      gate.swallow = false
      await catchUp(shop)
      await on('order.placed')
      const sale = await tax.transactions.getByExternalId(placed.id)
      expect(sale).toMatchObject({ tax_amount: cents(placed.tax_total), total: cents(placed.total) })
      // A refund whose event was lost, and comes later.
      const payment = { id: `pay_${placed.id}`, payment_collection: { order: { id: placed.id } } }
      const refund = { id: `ref_${placed.id}`, payment_id: payment.id, amount: 21.78, created_at: new Date() }
      placed.payment_collections = [{ payments: [{ ...payment, refunds: [refund] }] }]
      Object.assign(rows, { payment: [payment], refund: [refund] })
      await catchUp(shop)
      await on('payment.refunded', payment.id)
      expect((await tax.transactions.getByExternalId(placed.id)).amount_refunded).toBe(2_178)
      // The rest was never captured.
      placed.status = 'canceled'
      await on('order.canceled')
      await on('order.canceled')
      const canceled = await tax.transactions.getByExternalId(placed.id)
      expect([canceled.amount_refunded, canceled.refunds.length]).toEqual([cents(placed.total), 2])
      expect(await db('tax_compliance_outbox').whereNull('recorded_at')).toEqual([])
    })

    it('records orders that are placed or found at once by one request', async () => {
      await db.raw('drop table if exists tax_compliance_outbox')
      await regions(service, { us: 'main' })
      const cart = cartOf('usd', NEW_YORK, [item({ unit_price: 100 })])
      const container = containerOf(service, { cart: [cart] })
      const orders = []
      for (let each = 0; each < 6; each += 1) orders.push(await orderOf(container, cart))
      const [placed, lost] = [orders.slice(0, 3), orders.slice(3)]
      const shop = containerOf(service, { order: placed, region: [] })
      const records = () => gate.calls.filter((call) => call.startsWith('POST /v1/transactions'))
      gate.calls = []
      const events = placed.map(({ id }) => ({ name: 'order.placed', data: { id } }))
      await Promise.all(events.map((event) => recordInBooks({ event, container: shop })))
      expect(records()).toEqual(['POST /v1/transactions/batch'])
      gate.calls = []
      expect(await catchUp(containerOf(service, { order: lost, region: [] }))).toBe(3)
      expect(records()).toEqual(['POST /v1/transactions/batch'])
      for (const { id } of orders) expect((await tax.transactions.getByExternalId(id)).tax_amount).toBe(888)
      expect(await db('tax_compliance_outbox').whereNull('recorded_at')).toEqual([])
    })

    it('records a lost order, and says if it was charged otherwise than answered', async () => {
      await regions(service, { us: 'main' })
      const cart = cartOf('usd', NEW_YORK, [item({ unit_price: 100 })])
      const container = containerOf(service, { cart: [cart] })
      const placed = await orderOf(container, cart, (late) => {
        late.items[0].adjustments = [{ amount: 50 }]
      })
      expect(await catchUp(containerOf(service, { order: [placed], region: [] }))).toBe(1)
      expect(troubles).toMatchObject([{ outcome: 'tax_differs', charged: 444, calculated: 888 }])
      expect((await tax.transactions.getByExternalId(placed.id)).tax_amount).toBe(444)
    })

    moduleIntegrationTestRunner({
      moduleName: Modules.ORDER,
      resolve: '@medusajs/order',
      moduleModels: Object.values(require('@medusajs/order/dist/models')),
      testSuite: ({ service: orders, medusaApp }) => {
        it('records a placed order as the module of orders keeps it, and its cancellation', async () => {
          await db.raw('drop table if exists tax_compliance_outbox')
          await regions(service, { us: 'main' })
          const cart = cartOf(
            'usd',
            NEW_YORK,
            [
              item({ unit_price: 199, title: 'Lamp' }),
              item({
                unit_price: 19.99,
                quantity: 3,
                title: 'Pen',
                adjustments: [{ amount: 5.5, code: 'SUMMER' }],
              }),
            ],
            [method({ amount: 5, name: 'Post' })],
          )
          const answered = await taxed(containerOf(service, { cart: [cart] }), cart)
          const [{ id }] = await orders.createOrders([newOrder(cart, answered.lines)])
          const shop = containerOfOrders(service, medusaApp)
          await recordInBooks({ event: { name: 'order.placed', data: { id } }, container: shop })
          await catchUp(shop)
          const kept = await orders.retrieveOrder(id, { select: ['total', 'tax_total'] })
          const sale = await tax.transactions.getByExternalId(id)
          expect([sale.total, sale.tax_amount]).toEqual([kept.total, kept.tax_total].map(cents))
          expect([sale.total, sale.tax_amount]).toEqual(
            [answered.totals.total, answered.totals.tax_total].map(cents),
          )
          expect(sale.line_items.map(({ net_amount, tax_amount }) => [net_amount, tax_amount])).toEqual([
            [19_900, 1_766],
            [5_447, 483],
            [500, 44],
          ])
          expect(troubles).toEqual([])
          await orders.cancel([id])
          await recordInBooks({ event: { name: 'order.canceled', data: { id } }, container: shop })
          const canceled = await tax.transactions.getByExternalId(id)
          expect([canceled.amount_refunded, canceled.refunds.length]).toEqual([sale.total, 1])
        })
      },
    })

    it(`comes to our totals in ${CARTS} random carts`, async () => {
      await regions(service, { fr: 'main', us: 'main' })
      const random = seeded(22)
      const carts = Array.from({ length: CARTS }, () => randomCart(random))
      const container = containerOf(service, { cart: carts })
      const differences = []
      await eachAtOnce(8, carts, async (cart) => {
        const { lines, totals } = await taxed(container, cart)
        // The shipping is answered as one, on each of its methods.
        const answered = [...lines.lineItemTaxLines, ...lines.shippingMethodsTaxLines.slice(0, 1)]
        const tax_amount = answered.reduce((sum, { data }) => sum + data.tax_amount, 0)
        const total = answered.reduce((sum, { data }) => sum + data.net_amount, tax_amount)
        const difference = cents(totals.total) - total
        if (cents(totals.tax_total) !== tax_amount || difference !== 0)
          differences.push({ kind: kindOf(cart), tax: cents(totals.tax_total) - tax_amount, difference })
      })
      expect(differences.filter(({ kind }) => kind === 'whole cents')).toEqual([])
      // A total of half a cent, by a promotion of 10 %, may be rounded the other way.
      expect(differences.filter(({ kind }) => kind === 'parts of a cent').length).toBeLessThan(CARTS / 50)
      // Only the total may miss, and by one cent at most.
      expect(differences.filter(({ tax: own, difference }) => own !== 0 || Math.abs(difference) > 1)).toEqual(
        [],
      )
      process.stdout.write(
        `${CARTS} carts, a cent apart: ${differences.map(({ kind }) => kind).join(', ') || 'none'}\n`,
      )
      expect([jobs.__esModule, subscribers.__esModule]).toEqual([true, true])
      expect(new TaxComplianceProvider({}, OPTIONS).getIdentifier()).toBe('tax_compliance')
    })
  },
})

/** A copy of the tax data, as a shop stores it and reads it after a restart. */
async function copyInFile(states) {
  const folder = mkdtempSync(join(tmpdir(), 'tax-data-'))
  try {
    const file = join(folder, 'tax-data.json')
    writeFileSync(file, JSON.stringify(await takeOfflineData(tax, states)))
    return JSON.parse(readFileSync(file, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The order that Medusa makes of a cart: the same lines with their tax lines, and totals of its own. */
async function orderOf(container, cart, change = () => {}) {
  const { lines } = await taxed(container, cart)
  const copy = structuredClone(cart)
  change(copy)
  const order = totalsOf(copy, lines)
  made += 1
  const id = `order_${process.pid}_${made}`
  return { ...order, id, display_id: made, status: 'pending', created_at: new Date() }
}

/** `mixed`: a discount is stated with tax on a price without, or the other way round. */
function kindOf({ items }) {
  const discounts = items.flatMap(({ is_tax_inclusive, adjustments }) =>
    adjustments.map((each) => ({ ...each, mixed: each.is_tax_inclusive !== is_tax_inclusive })),
  )
  if (discounts.some(({ mixed }) => mixed)) return 'mixed'
  const whole = discounts.every(({ amount }) => MathBN.convert(amount).decimalPlaces() <= 2)
  return whole ? 'whole cents' : 'parts of a cent'
}

function seeded(seed) {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** One to five lines with prices with or without tax, discounts of either kind, and often shipping. */
function randomCart(random) {
  const [currency, address] = [
    ['eur', PARIS],
    ['usd', NEW_YORK],
    ['usd', AUSTIN],
  ][random(3)]
  const is_tax_inclusive = random(2) === 0
  const types = ['physical_goods', 'clothing', 'saas', 'ebooks']
  const items = Array.from({ length: 1 + random(5) }, () => {
    const unit_price = (1 + random(40_000)) / 100
    const quantity = 1 + random(5)
    // 10 % of 19.99 is 1.999: Medusa keeps the part of the cent.
    const amount = MathBN.mult(unit_price * quantity, (1 + random(50)) / 100).toNumber()
    const adjustments =
      random(2) === 0 ? [] : [{ amount, is_tax_inclusive: random(8) > 0 === is_tax_inclusive }]
    return item({ unit_price, quantity, product_type: types[random(4)], is_tax_inclusive, adjustments })
  })
  const methods = Array.from({ length: random(3) }, () =>
    method({ amount: random(3_000) / 100, is_tax_inclusive }),
  )
  return cartOf(currency, address, items, methods)
}

async function eachAtOnce(count, values, work) {
  const left = values.values()
  const worker = async () => {
    for (const value of left) await work(value)
  }
  await Promise.all(Array.from({ length: count }, worker))
}
