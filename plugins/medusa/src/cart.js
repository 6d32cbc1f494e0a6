const { MathBN } = require('@medusajs/framework/utils')
const { discounted, linePrice, minorUnitsOfAll } = require('./amounts')

/** The address of Medusa as one of ours. `us-ny` and `ny` are both New York. */
function addressOf(address) {
  const country = (address.country_code ?? '').toUpperCase()
  const province = address.province_code ?? address.province ?? ''
  const region = province.toUpperCase().startsWith(`${country}-`)
    ? province.slice(country.length + 1)
    : province
  return {
    country,
    region: (region.length <= 3 ? region.toUpperCase() : region) || null,
    city: address.city || null,
    postal_code: address.postal_code || null,
    line1: address.address_1 || null,
    line2: address.address_2 || null,
  }
}

function pricesOf({ is_tax_inclusive, adjustments = [] }, price) {
  return linePrice({ inclusive: Boolean(is_tax_inclusive), price, adjustments })
}

/** All methods of shipping as one, because the law taxes the shipping of a sale as one. */
function shippingPrice(methods) {
  if (methods.length === 0) return null
  const prices = methods.map((method) => pricesOf(method, method.amount))
  const [first, ...others] = prices
  if (others.some(({ inclusive }) => inclusive !== first.inclusive))
    throw new Error('@tax-compliance/medusa: a cart has shipping both with and without tax in its price')
  return others.reduce(
    (all, each) => ({ ...all, price: all.price.plus(each.price), other: all.other.plus(each.other) }),
    first,
  )
}

/** The lines of a cart with their prices. Gift cards are money, no sale: their goods are taxed later. */
function pricedCart({ items, shipping_methods }) {
  return {
    lines: items.map((item) => ({ item, ...pricesOf(item, times(item)) })),
    shipping: shippingPrice(shipping_methods),
  }
}

function times({ unit_price, quantity }) {
  return MathBN.mult(unit_price, quantity)
}

/**
 * The question about a cart. `rates` are fractions in the order of the lines, the shipping last: they
 * convert the discounts that are stated with tax on prices without, or the other way round.
 */
function questionOf(shop, { lines, shipping }, facts, rates = []) {
  const priced = shipping === null ? lines : [...lines, shipping]
  const amounts = minorUnitsOfAll(
    priced.map((line, index) => discounted(line, rates[index] ?? 0)),
    facts.currency,
  )
  const cost = shipping && { amount: amounts.at(-1), tax_behavior: behaviorOf(shipping) }
  return {
    currency: facts.currency,
    ...(shop.seller !== undefined && { seller: shop.seller }),
    ...partiesOf(facts),
    // Shipping alone, such as that of a return, is a line: a sale has at least one.
    ...(lines.length === 0
      ? { line_items: [{ ...cost, product_type: 'shipping' }] }
      : {
          line_items: lines.map(({ item, inclusive }, index) => ({
            amount: amounts[index],
            ...piecesOf(item),
            product_type: shop.productTypeOf(item),
            tax_behavior: behaviorOf({ inclusive }),
          })),
          ...(cost !== null && { shipping_cost: cost }),
        }),
  }
}

/** Who buys, and how the goods reach the customer: fields of a question and of a sale. */
function partiesOf({ address, vat_id, customer_id, ship_from, delivery }) {
  return {
    customer: { address, ...(vat_id && { vat_id }) },
    ...(customer_id && { customer_id }),
    ...(ship_from && { ship_from }),
    ...(delivery && { delivery }),
  }
}

/** The pieces of a line, which laws by the price of an item need. A part of a piece counts as one piece. */
function piecesOf({ quantity }) {
  const count = MathBN.convert(quantity)
  return count.isInteger() && count.gte(1) ? { quantity: count.toNumber() } : {}
}

function behaviorOf({ inclusive }) {
  return inclusive ? 'inclusive' : 'exclusive'
}

module.exports = { addressOf, behaviorOf, partiesOf, piecesOf, pricedCart, questionOf }
