import { cutText, toMinorUnits } from 'tax-compliance/shop'

/** The cart or order cannot be calculated or recorded as it is. */
export class CartError extends Error {
  name = 'CartError'
}

/** The cart of a tax provider request as a question to the service. `goods` are its lines, in the same order. */
export async function saleOfCart({ cart, context }, settings) {
  const { customer } = context
  const place = given(context.shippingLocation, 'context.shippingLocation')
  return saleOf(
    {
      currency: given(context.currency?.isoCode, 'context.currency'),
      tax_status: given(cart.price?.taxStatus, 'cart.price.taxStatus'),
      lines: listOf(cart.lineItems, 'cart.lineItems').map((line) => ({ ...line, key: line?.id })),
      deliveries: listOf(cart.deliveries, 'cart.deliveries'),
      address: {
        ...place.address,
        country: place.address?.country ?? place.country,
        countryState: place.address?.countryState ?? place.state,
      },
      customer,
    },
    settings,
  )
}

/** A placed order as a sale for the books, with the taxes that the order states. */
export async function saleOfOrder(order, shop_id, settings) {
  const deliveries = listOf(order.deliveries ?? [], 'order.deliveries')
  const currency = given(order.currency?.isoCode, 'order.currency')
  const { sale, goods } = await saleOf(
    {
      currency,
      tax_status: given(order.taxStatus ?? order.price?.taxStatus, 'order.taxStatus'),
      lines: listOf(order.lineItems, 'order.lineItems').map((line) => ({ ...line, key: line?.identifier })),
      deliveries,
      address: deliveries[0]?.shippingOrderAddress ?? order.billingAddress,
      customer: order.orderCustomer,
    },
    settings,
  )
  const line_items = sale.line_items.map((line, index) => ({
    ...line,
    tax_amount: taxOf(goods[index].price, currency),
  }))
  const shipping = deliveries.length === 0 ? 0 : taxOf(deliveries[0].shippingCosts, currency)
  const total = taxOf(given(order.price, 'order.price'), currency)
  const fee = total - shipping - line_items.reduce((sum, { tax_amount }) => sum + tax_amount, 0)
  return {
    ...sale,
    external_id: externalId(shop_id, order),
    transaction_date: order.orderDateTime,
    line_items,
    // Refunds name lines by these ids.
    ...(goods.every(({ id }) => typeof id === 'string') && { shop_lines: goods.map(({ id }) => id) }),
    ...(sale.shipping_cost && { shipping_cost: { ...sale.shipping_cost, tax_amount: shipping } }),
    ...(fee !== 0 && { fees: [feeOf(fee, sale.customer.address)] }),
  }
}

/** Numbers of orders repeat between shops. */
export function externalId(shop_id, order) {
  return `${shop_id}-${given(order.orderNumber, 'order.orderNumber')}`
}

function given(value, name) {
  if (value === undefined || value === null) throw new CartError(`${name} is required`)
  return value
}

/** Throws a CartError if the value is no list. */
export function listOf(value, name) {
  if (!Array.isArray(value)) throw new CartError(`${name} must be a list`)
  return value
}

async function saleOf({ currency, tax_status, lines, deliveries, address, customer }, settings) {
  const priced = lines.map((line) => ({ ...line, amount: minorUnits(line.price, currency), discount: 0 }))
  const goods = priced.filter(({ amount, type }) => amount >= 0 && type !== 'promotion')
  for (const line of priced) if (line.amount < 0) takeOff(-line.amount, line.payload?.composition, goods)
  const shipping = deliveries.reduce((sum, each) => sum + minorUnits(each?.shippingCosts, currency), 0)
  const sale = {
    ...settings.sale,
    currency,
    tax_behavior: tax_status === 'gross' ? 'inclusive' : 'exclusive',
    ...(await partiesOf(customer, deliveries, address, settings)),
    line_items: goods.map((line) => ({
      amount: line.amount,
      quantity: line.quantity,
      product_type: settings.productTypeOf(line),
      ...(line.label && { description: cutText(line.label, 1_000) }),
      ...(line.discount > 0 && { discount: line.discount }),
    })),
    ...(deliveries.length > 0 && { shipping_cost: { amount: shipping } }),
  }
  return { sale, goods, others: priced.filter((line) => !goods.includes(line)) }
}

/** Who buys, and the counter where the goods are fetched. The fields of `settings.sale` are there before. */
async function partiesOf(customer, deliveries, address, { customerOf, pickup = {} }) {
  const vat_id = customer?.vatIds?.[0]
  const number = customer?.customerNumber
  const customer_id = customer && (await customerOf?.({ id: customer.customerId ?? customer.id, number }))
  const counters = deliveries.map((each) => pickup[each?.shippingMethod?.id ?? each?.shippingMethodId])
  const [counter] = counters
  if (counters.some((each) => Boolean(each) !== Boolean(counter)))
    throw new CartError('The customer fetches a part of the cart: make an order of what is sent')
  return {
    customer: { address: addressOf(address), ...(vat_id && { vat_id }) },
    ...(customer_id && { customer_id }),
    ...(counter && { delivery: 'pickup' }),
    ...(typeof counter === 'object' && { ship_from: counter }),
  }
}

/**
 * Shares a discount between the lines that it is for: Shopware says it in `composition`, or else between all
 * by their prices. A line bears no more than it costs, and the rest goes to the others.
 */
function takeOff(amount, composition, goods) {
  const weights = goods.map(({ key, amount: price }) =>
    Array.isArray(composition) && composition.length > 0
      ? composition.filter(({ id }) => id === key).reduce((sum, { discount }) => sum + Math.abs(discount), 0)
      : price,
  )
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let weighed = 0
  let given = 0
  let left = 0
  for (const [index, line] of goods.entries()) {
    weighed += weights[index]
    const until = whole === 0 ? 0 : Math.round((amount * weighed) / whole)
    left += bear(line, until - given)
    given = until
  }
  left += amount - given
  for (const line of goods) left = bear(line, left)
  if (left > 0) throw new CartError('The discounts of the cart are more than its goods cost')
}

/** Lowers the price of a line. Returns what the line cannot bear. */
function bear(line, amount) {
  const borne = Math.min(amount, line.amount - line.discount)
  line.discount += borne
  return amount - borne
}

function addressOf(address) {
  const country = given(address?.country?.iso, 'The country of the address')
  // Shopware writes US-NY for the state.
  const region = address.countryState?.shortCode?.replace(`${country}-`, '')
  return {
    country,
    ...(region && { region }),
    ...(address.zipcode && { postal_code: address.zipcode }),
    ...(address.city && { city: address.city }),
  }
}

/** The price of a line, delivery or refund in minor units. */
export function minorUnits(price, currency) {
  return exact(given(price?.totalPrice, 'The price of each line, delivery and refund'), currency)
}

function taxOf(price, currency) {
  return listOf(price.calculatedTaxes, 'calculatedTaxes').reduce(
    (sum, { tax }) => sum + exact(tax, currency),
    0,
  )
}

/** Shopware adds up binary fractions, so 0.1 + 0.2 has dust after its sixth digit. */
function exact(price, currency) {
  return toMinorUnits(Number(Number(price).toFixed(6)), currency)
}

/** What an order states beyond the taxes of its lines and shipping is a retail delivery fee of a state. */
function feeOf(tax_amount, { country, region }) {
  if (country !== 'US' || region === undefined || tax_amount < 0)
    throw new CartError('The taxes of the lines and the shipping are not those of the order')
  return { jurisdiction_id: `US-${region}`, tax_amount }
}
