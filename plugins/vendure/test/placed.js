'use strict'
const assert = require('node:assert/strict')
const { describe, test } = require('node:test')
const gql = require('graphql-tag')
const { TaxComplianceAnswer, TaxComplianceOutbox } = require('../src/entities.js')
const { TaxComplianceService } = require('../src/plugin.js')
const { inBooks, rowsOf } = require('./shop.js')

const CANCEL = gql`
  mutation ($input: CancelOrderInput!) {
    cancelOrder(input: $input) {
      ... on Order {
        state
      }
      ... on ErrorResult {
        message
      }
    }
  }
`
const STATE = gql`
  mutation ($id: ID!, $state: String!) {
    transitionOrderToState(id: $id, state: $state) {
      ... on Order {
        state
      }
      ... on OrderStateTransitionError {
        transitionError
      }
    }
  }
`
const MODIFY = gql`
  mutation ($input: ModifyOrderInput!) {
    modifyOrder(input: $input) {
      ... on Order {
        totalWithTax
        payments {
          refunds {
            id
            state
          }
        }
      }
      ... on ErrorResult {
        message
      }
    }
  }
`
const PAYMENTS = gql`
  query ($id: ID!) {
    order(id: $id) {
      payments {
        id
      }
    }
  }
`

function placedTests({ shopOf, placed, refund, settleRefund, changes, LAMP, PEN, NEW_YORK }) {
  const change = async (document, variables) =>
    Object.values(await shopOf().adminClient.query(document, variables))[0]
  const flush = () => shopOf().server.app.get(TaxComplianceService).flush()

  async function modified(order, input) {
    assert.equal((await change(STATE, { id: order.id, state: 'Modifying' })).state, 'Modifying')
    const answer = await change(MODIFY, { input: { orderId: order.id, dryRun: false, ...input } })
    assert.equal(answer.message, undefined)
    return answer
  }

  describe('an order that is changed after it was placed', () => {
    test('gives back its sale, once, if it is cancelled before its payment', async () => {
      const order = await placed(NEW_YORK, [LAMP, PEN], 'later')
      const { state } = await change(CANCEL, { input: { orderId: order.id, reason: 'No money' } })
      assert.equal(state, 'Cancelled')
      await flush()
      await flush()
      const { amount_refunded, refunds, total } = await inBooks(order.code)
      assert.deepEqual([total, amount_refunded, refunds.length], [order.totalWithTax, total, 1])
      assert.deepEqual(await rowsOf(shopOf(), TaxComplianceOutbox), [])
      assert.deepEqual(changes, [])
    })

    test('keeps its sale if it is cancelled after its payment, until the refund', async () => {
      const order = await placed(NEW_YORK)
      await change(CANCEL, { input: { orderId: order.id, reason: 'Late' } })
      await flush()
      assert.equal((await inBooks(order.code)).amount_refunded, 0)
      assert.deepEqual(changes, [])
    })

    test('is told if a part is cancelled before its payment', async () => {
      const order = await placed(NEW_YORK, [LAMP, PEN], 'later')
      const lines = [{ orderLineId: order.lines[0].id, quantity: 1 }]
      await change(CANCEL, { input: { orderId: order.id, lines, reason: 'Broken' } })
      await told(1)
      assert.deepEqual(changes.splice(0), [
        { what: 'lines_cancelled', order_code: order.code, price_change: null },
      ])
    })

    test('is told with its price if lines and surcharges are added', async () => {
      const order = await placed(NEW_YORK)
      const { totalWithTax } = await modified(order, {
        addItems: [{ productVariantId: PEN, quantity: 2 }],
        surcharges: [{ description: 'Wrapping', price: 300, priceIncludesTax: false }],
      })
      await told(1)
      const price_change = totalWithTax - order.totalWithTax
      assert.ok(price_change > 4_298)
      assert.deepEqual(changes.splice(0), [{ what: 'modified', order_code: order.code, price_change }])
      await flush()
      assert.equal((await inBooks(order.code)).total, order.totalWithTax)
      // The answer of a placed order is not kept: no sale needs it.
      const rows = await rowsOf(shopOf(), TaxComplianceAnswer)
      assert.ok(!rows.some(({ body }) => body.sale.line_items.some(({ description }) => description)))
    })

    test('records the refund of a line that is removed', async () => {
      const order = await placed(NEW_YORK, [LAMP, PEN])
      const { payments } = await change(PAYMENTS, { id: order.id })
      const answer = await modified(order, {
        adjustOrderLines: [{ orderLineId: order.lines[1].id, quantity: 0 }],
        refunds: [{ paymentId: payments[0].id, reason: 'Sold out', amount: 2_176 }],
      })
      await settleRefund(answer.payments[0].refunds[0])
      await flush()
      const { amount_refunded, total, refunds, line_items } = await inBooks(order.code)
      assert.deepEqual([total - amount_refunded, amount_refunded], [answer.totalWithTax, 2_176])
      assert.deepEqual(amounts(refunds[0]), [[line_items[1].id, 2_176]])
      assert.deepEqual(changes, [])
    })
  })

  /** What a refund in the books gives back of each line. */
  const amounts = ({ line_items }) =>
    line_items.map(({ id, net_amount, tax_amount }) => [id, net_amount + tax_amount])

  describe('a refund of Vendure', () => {
    test('is of its lines, with shipping and adjustment, until the whole sale is given back', async () => {
      const order = await placed(NEW_YORK, [LAMP, PEN, PEN])
      const [lamp, pen] = order.lines.map(({ id }) => id)
      const one = await refund(order, { lines: [{ orderLineId: pen, quantity: 1 }] })
      // The adjustment is less than the line, and belongs to it.
      const less = await refund(order, { lines: [{ orderLineId: lamp, quantity: 1 }], adjustment: -1_000 })
      const delivery = await refund(order, { shipping: 300 })
      const amount = order.totalWithTax - one - less - delivery
      const lines = [
        { orderLineId: pen, quantity: 1 },
        { orderLineId: lamp, quantity: 1 },
      ]
      await refund(order, { lines, shipping: 244, amount })
      await flush()
      const sale = await inBooks(order.code)
      const [lampLine, penLine, shipping] = sale.line_items.map(({ id }) => id)
      assert.deepEqual(sale.refunds.slice(0, 3).map(amounts), [
        [[penLine, one]],
        [[lampLine, less]],
        [[shipping, 300]],
      ])
      assert.deepEqual([sale.amount_refunded, sale.tax_refunded], [sale.total, sale.tax_amount])
      assert.deepEqual(
        sale.refunds.map(({ reason }) => reason),
        ['Scratch', 'Scratch', 'Scratch', 'Scratch'],
      )
      const given = Map.groupBy(sale.refunds.flatMap(amounts), ([id]) => id)
      for (const line of sale.line_items)
        assert.equal(
          given.get(line.id).reduce((sum, [, each]) => sum + each, 0),
          line.net_amount + line.tax_amount,
        )
    })
  })

  /** Resolves when this many changes were told: an event comes after its transaction. */
  async function told(count) {
    if (changes.length >= count) return
    await new Promise((resolve) => {
      changes.told = () => {
        delete changes.told
        resolve()
      }
    })
  }
}

module.exports = { placedTests }
