import * as z from 'zod'
import { calculateTax } from '../../sales/calculation/calculate.ts'
import { checkCalculation } from '../../sales/calculation/check-request.ts'
import type { Context } from '../../platform/context.ts'
import { ApiError, fieldError } from '../../platform/errors.ts'
import { validate } from '../../platform/http/validate.ts'
import { minorUnits } from '../taxjar/amounts.ts'
import { recordTransaction } from '../../sales/transactions/record/record.ts'
import { checkTransaction } from '../../sales/transactions/sale/check-request.ts'
import type { TransactionRequested } from '../../sales/transactions/sale/schemas.ts'
import { findTransaction } from '../../sales/transactions/sale/store.ts'
import { type Booked, type OrderEvent, type OrderRead, SaleorOrder } from './order-payload.ts'
import { externalId, refundUpTo } from './refunds.ts'
import { partiesOf, productTypeOf } from './sale.ts'

/** Orders that are no sales: nobody has confirmed them. */
const NO_SALE: ReadonlySet<string> = new Set(['DRAFT', 'UNCONFIRMED', 'EXPIRED'])

/**
 * Brings the books to the state of an order. An event that comes twice, late or out of order changes nothing
 * that is there. A cancellation of a sale that is not recorded is refused, so Saleor sends it again: the
 * event that confirms the sale may still be on its way.
 */
export async function bookEvent(context: Context, { __typename, order }: OrderEvent): Promise<Booked> {
  const cancelled = __typename === 'OrderCancelled' || order.status === 'CANCELED'
  const whole = cancelled || __typename === 'OrderFullyRefunded'
  const recorded = cancelled ? false : await recordOnce(context, order)
  return { recorded, refunded: await refundUpTo(context, order, whole) }
}

/**
 * Brings the books to the state of an order that was read from the shop: its event may be lost. Orders
 * from before the shop was registered are left alone if the books do not have them.
 */
export async function bookRead(context: Context, { order: read, since }: OrderRead): Promise<Booked> {
  const cancelled = read.status === 'CANCELED'
  const known = await isRecorded(context, read)
  const is_sale = !cancelled && !NO_SALE.has(read.status) && Date.parse(read.created) >= Date.parse(since)
  if (!known && !is_sale) return { recorded: false, refunded: false }
  const { order } = validate(z.object({ order: SaleorOrder }), { order: read })
  const { currency, gross } = order.total
  const given_back = minorUnits(order.totalRefunded.amount, currency)
  const recorded = !known && (await recordOnce(context, order))
  if (!known && !recorded) return { recorded, refunded: false }
  const whole = cancelled || given_back >= minorUnits(gross.amount, currency)
  return { recorded, refunded: await refundUpTo(context, order, whole && (cancelled || given_back > 0)) }
}

async function isRecorded(context: Context, order: Pick<SaleorOrder, 'id'>): Promise<boolean> {
  try {
    await findTransaction(context, { external_id: externalId(order) })
    return true
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.reason === 'not_found') return false
    throw thrown
  }
}

/** Records the sale of an order. False: the books have it. */
async function recordOnce(context: Context, order: SaleorOrder): Promise<boolean> {
  if (NO_SALE.has(order.status)) return false
  try {
    await recordTransaction(context, await saleOfOrder(context, order))
    return true
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.reason === 'external_id_taken') return false
    throw thrown
  }
}

type NetAndGross = { net: number; gross: number }

/** The amounts of an order in minor units: of its lines, and of its shipping. */
function pricesOf({ lines, shippingPrice, total: { currency } }: SaleorOrder) {
  const priced = ({ net, gross }: SaleorOrder['shippingPrice']): NetAndGross => ({
    net: minorUnits(net.amount, currency),
    gross: minorUnits(gross.amount, currency),
  })
  return { lines: lines.map(({ totalPrice }) => priced(totalPrice)), shipping: priced(shippingPrice) }
}

type Prices = ReturnType<typeof pricesOf>

/**
 * The sale that an order records. If our calculation is the order to the cent, the sale is calculated, with
 * its reasons. Else the order has the last word: its amounts are recorded as the tax that it charged.
 */
async function saleOfOrder(context: Context, order: SaleorOrder): Promise<TransactionRequested> {
  const place = order.shippingAddress ?? order.billingAddress ?? null
  if (place === null) throw fieldError('invalid_request', 'order.shippingAddress', 'the order has no address')
  const prices = pricesOf(order)
  const parties = partiesOf(place, order)
  const sale = {
    external_id: externalId(order),
    ...parties,
    metadata: { saleor_order: order.number },
    transaction_date: order.created,
  }
  for (const behavior of ['exclusive', 'inclusive'] as const) {
    const priced = await pricedAsOrdered(context, order, prices, parties, behavior)
    if (priced !== null) return checkTransaction({ ...sale, ...priced })
  }
  const { lines, shipping } = prices
  return checkTransaction({
    ...sale,
    currency: order.total.currency,
    line_items: soldLines(context, order).map((line, index) => ({ ...line, ...taxGiven(lines[index]) })),
    shipping_cost: taxGiven(shipping),
  })
}

function taxGiven({ net, gross }: NetAndGross = { net: 0, gross: 0 }) {
  return { amount: net, tax_amount: gross - net }
}

function soldLines(context: Context, { lines }: SaleorOrder) {
  return lines.map(({ productName, id, quantity, variant }, index) => ({
    reference: id,
    quantity,
    description: productName.slice(0, 1_000).toWellFormed(),
    product_type: productTypeOf(context, variant, `order.lines[${index}]`),
  }))
}

/** The lines of a sale that is calculated as the order is, to the cent. Null: the order has other amounts. */
async function pricedAsOrdered(
  context: Context,
  order: SaleorOrder,
  { lines, shipping }: Prices,
  parties: object,
  tax_behavior: 'exclusive' | 'inclusive',
) {
  const amountOf = ({ net, gross }: NetAndGross = { net: 0, gross: 0 }) =>
    tax_behavior === 'inclusive' ? gross : net
  const priced = {
    currency: order.total.currency,
    tax_behavior,
    line_items: soldLines(context, order).map((line, index) => ({ ...line, amount: amountOf(lines[index]) })),
    shipping_cost: { amount: amountOf(shipping) },
  }
  const body = await checkCalculation({ ...priced, ...parties, transaction_date: order.created })
  const answer = await calculateTax(context, body)
  const fee = answer.fees.reduce((sum, { tax_amount }) => sum + tax_amount, 0)
  const charged = [
    ...answer.line_items.map((line) => netAndGross(line, 0)),
    netAndGross(answer.shipping_cost, fee),
  ]
  const same = [...lines, shipping].every(
    ({ net, gross }, index) => charged[index]?.net === net && charged[index]?.gross === gross,
  )
  return same ? priced : null
}

function netAndGross(line: { net_amount: number; tax_amount: number } | null, fee: number): NetAndGross {
  const { net_amount, tax_amount } = line ?? { net_amount: 0, tax_amount: 0 }
  return { net: net_amount, gross: net_amount + tax_amount + fee }
}
