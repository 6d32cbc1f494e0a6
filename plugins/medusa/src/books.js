const { ContainerRegistrationKeys, MathBN } = require('@medusajs/framework/utils')
const { createRecorder, cutText, outboxIdOfRefund } = require('tax-compliance/shop')
const { minorUnits, minorUnitsOfAll } = require('./amounts')
const { addressOf, behaviorOf, partiesOf, piecesOf } = require('./cart')
const { deliveryOf } = require('./delivery')
const { createOutbox } = require('./outbox')
const { shopOf } = require('./regions')
const { IDENTIFIER } = require('./shop')

const ORDER_FIELDS = [
  'id',
  'display_id',
  'status',
  'created_at',
  'canceled_at',
  'currency_code',
  'email',
  'metadata',
  'total',
  'items.*',
  'items.total',
  'items.tax_total',
  'items.tax_lines.*',
  'items.adjustments.*',
  'shipping_methods.*',
  'shipping_methods.total',
  'shipping_methods.tax_total',
  'shipping_methods.tax_lines.*',
  'shipping_methods.adjustments.*',
  'shipping_address.*',
  'customer.*',
  'payment_collections.payments.refunds.*',
]

async function ordersOf(container, filters, pagination) {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const asked = { entity: 'order', fields: ORDER_FIELDS, filters }
  return (await query.graph(pagination === undefined ? asked : { ...asked, pagination })).data
}

async function booksOf(container, shop) {
  const outbox = await createOutbox(container)
  const recorder = createRecorder({
    tax: shop.tax,
    outbox,
    onUnrecorded: (unrecorded) => shop.tell({ outcome: 'unrecorded', ...unrecorded }),
  })
  return { outbox, recorder }
}

/** Records a placed order. Null: another provider taxes its country, or it has nothing to record. */
async function recordOrder(container, order) {
  const country = order.shipping_address?.country_code
  const shop = country ? await shopOf(container, country) : null
  const sale = shop && (await saleOf(container, shop, order))
  if (!sale) return null
  sayDifferences(shop, order)
  const { recorder } = await booksOf(container, shop)
  return recorder.sale(sale)
}

/** The sale as the customer paid it: with the taxes of the order, whatever a later calculation says. */
async function saleOf(container, shop, order) {
  const currency = order.currency_code.toUpperCase()
  const items = order.items.filter(({ is_giftcard }) => is_giftcard !== true)
  const methods = order.shipping_methods ?? []
  const charged = [...items, ...methods]
  if (charged.length === 0) return null
  const totals = minorUnitsOfAll(
    charged.map(({ total }) => total),
    currency,
  )
  const taxes = minorUnitsOfAll(
    charged.map(({ tax_total }) => tax_total),
    currency,
  )
  const inclusive = (line) => line.is_tax_inclusive === true
  const line = (item, index, product_type) => ({
    amount: inclusive(item) ? totals[index] : totals[index] - taxes[index],
    tax_behavior: behaviorOf({ inclusive: inclusive(item) }),
    tax_amount: taxes[index],
    product_type,
    reference: item.id,
  })
  const facts = {
    address: addressOf(order.shipping_address),
    vat_id: shop.vatIdOf(order),
    customer_id: await shop.customerOf(order),
    ...(await deliveryOf(container, shop, order)),
  }
  return {
    external_id: order.id,
    currency,
    transaction_date: new Date(order.created_at).toISOString(),
    ...(shop.seller !== undefined && { seller: shop.seller }),
    ...partiesOf(facts),
    line_items: [
      ...items.map((item, index) => ({ ...line(item, index, shop.productTypeOf(item)), ...piecesOf(item) })),
      ...methods.map((method, index) => line(method, items.length + index, 'shipping')),
    ],
    metadata: { medusa_order: String(order.display_id ?? order.id) },
  }
}

/** No tax line: Medusa did not ask. Another amount than was answered: discounts changed after the answer. */
function sayDifferences(shop, order) {
  const currency = order.currency_code.toUpperCase()
  const items = order.items.filter(({ is_giftcard }) => is_giftcard !== true)
  const lines = [...items, ...(order.shipping_methods ?? [])]
  for (const { id, tax_lines } of lines)
    if (!tax_lines?.length) shop.tell({ outcome: 'untaxed', order_id: order.id, line_id: id })
  const answered = (some) => some.map(({ tax_lines }) => tax_lines?.[0]?.data?.tax_amount)
  // The shipping is answered as one, on each of its methods.
  const amounts = [...answered(items), ...answered(order.shipping_methods ?? []).slice(0, 1)]
  if (amounts.some((amount) => amount === undefined)) return
  const calculated = amounts.reduce((sum, amount) => sum + amount, 0)
  const charged = minorUnits(MathBN.sum(...lines.map(({ tax_total }) => tax_total)), currency)
  if (charged !== calculated) shop.tell({ outcome: 'tax_differs', order_id: order.id, charged, calculated })
}

function isTaxedByUs({ items, shipping_methods }) {
  return [...(items ?? []), ...(shipping_methods ?? [])].some(({ tax_lines }) =>
    tax_lines?.some(({ provider_id }) => provider_id === IDENTIFIER),
  )
}

/** Records all refunds of an order that are not in the books, after its sale. */
async function recordRefunds(container, order) {
  const country = order.shipping_address?.country_code
  const shop = country ? await shopOf(container, country) : null
  if (!shop) return
  const refunds = refundsOf(order)
  if (refunds.length === 0) return
  const { outbox, recorder } = await booksOf(container, shop)
  const idOf = ({ id }) => outboxIdOfRefund(order.id, id)
  const unknown = new Set(await outbox.unknown(refunds.map(idOf)))
  if (unknown.size === 0) return
  const saleIsThere = (await outbox.isRecorded(`sale ${order.id}`)) || (await recordOrder(container, order))
  const currency = order.currency_code.toUpperCase()
  for (const { id, amount, note, created_at } of refunds.filter((each) => unknown.has(idOf(each)))) {
    const refund = {
      external_id: id,
      amount: minorUnits(amount, currency),
      reason: cutText(note ?? '', 500) || 'Refund of a payment',
      // A payment is refunded, and no line.
      shop_lines: [],
      refunded_at: new Date(created_at).toISOString(),
    }
    await keepOrSend({ outbox, recorder, saleIsThere }, order, refund)
  }
}

/** A refund waits for its sale: the service would refuse the refund of a sale that it does not have. */
async function keepOrSend({ outbox, recorder, saleIsThere }, order, refund) {
  if (saleIsThere) await recorder.refund(order.id, refund)
  else
    await outbox.put({
      id: outboxIdOfRefund(order.id, refund.external_id),
      kind: 'refund',
      sale_external_id: order.id,
      refund,
    })
}

/** The ids of the orders of payments, by the ids of the payments. */
async function ordersOfPayments(container, ids) {
  if (ids.length === 0) return new Map()
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: 'payment',
    fields: ['id', 'payment_collection.order.id'],
    filters: { id: ids },
  })
  return new Map(data.map(({ id, payment_collection }) => [id, payment_collection?.order?.id ?? null]))
}

function refundsOf({ payment_collections }) {
  return (payment_collections ?? [])
    .flatMap(({ payments }) => payments ?? [])
    .flatMap(({ refunds }) => refunds ?? [])
}

/** A canceled order gives back all that no refund gave back: its payment was never captured. */
async function recordCancellation(container, order, canceled_at) {
  await recordRefunds(container, order)
  const country = order.shipping_address?.country_code
  const shop = country ? await shopOf(container, country) : null
  if (!shop) return
  const refunded = MathBN.sum(...refundsOf(order).map(({ amount }) => amount))
  const currency = order.currency_code.toUpperCase()
  if (minorUnits(refunded, currency) >= minorUnits(soldFor(order), currency)) return
  const { outbox, recorder } = await booksOf(container, shop)
  const saleIsThere = (await outbox.isRecorded(`sale ${order.id}`)) || (await recordOrder(container, order))
  const refunded_at = canceled_at.toISOString()
  const refund = {
    external_id: `${order.id} canceled`,
    rest: true,
    reason: 'The order was canceled',
    refunded_at,
  }
  await keepOrSend({ outbox, recorder, saleIsThere }, order, refund)
}

/** Not the total of the order: credit lines of Medusa make it smaller when it is canceled. */
function soldFor({ items, shipping_methods }) {
  const lines = [...items.filter(({ is_giftcard }) => is_giftcard !== true), ...(shipping_methods ?? [])]
  return MathBN.sum(...lines.map(({ total }) => total))
}

module.exports = {
  booksOf,
  isTaxedByUs,
  ordersOfPayments,
  ordersOf,
  recordCancellation,
  recordOrder,
  recordRefunds,
}
