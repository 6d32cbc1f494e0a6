import { Failure } from './api.js'

/**
 * An amount in minor units as people read it, with its currency's code: EUR 19.99. Up to 1e15 the division loses no cent.
 * @param {number} amount
 * @param {string} currency
 */
export function shown(amount, currency) {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  return format.format(amount / 10 ** digitsOf(currency))
}

/**
 * What somebody typed, as minor units, without a binary fraction on the way. Throws a Failure that names the field.
 * @param {string} typed such as 19.99
 * @param {string} currency
 * @param {string} name of the field
 */
export function parsed(typed, currency, name) {
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
 * Minor units as they are typed.
 * @param {number} amount
 * @param {string} currency
 */
export function typed(amount, currency) {
  return (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency))
}

/**
 * A fraction as per cent.
 * @param {number} rate
 */
export function percent(rate) {
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
      message: `Currency: ${currency} is not a code of three letters`,
      reason: 'invalid_currency',
    })
  }
}
