const { ordersOf, ordersOfPayments, recordCancellation, recordOrder, recordRefunds } = require('./books')

/** The events that change the books. */
const config = {
  event: ['order.placed', 'order.canceled', 'payment.refunded'],
  context: { subscriberId: 'tax-compliance-books' },
}

/** One event after the other, so that two of one order do not send the same refund at once. */
let before = Promise.resolve()

/** Records a placed order as a sale, and refunds and cancellations as its refunds, each once. */
async function recordInBooks({ event, container }) {
  const done = before.then(() => record(container, event))
  before = done.catch(() => {})
  await done
}

async function record(container, { name, data }) {
  const ofPayment = async () => (await ordersOfPayments(container, [data.id])).get(data.id)
  const id = name === 'payment.refunded' ? await ofPayment() : data.id
  if (!id) return
  const [order] = await ordersOf(container, { id })
  if (order === undefined) return
  if (name === 'order.placed') await recordOrder(container, order)
  else if (name === 'order.canceled') await recordCancellation(container, order, new Date())
  else await recordRefunds(container, order)
}

// `export { default } from` in a compiled module takes the function only with this mark.
Object.defineProperty(exports, '__esModule', { value: true })
Object.assign(exports, { config, recordInBooks, default: recordInBooks })
