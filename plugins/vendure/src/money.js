'use strict'
const { toMajorUnits, toMinorUnits } = require('tax-compliance/shop')

/** An amount of Vendure, which has `precision` digits in each currency, as minor units of ISO 4217. */
function toService(amount, currency, precision) {
  const text = String(Math.abs(amount)).padStart(precision + 1, '0')
  const whole = text.slice(0, text.length - precision)
  const major = `${amount < 0 ? '-' : ''}${whole}${precision === 0 ? '' : `.${text.slice(-precision)}`}`
  return toMinorUnits(major, currency)
}

/** The inverse. Throws a RangeError if the currency has more digits than Vendure keeps. */
function toVendure(amount, currency, precision) {
  const [whole, fraction = ''] = toMajorUnits(amount, currency).split('.')
  if (/[1-9]/.test(fraction.slice(precision)))
    throw new RangeError(
      `${currency} has more digits than the MoneyStrategy keeps: give it a larger precision`,
    )
  return Number(`${whole}${fraction.slice(0, precision).padEnd(precision, '0')}`)
}

module.exports = { toService, toVendure }
