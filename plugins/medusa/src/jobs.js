const { ContainerRegistrationKeys, Modules } = require('@medusajs/framework/utils')
const { outboxIdOfRefund } = require('tax-compliance/shop')
const {
  booksOf,
  isTaxedByUs,
  ordersOf,
  ordersOfPayments,
  recordCancellation,
  recordOrder,
  recordRefunds,
} = require('./books')
const { createOutbox } = require('./outbox')
const { checkTaxRegions, shopsOf } = require('./regions')

/** How far back lost events are searched. A server that was away for longer needs a look by a person. */
const LOOK_BACK_MS = 3 * 24 * 60 * 60 * 1_000
const PAGE = 100
const PAGES_MAX = 50

const config = { name: 'tax-compliance-books', schedule: '*/5 * * * *' }

/**
 * Sends what waits in the outbox, records the orders and refunds whose event was lost in a crash, and says
 * aloud which countries have no tax region.
 */
async function catchUp(container) {
  await checkTaxRegions(container)
  const [shop] = await shopsOf(container.resolve(Modules.TAX))
  if (shop === undefined) return 0
  const { recorder, outbox } = await booksOf(container, shop)
  const sent = await recorder.flush()
  const found = await recordLost(container)
  await outbox.prune()
  return sent + found
}

/** Events are kept in the memory of the server by default, so a crash can lose one: the orders are not. */
async function recordLost(container) {
  const outbox = await createOutbox(container)
  const since = { created_at: { $gte: new Date(Date.now() - LOOK_BACK_MS) } }
  let found = 0
  await eachPage(async (pagination) => {
    const orders = await ordersOf(container, since, pagination)
    const ours = orders.filter((order) => isTaxedByUs(order) && order.status !== 'draft')
    const lost = new Set(await outbox.unknown(ours.map(({ id }) => `sale ${id}`)))
    const ofLost = ours.filter(({ id }) => lost.has(`sale ${id}`))
    // At once, so that the client gathers them.
    const recorded = await Promise.all(ofLost.map((order) => recordOrder(container, order)))
    found += recorded.filter((each) => each !== null).length
    for (const order of ours)
      if (order.status === 'canceled') await recordCancellation(container, order, canceledAt(order))
    return orders.length
  })
  await eachPage(async (pagination) => {
    const refunds = await refundsSince(container, since, pagination)
    const payments = [...new Set(refunds.map(({ payment_id }) => payment_id))]
    const orders = await ordersOfPayments(container, payments)
    const idOf = ({ id, payment_id }) => outboxIdOfRefund(orders.get(payment_id), id)
    const known = refunds.filter(({ payment_id }) => orders.get(payment_id))
    const lost = new Set(await outbox.unknown(known.map(idOf)))
    for (const refund of known) {
      if (!lost.has(idOf(refund))) continue
      const [order] = await ordersOf(container, { id: orders.get(refund.payment_id) })
      if (order === undefined || !isTaxedByUs(order)) continue
      await recordRefunds(container, order)
      found += 1
    }
    return refunds.length
  })
  return found
}

async function refundsSince(container, filters, pagination) {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  return (await query.graph({ entity: 'refund', fields: ['id', 'payment_id'], filters, pagination })).data
}

function canceledAt({ canceled_at }) {
  return canceled_at ? new Date(canceled_at) : new Date()
}

/** Reads page after page, until one is not full. `read` returns how many rows its page had. */
async function eachPage(read) {
  for (let page = 0; page < PAGES_MAX; page += 1)
    if ((await read({ take: PAGE, skip: page * PAGE, order: { id: 'ASC' } })) < PAGE) return
}

// `export { default } from` in a compiled module takes the function only with this mark.
Object.defineProperty(exports, '__esModule', { value: true })
Object.assign(exports, { catchUp, config, default: catchUp })
