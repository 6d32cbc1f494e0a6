'use strict'
const { cutText } = require('tax-compliance/shop')
const { toService } = require('./money.js')

/** The price of a line as it was listed, with its discounts. No rate of tax changes it. */
function amountOf(line) {
  const withTax = line.listPriceIncludesTax
  if ('proratedLinePrice' in line) return withTax ? line.proratedLinePriceWithTax : line.proratedLinePrice
  if ('discountedPrice' in line) return withTax ? line.discountedPriceWithTax : line.discountedPrice
  return withTax ? line.priceWithTax : line.price
}

/** The parts of an order that bear tax. A line without pieces is what a cancellation leaves. */
function partsOf(order) {
  return {
    lines: (order.lines ?? []).filter(({ quantity }) => quantity > 0),
    surcharges: order.surcharges ?? [],
    shippingLines: order.shippingLines ?? [],
  }
}

/** The ids of the lines and surcharges, in the order of the line items of the question. */
function shopLinesOf(order) {
  const { lines, surcharges } = partsOf(order)
  return [...lines.map(({ id }) => String(id)), ...surcharges.map(({ id }) => `surcharge-${id}`)]
}

/** Where the goods go. Vendure's addresses are free text, and the service reads names of regions too. */
function addressOf({ shippingAddress, billingAddress }) {
  const given = [shippingAddress, billingAddress].find((each) => each?.countryCode)
  if (given === undefined) return undefined
  const { countryCode: country, province, city, postalCode, streetLine1, streetLine2 } = given
  const fields = { region: province, city, postal_code: postalCode, line1: streetLine1, line2: streetLine2 }
  const filled = Object.entries(fields).filter(([, value]) => typeof value === 'string' && value !== '')
  return { country, ...Object.fromEntries(filled) }
}

/**
 * The question for an order as it is. Undefined: it has nothing to tax. `null`: it has no address yet, so
 * its tax is not known.
 */
async function questionOf(order, options, precision) {
  const { lines, surcharges, shippingLines } = partsOf(order)
  if (lines.length + surcharges.length === 0) return undefined
  const address = await (options.address ?? addressOf)(order)
  if (!address) return null
  const minor = (amount) => toService(amount, order.currencyCode, precision)
  const priced = (line) => ({ amount: minor(amountOf(line)), tax_behavior: behaviorOf(line) })
  const items = lines.map(async (line) => ({
    ...priced(line),
    quantity: line.quantity,
    product_type: await options.productType(line.productVariant, line),
    reference: String(line.productVariant?.sku ?? line.id ?? ''),
  }))
  const charges = surcharges.map((surcharge) => ({
    ...priced(surcharge),
    quantity: 1,
    product_type: surchargeTypeOf(surcharge, options),
    reference: surcharge.sku || null,
    description: cutText(surcharge.description ?? '', 1_000),
  }))
  return {
    currency: order.currencyCode,
    ...(options.seller && { seller: options.seller }),
    ...(await partiesOf(order, options, address)),
    line_items: [...(await Promise.all(items)), ...charges],
    ...(shippingLines.length > 0 && { shipping_cost: shippingOf(shippingLines, minor) }),
  }
}

/** Who buys, and how the goods reach the customer: fields of the question, and of the recorded sale. */
async function partiesOf(order, { customer, customerOf, shipFrom, pickup }, address) {
  const customer_id = await customerOf?.(order)
  const counter = await pickup?.(order)
  const place = typeof shipFrom === 'function' ? await shipFrom(order) : shipFrom
  const ship_from = typeof counter === 'object' && counter !== null ? counter : place
  return {
    customer: { ...(await customer?.(order)), address },
    ...(customer_id && { customer_id }),
    ...(ship_from && { ship_from }),
    ...(counter && { delivery: 'pickup' }),
  }
}

function behaviorOf({ listPriceIncludesTax }) {
  return listPriceIncludesTax ? 'inclusive' : 'exclusive'
}

function surchargeTypeOf(surcharge, { surchargeType }) {
  const type = surchargeType?.(surcharge)
  if (type) return type
  throw new Error(`The surcharge ${surcharge.description} has no product type: give the option surchargeType`)
}

function shippingOf(shippingLines, minor) {
  const [first] = shippingLines
  if (shippingLines.some((each) => each.listPriceIncludesTax !== first.listPriceIncludesTax))
    throw new Error('Some shipping prices of this order include tax and others do not: make them equal')
  const amount = shippingLines.reduce((sum, each) => sum + amountOf(each), 0)
  return { amount: minor(amount), tax_behavior: behaviorOf(first) }
}

module.exports = { amountOf, partsOf, questionOf, shopLinesOf }
