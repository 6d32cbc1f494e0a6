'use strict'
const assert = require('node:assert/strict')
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { describe, test } = require('node:test')
const { createClient } = require('tax-compliance')
const { createOffline, takeOfflineData } = require('tax-compliance/offline')
const { TaxComplianceAnswer, TaxComplianceOutbox } = require('../src/entities.js')
const { TaxComplianceService } = require('../src/plugin.js')
const { away } = require('./door.js')
const { inBooks, newCart, rowsOf } = require('./shop.js')

const { TAX_URL: baseUrl, TAX_API_KEY: apiKey } = process.env
const AUSTIN = { city: 'Austin', province: 'TX', postalCode: '73301', countryCode: 'US' }

/** Another service over the same shop, with these options changed. */
function serviceWith({ server }, changed) {
  const { options, ...parts } = server.app.get(TaxComplianceService)
  const { connection, eventBus, orderCalculator, configService, processContext } = parts
  const all = { ...options, ...changed }
  return new TaxComplianceService(all, connection, eventBus, orderCalculator, configService, processContext)
}

/** A recorder that sends nothing: sales stay in the outbox, as after a crash. */
const SILENT = { flush: () => Promise.resolve(0) }

/**
 * The shop with another policy, as its merchant would have configured it. `told` gets the troubles. Nothing
 * is sent to the books meanwhile: the client would try for seconds.
 */
async function withPolicy(shop, onFailure, checkout, work) {
  const told = []
  const other = serviceWith(shop, {
    onFailure,
    checkout: { memo_ms: 0, time_limit_ms: 20_000, ...checkout },
    onTrouble: ({ outcome }) => told.push(outcome),
  })
  const service = shop.server.app.get(TaxComplianceService)
  const { checkout: before, recorder } = service
  Object.assign(service, { checkout: other.checkout, recorder: SILENT })
  try {
    await work(told, () => Object.assign(service, { recorder }))
  } finally {
    Object.assign(service, { checkout: before, recorder })
  }
}

/** An order that was placed while the service is away waits, and is in the books once after it. */
async function recordedOnce(shop, awake, order) {
  assert.equal(order.state, 'PaymentSettled', JSON.stringify(order))
  assert.equal(await inBooks(order.code), undefined)
  assert.equal((await rowsOf(shop, TaxComplianceOutbox)).length, 1)
  const service = awake()
  await service.flush()
  await service.flush()
  const sale = await inBooks(order.code)
  assert.deepEqual([sale.total, sale.tax_amount], [order.totalWithTax, order.totalWithTax - order.total])
  assert.deepEqual(await rowsOf(shop, TaxComplianceOutbox), [])
}

function failureTests({ shopOf, LAMP, PEN, NEW_YORK, PARIS }) {
  for (const way of ['refuses', 'hangs'])
    describe(`while the service ${way}`, () => {
      test('`refuse` fails the checkout, and places nothing', async () => {
        const shop = shopOf()
        await withPolicy(shop, 'refuse', { time_limit_ms: 300 }, async (told) => {
          const cart = await newCart(shop)
          await cart.add(LAMP, 1)
          await cart.customer()
          await away(way, async () => {
            await assert.rejects(cart.address(NEW_YORK), /tax of this sale is unknown/)
            const state = await cart.state('ArrangingPayment')
            assert.equal(state.state, undefined, JSON.stringify(state))
          })
          assert.deepEqual([...new Set(told)], ['refused'])
        })
      })

      test('`last_known` sells an equal cart with its tax, and fails another', async () => {
        const shop = shopOf()
        await withPolicy(shop, 'last_known', { time_limit_ms: 2_000 }, async (told, awake) => {
          const cart = await newCart(shop)
          await cart.add(PEN, 3)
          await cart.customer()
          await cart.address(PARIS)
          const { totalWithTax } = await cart.method()
          const order = await away(way, async () => {
            await cart.state('ArrangingPayment')
            const placed = await cart.pay()
            const other = await newCart(shop)
            await other.add(LAMP, 9)
            await assert.rejects(other.address(PARIS), /tax of this sale is unknown/)
            return placed
          })
          assert.ok(order.totalWithTax > order.total)
          assert.equal(order.totalWithTax, totalWithTax)
          assert.deepEqual([...new Set(told)], ['last_known', 'refused'])
          await recordedOnce(shop, awake, order)
        })
      })

      test('`snapshot` sells a new cart by the copy, and fails without local taxes', async () => {
        const shop = shopOf()
        const checkout = { snapshot: await copyInFile(['US-NY']), time_limit_ms: 300 }
        await withPolicy(shop, 'snapshot', checkout, async (told, awake) => {
          const order = await away(way, async () => {
            const cart = await newCart(shop)
            await cart.add(LAMP, 1)
            await cart.customer()
            await cart.address(NEW_YORK)
            await cart.method()
            await cart.state('ArrangingPayment')
            const placed = await cart.pay()
            const texan = await newCart(shop)
            await texan.add(LAMP, 1)
            await assert.rejects(texan.address(AUSTIN), /tax of this sale is unknown/)
            return placed
          })
          assert.deepEqual([order.subTotalWithTax, order.shippingWithTax], [21_666, 544])
          assert.deepEqual([...new Set(told)], ['snapshot', 'refused'])
          await recordedOnce(shop, awake, order)
        })
      })
    })

  test('a sale whose answer was lost, and whose shop crashed, is in the books once', async () => {
    const shop = shopOf()
    const service = shop.server.app.get(TaxComplianceService)
    const cart = await newCart(shop)
    await cart.add(PEN, 4)
    await cart.customer()
    await cart.address(PARIS)
    await cart.method()
    await cart.state('ArrangingPayment')
    // The sale is committed, and its process sends nothing more.
    const { recorder } = service
    service.recorder = SILENT
    const order = await cart.pay()
    service.recorder = recorder
    assert.equal(await inBooks(order.code), undefined)
    await away('swallows', () => serviceWith(shop, {}).flush())
    assert.equal((await rowsOf(shop, TaxComplianceOutbox)).length, 1)
    // Two servers start at once.
    await Promise.all([serviceWith(shop, {}).flush(), serviceWith(shop, {}).flush()])
    assert.equal((await inBooks(order.code)).total, order.totalWithTax)
    assert.deepEqual(await rowsOf(shop, TaxComplianceOutbox), [])
  })

  test('the answers of old carts are deleted, also by two servers, and a late payment is recorded', async () => {
    const shop = shopOf()
    const service = shop.server.app.get(TaxComplianceService)
    const cart = await newCart(shop)
    await cart.add(PEN, 2)
    await cart.customer()
    await cart.address(PARIS)
    await cart.method()
    await cart.state('ArrangingPayment')
    assert.equal(await service.prune(), 0)
    const inAYear = Date.now() + 365 * 24 * 60 * 60 * 1_000
    assert.ok((await rowsOf(shop, TaxComplianceAnswer)).length > 0)
    await Promise.all([service.prune(inAYear), service.prune(inAYear)])
    assert.deepEqual(await rowsOf(shop, TaxComplianceAnswer), [])
    const order = await cart.pay()
    assert.equal(order.state, 'PaymentSettled')
    await service.flush()
    const { total, tax_amount } = await inBooks(order.code)
    assert.deepEqual([total, tax_amount], [order.totalWithTax, order.totalWithTax - order.total])
  })
}

/** A copy of the tax data, as a shop stores it and reads it after a restart. */
async function copyInFile(states) {
  const folder = mkdtempSync(join(tmpdir(), 'tax-data-'))
  const file = join(folder, 'tax-data.json')
  try {
    writeFileSync(file, JSON.stringify(await takeOfflineData(createClient({ baseUrl, apiKey }), states)))
    const offline = createOffline()
    await offline.load(JSON.parse(readFileSync(file, 'utf8')))
    return offline
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

module.exports = { failureTests }
