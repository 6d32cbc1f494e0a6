'use strict'
const assert = require('node:assert/strict')
const { after, before, describe, test } = require('node:test')
const { OrderCalculator, RequestContextService } = require('@vendure/core')
const gql = require('graphql-tag')
const { TaxComplianceOutbox } = require('../src/entities.js')
const { TaxComplianceService } = require('../src/plugin.js')
const { carts } = require('./carts.js')
const { away, buildDoor, door } = require('./door.js')
const { failureTests } = require('./failures.js')
const { placedTests } = require('./placed.js')
const { inBooks, newCart, rowsOf, startShop } = require('./shop.js')

const { TAX_URL: url, TAX_API_KEY: apiKey } = process.env
const [LAMP, PEN] = ['T_1', 'T_2']
const NEW_YORK = { city: 'New York', province: 'NY', postalCode: '10001', countryCode: 'US' }
const PARIS = { city: 'Paris', postalCode: '75002', countryCode: 'FR' }
const seller = { country: 'DE', registrations: ['oss_union', 'US-NY', 'US-CO', 'US-TN', 'US-MA', 'US-TX'] }

let shop
let told = []
const changes = []
before(async () => {
  await buildDoor()
  shop = await startShop({
    url,
    apiKey,
    seller,
    productType: (variant) => variant.productType ?? 'physical_goods',
    onFailure: 'refuse',
    checkout: { time_limit_ms: 20_000 },
    onTrouble: (trouble) => told.push(trouble.outcome),
    onUnrecorded: ({ why }) => told.push(why),
    surchargeType: () => 'physical_goods',
    onChanged: (change) => {
      changes.push(change)
      changes.told?.()
    },
  })
})
after(() => shop.server.destroy())

async function placed(address, ids = [LAMP], method = 'dummy') {
  const cart = await newCart(shop)
  for (const id of ids) await cart.add(id, 1)
  await cart.customer()
  await cart.address(address)
  await cart.method()
  const arranged = await cart.state('ArrangingPayment')
  assert.equal(arranged.state, 'ArrangingPayment', JSON.stringify(arranged))
  const order = await cart.pay(method)
  assert.match(order.state ?? '', /^Payment/, JSON.stringify(order))
  return order
}

const flush = () => shop.server.app.get(TaxComplianceService).flush()

describe('a cart', () => {
  test('in New York City bears 17.66 on 199.00, and shipping is taxed with it', async () => {
    const cart = await newCart(shop)
    await cart.add(LAMP, 1)
    const order = await cart.address(NEW_YORK)
    assert.deepEqual([order.subTotal, order.subTotalWithTax], [19_900, 21_666])
    assert.equal(
      order.taxSummary.reduce((sum, { taxTotal }) => sum + taxTotal, 0),
      1_766,
    )
    const shipped = await cart.method()
    assert.deepEqual([shipped.shipping, shipped.shippingWithTax], [500, 544])
  })

  test('in France bears 20 % for a German seller in the one-stop shop', async () => {
    const cart = await newCart(shop)
    await cart.add(PEN, 3)
    const order = await cart.address(PARIS)
    assert.deepEqual([order.subTotal, order.subTotalWithTax], [5_997, 7_196])
    assert.deepEqual(order.lines[0].taxLines, [{ taxRate: 20, description: 'France VAT' }])
  })

  test('without an address has no tax, and cannot be paid', async () => {
    const cart = await newCart(shop)
    const order = await cart.add(LAMP, 1)
    assert.equal(order.totalWithTax, 19_900)
    await cart.customer()
    await cart.method()
    const refused = await cart.state('ArrangingPayment')
    assert.match(refused.transitionError, /tax is not known/)
  })

  test('asks once for each of its states', async () => {
    const cart = await newCart(shop)
    await cart.add(LAMP, 2)
    await cart.add(PEN, 7)
    const before = door.calculations
    await cart.address({ ...PARIS, postalCode: '75003' })
    assert.equal(door.calculations - before, 1)
  })
})

describe('the books', () => {
  test('have the sale of a placed order and its refund, each once', async () => {
    const order = await placed(NEW_YORK)
    await flush()
    const sale = await inBooks(order.code)
    assert.deepEqual([sale.total, sale.tax_amount], [order.totalWithTax, 1_810])
    await refund(order, { amount: 5_000 })
    await flush()
    await flush()
    const after = await inBooks(order.code)
    assert.equal(after.amount_refunded, 5_000)
    assert.equal(after.refunds.length, 1)
    const reason = 'Scratch (shared over all lines, because the shop names none)'
    assert.deepEqual([after.refunds[0].line_items, after.refunds[0].reason], [null, reason])
    assert.deepEqual(await rowsOf(shop, TaxComplianceOutbox), [])
  })

  test('get a sale later, once, if the service went away before its payment', async () => {
    const cart = await newCart(shop)
    await cart.add(PEN, 2)
    await cart.customer()
    await cart.address(PARIS)
    await cart.method()
    await cart.state('ArrangingPayment')
    const order = await away('refuses', async () => {
      const paid = await cart.pay()
      await flush()
      return paid
    })
    assert.equal(order.state, 'PaymentSettled')
    assert.equal(await inBooks(order.code), undefined)
    assert.equal((await rowsOf(shop, TaxComplianceOutbox)).length, 1)
    assert.ok(told.includes('away'))
    await flush()
    assert.equal((await inBooks(order.code)).total, order.totalWithTax)
    assert.deepEqual(await rowsOf(shop, TaxComplianceOutbox), [])
  })

  test('get the orders that waited by one request', async () => {
    const service = shop.server.app.get(TaxComplianceService)
    const { recorder } = service
    service.recorder = { flush: () => Promise.resolve(0) }
    const orders = [await placed(PARIS, [PEN]), await placed(NEW_YORK), await placed(PARIS, [LAMP])]
    await flush()
    service.recorder = recorder
    door.records = []
    await flush()
    assert.deepEqual(door.records, ['/v1/transactions/batch'])
    for (const { code, totalWithTax } of orders) assert.equal((await inBooks(code)).total, totalWithTax)
    assert.deepEqual(await rowsOf(shop, TaxComplianceOutbox), [])
  })
})

const shared = { shopOf: () => shop, LAMP, PEN, NEW_YORK, PARIS }
failureTests(shared)
placedTests({ ...shared, placed, refund, settleRefund, changes })

test('the totals of 1,000 random carts are the totals of our answers', async () => {
  const { app } = shop.server
  const calculator = app.get(OrderCalculator)
  const service = app.get(TaxComplianceService)
  const ctx = await app.get(RequestContextService).create({ apiType: 'shop' })
  const seen = {
    carts: 0,
    taxed: 0,
    lines: 0,
    surcharges: 0,
    shipped_twice: 0,

    'lines that Vendure shows otherwise': 0,
  }
  const check = async (order) => {
    await calculator.applyPriceAdjustments(ctx, order, order.tried, order.lines, {
      recalculateShipping: false,
    })
    const { answer } = await service.ask(order)
    assert.equal(order.totalWithTax, answer.total, JSON.stringify(answer))
    const tax = order.taxSummary.reduce((sum, { taxTotal }) => sum + taxTotal, 0)
    assert.equal(tax, answer.tax_amount, JSON.stringify(order.taxSummary))
    seen.carts += 1
    if (tax > 0) seen.taxed += 1
    seen.surcharges += order.surcharges.length
    if (order.shippingLines.length > 1) seen.shipped_twice += 1
    order.lines.forEach((line, at) => {
      seen.lines += 1
      if (line.proratedLineTax !== answer.line_items[at].tax_amount)
        seen['lines that Vendure shows otherwise'] += 1
    })
  }
  const all = carts(1_000)
  while (all.length > 0) await Promise.all(all.splice(0, 10).map(check))
  console.log(JSON.stringify(seen))
  assert.ok(seen.taxed > 500)
  for (const what of ['surcharges', 'shipped_twice']) assert.ok(seen[what] > 10, what)
})

/** Refunds in Vendure, and settles it. */
async function refund({ code }, given) {
  const { orders } = await shop.adminClient.query(
    gql`
      query ($code: String!) {
        orders(options: { filter: { code: { eq: $code } } }) {
          items {
            id
            payments {
              id
            }
          }
        }
      }
    `,
    { code },
  )
  const [{ id, payments }] = orders.items
  const { refundOrder } = await shop.adminClient.query(
    gql`
      mutation ($input: RefundOrderInput!) {
        refundOrder(input: $input) {
          ... on Refund {
            id
            state
            total
          }
          ... on ErrorResult {
            message
          }
        }
      }
    `,
    {
      input: {
        lines: [],
        shipping: 0,
        adjustment: 0,
        paymentId: payments[0].id,
        reason: 'Scratch',
        ...given,
      },
    },
  )
  await settleRefund(refundOrder)
  return refundOrder.total
}

async function settleRefund(refunded) {
  if (refunded.state === 'Settled') return
  const settled = await shop.adminClient.query(
    gql`
      mutation ($input: SettleRefundInput!) {
        settleRefund(input: $input) {
          ... on Refund {
            state
          }
          ... on ErrorResult {
            message
          }
        }
      }
    `,
    { input: { id: refunded.id, transactionId: 'bank-1' } },
  )
  assert.equal(settled.settleRefund.state, 'Settled', JSON.stringify([refunded, settled]))
}
