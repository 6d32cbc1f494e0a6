import { Failure } from './api.js'

/**
 * An amount in minor units for people, with its currency: EUR 19.99. The division is exact up to 1e15.
 * @param {number} amount
 * @param {string} currency
 */
export function formatMoney(amount, currency) {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  return format.format(amount / 10 ** digitsOf(currency))
}

/**
 * The minor units of an amount that a user typed, without binary fractions. Throws a Failure that names the
 * field.
 * @param {string} typed such as 19.99
 * @param {string} currency
 * @param {string} name of the field
 */
export function parseMoney(typed, currency, name) {
  const digits = digitsOf(currency)
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(typed.trim()) ?? []
  if (whole === '' || fraction.length > digits) {
    const example = digits === 0 ? '1999' : `19.${'9'.repeat(digits)}`
    throw new Failure(0, {
      message: `${name}: must be an amount in ${currency} such as ${example}`,
      reason: 'invalid_amount',
    })
  }
  return Number(`${sign}${whole}${fraction.padEnd(digits, '0')}`)
}

/**
 * An amount in minor units as a user would type it.
 * @param {number} amount
 * @param {string} currency
 */
export function editableMoney(amount, currency) {
  return (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency))
}

/**
 * A fraction as a percentage.
 * @param {number} rate
 */
export function formatPercent(rate) {
  return new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 4 }).format(rate)
}

/** @param {string} currency */
function digitsOf(currency) {
  try {
    return (
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
      2
    )
  } catch {
    throw new Failure(0, {
      message: `Currency: must be a code of three letters such as EUR, not ${currency}`,
      reason: 'invalid_currency',
    })
  }
}
