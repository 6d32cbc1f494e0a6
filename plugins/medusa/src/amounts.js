const { MathBN } = require('@medusajs/framework/utils')
const { toMajorUnits, toMinorUnits } = require('tax-compliance/shop')

/** Half away from zero, in words of bignumber.js. */
const HALF_UP = 4

/** A decimal of Medusa as minor units, rounded half away from zero. */
function minorUnits(amount, currency) {
  const digits = toMajorUnits(1, currency).split('.')[1]?.length ?? 0
  return toMinorUnits(MathBN.convert(amount).decimalPlaces(digits, HALF_UP).toFixed(), currency)
}

/**
 * Amounts as minor units whose sum is the rounded sum. Medusa keeps parts of a cent, such as those of a
 * discount of 10 %: rounded one by one, the lines would miss the total that Medusa charges.
 */
function minorUnitsOfAll(amounts, currency) {
  let exact = MathBN.convert(0)
  let given = 0
  return amounts.map((amount) => {
    exact = exact.plus(MathBN.convert(amount))
    const upToHere = minorUnits(exact, currency)
    const own = upToHere - given
    given = upToHere
    return own
  })
}

/**
 * What a line of a cart is made of. `gross`: the discounts that are stated as its price is; `other`: those
 * that are stated with tax on a price without, or the other way round.
 */
function linePrice({ inclusive, price, adjustments }) {
  const sum = (own) =>
    adjustments
      .filter((each) => (Boolean(each.is_tax_inclusive) === inclusive) === own)
      .reduce((total, { amount }) => total.plus(MathBN.convert(amount)), MathBN.convert(0))
  return { inclusive, price: MathBN.convert(price).minus(sum(true)), other: sum(false) }
}

/** The price after all discounts, as the price is stated. `rate` converts the discounts stated otherwise. */
function discounted({ inclusive, price, other }, rate) {
  const factor = MathBN.convert(1 + rate)
  return price.minus(inclusive ? other.times(factor) : other.dividedBy(factor))
}

/**
 * The rate, as a fraction, by which Medusa comes to this tax. Medusa knows no amounts, only rates: it
 * multiplies the price without tax. Null: there is no price to multiply.
 */
function effectiveRate(line, tax) {
  const price = line.price.toNumber()
  const other = line.other.toNumber()
  // The price without tax depends on the rate if either is inclusive. Each round is a sixth of the error.
  let rate = 0
  for (let round = 0; round < 60; round += 1) {
    const net = line.inclusive ? price / (1 + rate) - other : price - other / (1 + rate)
    if (Math.abs(net) < 1e-9) return null
    rate = tax / net
  }
  return rate
}

module.exports = { discounted, effectiveRate, linePrice, minorUnits, minorUnitsOfAll }
