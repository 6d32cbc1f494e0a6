import { toMajorUnits } from 'tax-compliance/shop'
import { CartError } from './sale.js'

/** A line of Shopware that bears no tax of its own. */
const NONE = [{ tax: 0, taxRate: 0, price: 0 }]

/**
 * An answer as Shopware takes it: the taxes of each line and of the shipping, and their sums for the cart,
 * which Shopware adds to net prices and takes out of gross ones. Discounts are in the lines they are for.
 */
export function taxesOf(answer, { goods, others }, deliveries) {
  const { currency, line_items, shipping_cost, fees } = answer
  if (fees.length > 0 && line_items[0]?.tax_behavior === 'inclusive')
    throw new CartError(
      'A state levies a retail delivery fee on this cart. Shopware adds nothing to prices with tax: show net ' +
        'prices to customers in the United States',
    )
  const ofLines = line_items.map((line) => ratesOf(line))
  const ofShipping = shipping_cost === null ? [] : ratesOf(shipping_cost)
  const position = deliveries.find(({ positions }) => positions.length > 0)?.positions[0]
  const written = (rates) => rates.map((rate) => inMajorUnits(rate, currency))
  return {
    lineItemTaxes: Object.fromEntries([
      ...goods.map((line, index) => [line.uniqueIdentifier ?? line.id, written(ofLines[index])]),
      ...others.map((line) => [line.uniqueIdentifier ?? line.id, NONE]),
    ]),
    deliveryTaxes: position === undefined ? {} : { [position.identifier]: written(ofShipping) },
    cartPriceTaxes: written(
      merged([
        ...ofLines.flat(),
        ...ofShipping,
        ...fees.map(({ tax_amount }) => ({ rate: 0, tax: tax_amount, price: 0 })),
      ]),
    ),
  }
}

/**
 * The taxes of a line. Those of one kind are one, such as the sales taxes of a state and its city. A line
 * without tax has one of 0.
 */
function ratesOf({ tax_behavior, tax_amount, net_amount, tax_breakdown }) {
  const included = tax_behavior === 'inclusive' ? tax_amount : 0
  const kinds = new Map()
  for (const each of tax_breakdown) {
    const kind = kinds.get(each.tax_type) ?? { rate: 0, tax: 0, price: 0 }
    kinds.set(each.tax_type, {
      rate: kind.rate + Math.round(each.rate * 1_000_000),
      tax: kind.tax + each.tax_amount,
      price: Math.max(kind.price, each.taxable_amount + included),
    })
  }
  if (kinds.size === 0) return [{ rate: 0, tax: tax_amount, price: net_amount + included }]
  return merged([...kinds.values()])
}

/** Shopware keeps one tax of each rate, and drops the others. */
function merged(rates) {
  const byRate = new Map()
  for (const { rate, tax, price } of rates) {
    const sum = byRate.get(rate) ?? { rate, tax: 0, price: 0 }
    byRate.set(rate, { rate, tax: sum.tax + tax, price: sum.price + price })
  }
  return byRate.size === 0 ? [{ rate: 0, tax: 0, price: 0 }] : [...byRate.values()]
}

function inMajorUnits({ rate, tax, price }, currency) {
  return {
    tax: Number(toMajorUnits(tax, currency)),
    taxRate: rate / 10_000,
    price: Number(toMajorUnits(price, currency)),
  }
}
