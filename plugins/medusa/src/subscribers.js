const { ordersOf, ordersOfPayments, recordCancellation, recordOrder, recordRefunds } = require('./books')

/** The events that change the books. */
const config = {
  event: ['order.placed', 'order.canceled', 'payment.refunded'],
  context: { subscriberId: 'tax-compliance-books' },
}

/** The last event of each order with events under way. */
const under_way = new Map()

/**
 * Records a placed order as a sale, and refunds and cancellations as its refunds, each once. The events of one
 * order are recorded one after the other, so that two do not send the same refund at once. Those of several
 * orders are recorded at the same time, so that the client gathers their sales.
 */
async function recordInBooks({ event, container }) {
  const id = await orderIdOf(container, event)
  if (!id) return
  const done = (under_way.get(id) ?? Promise.resolve()).then(() => record(container, event.name, id))
  const settled = done.catch(() => {})
  under_way.set(id, settled)
  await done.finally(() => {
    if (under_way.get(id) === settled) under_way.delete(id)
  })
}

async function orderIdOf(container, { name, data: { id } }) {
  return name === 'payment.refunded' ? (await ordersOfPayments(container, [id])).get(id) : id
}

async function record(container, name, id) {
  const [order] = await ordersOf(container, { id })
  if (order === undefined) return
  if (name === 'order.placed') await recordOrder(container, order)
  else if (name === 'order.canceled') await recordCancellation(container, order, new Date())
  else await recordRefunds(container, order)
}

// `export { default } from` in a compiled module takes the function only with this mark.
Object.defineProperty(exports, '__esModule', { value: true })
Object.assign(exports, { config, recordInBooks, default: recordInBooks })
