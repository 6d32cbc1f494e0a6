import { Failure } from './api.js'
import { element } from './elements.js'

/** The time zone of the account. @type {string} */
let zone = 'UTC'

/** @param {string} name an IANA name */
export function setZone(name) {
  zone = name
}

/** The name of the zone that times are in. */
export function zoneName() {
  return zone
}

/**
 * An amount in minor units for people, in the form of the reader's language: €1,999.00. The division is
 * exact up to 1e15.
 * @param {number} amount
 * @param {string} currency
 */
export function formatMoney(amount, currency) {
  return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(
    amount / 10 ** digitsOf(currency),
  )
}

/**
 * An amount without its pennies, for key figures and axes: €1.2M, €940.
 * @param {number} amount
 * @param {string} currency
 */
export function shortMoney(amount, currency) {
  const value = amount / 10 ** digitsOf(currency)
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    notation: Math.abs(value) >= 10_000 ? 'compact' : 'standard',
    maximumFractionDigits: Math.abs(value) >= 10_000 ? 1 : 0,
  }).format(value)
}

/**
 * The minor units of an amount that a user typed, without binary fractions. A point and a comma both begin
 * the decimals. Throws a Failure that names the field.
 * @param {string} typed such as 19.99 or 19,99
 * @param {string} currency
 * @param {string} name of the field
 */
export function parseMoney(typed, currency, name) {
  const digits = digitsOf(currency)
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d{1,13})(?:[.,](\d+))?$/.exec(typed.trim()) ?? []
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
 * A share as people write it: 161.6431 % is `162%`, 85.25 % is `85.3%`, and 1,000 % or more is `10×`.
 * @param {number} share
 */
export function formatShare(share) {
  if (share >= 10) {
    const times = new Intl.NumberFormat(undefined, { maximumFractionDigits: share < 100 ? 1 : 0 })
    return `${times.format(share)}×`
  }
  return new Intl.NumberFormat(undefined, {
    style: 'percent',
    maximumFractionDigits: share >= 1 ? 0 : 1,
  }).format(share)
}

/**
 * A tax rate. It is a figure of the law, so it is exact: 8.875%.
 * @param {number} rate
 */
export function formatRate(rate) {
  return new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 4 }).format(rate)
}

/**
 * A day: 17 Nov 2026.
 * @param {string | null} day such as 2026-11-17
 */
export function formatDay(day) {
  if (day === null) return '–'
  return dayIn('UTC', `${day.slice(0, 10)}T00:00:00Z`)
}

/**
 * The day of a moment in the time zone of the account, with the exact time on hover.
 * @param {string | null} at
 */
export function dayOf(at) {
  if (at === null) return element('span', {}, 'never')
  return element('time', { datetime: at, title: momentText(at) }, dayText(at))
}

/**
 * A moment to the minute in the time zone of the account.
 * @param {string | null} at
 */
export function moment(at) {
  return at === null ? element('span', {}, 'never') : element('time', { datetime: at }, momentText(at))
}

/** @param {string} at */
function dayText(at) {
  return dayIn(zone, at)
}

/**
 * 17 Sep 2026: browsers differ in whether September has three or four letters.
 * @param {string} timeZone
 * @param {string} at
 */
function dayIn(timeZone, at) {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone })
  return format.format(new Date(at)).replace('Sept', 'Sep')
}

/** @param {string} at */
function momentText(at) {
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: zone }).format(new Date(at))
  return `${dayText(at)}, ${time}`
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
