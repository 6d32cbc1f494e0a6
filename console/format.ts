import { minorDigits } from '../src/engine/book/minor-digits.ts'
import { mistake } from './api.ts'

/** Figures are written as in the sentences of the service, which are English: `$` is `$` everywhere. */
const LANGUAGE = 'en'

/** The time zone of the account, an IANA name. Null: the key may not read it, and times say UTC. */
let zone: string | null = null

export function setZone(name: string | null): void {
  zone = name
}

/** To make a format takes a hundred times as long as to use it, and each row of a list uses some. */
function once<Options, Format>(make: (options: Options) => Format): (options: Options) => Format {
  const made = new Map<string, Format>()
  return (options) => {
    const name = JSON.stringify(options)
    const format = made.get(name) ?? make(options)
    made.set(name, format)
    return format
  }
}

const numberFormat = once((options: Intl.NumberFormatOptions) => new Intl.NumberFormat(LANGUAGE, options))
const dayFormat = once((options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', options))

function written(value: number, options: Intl.NumberFormatOptions): string {
  return numberFormat(options).format(value)
}

/** An amount in minor units for people: €1,999.00. Exact up to 1e15. */
export function formatMoney(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  return written(amount / 10 ** digits, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** Amounts of several currencies in minor units: `€5.00 and £3.00`. */
export function formatSums(sums: readonly { currency: string; amount: number }[]): string {
  return sums.map(({ amount, currency }) => formatMoney(amount, currency)).join(' and ')
}

/** An amount without its pennies, for key figures and axes: €1.2M, €940. */
export function shortMoney(amount: number, currency: string): string {
  const value = amount / 10 ** digitsOf(currency)
  const large = Math.abs(value) >= 10_000
  const how = large
    ? ({ notation: 'compact', maximumFractionDigits: 1 } as const)
    : { maximumFractionDigits: 0 }
  return written(value, { style: 'currency', currency, ...how })
}

/**
 * The minor units of an amount that a user typed, without binary fractions. It may have the
 * signs of the shown form: `€1,234.50`, `1.234,50 €`, `1234,5`. Throws a Failure that names the field, if it
 * is no amount or could be two.
 */
export function parseMoney(typed: string, currency: string, name: string): number {
  const digits = digitsOf(currency)
  const sign_shown = formatMoney(0, currency).replaceAll(/\s|0(\.0+)?$/g, '')
  const bare = typed.replaceAll(/[\s’']/g, '').replace(currency, '')
  const written = bare.replace(sign_shown, '').replaceAll(/\p{Sc}/gu, '')
  const [, sign = '', whole = '', mark = '', fraction = ''] =
    /^([-−]?)([\d.,]*?)(?:([.,])(\d*))?$/.exec(written) ?? []
  const is_group =
    fraction.length === 3 && (digits === 0 || isGroupSign(mark, digits) || whole.includes(mark))
  const [before, after] = is_group ? [`${whole}${mark}${fraction}`, ''] : [whole, fraction]
  const plain = /^\d{1,16}$/.test(before) || /^\d{1,3}([.,])\d{3}(\1\d{3}){0,4}$/.test(before)
  const mixed = !is_group && mark !== '' && before.includes(mark)
  if (!plain || mixed || after.length > digits) {
    const example = digits === 0 ? '1999' : `19.${'9'.repeat(digits)}`
    throw mistake(`${name}: must be an amount in ${currency} such as ${example}`, 'invalid_amount')
  }
  const amount = Number(`${before.replaceAll(/[.,]/g, '')}${after.padEnd(digits, '0')}`)
  return sign === '' ? amount : -amount
}

/**
 * Whether a sign is that between thousands, in the reader's language. With three decimals, such as `1.234` of
 * dinars, the point is that of the shown form everywhere.
 */
function isGroupSign(mark: string, digits: number): boolean {
  if (digits === 3 && mark === '.') return false
  return new Intl.NumberFormat()
    .formatToParts(12_345)
    .some(({ type, value }) => type === 'group' && value === mark)
}

/** An amount in minor units as a user would type it. */
export function editableMoney(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  return written(amount / 10 ** digits, { useGrouping: false, minimumFractionDigits: digits })
}

/** A number of things: 1,234. */
export function formatCount(count: number): string {
  return written(count, {})
}

/**
 * A share as people write it: 161.6431 % is `162 %`, 85.25 % is `85.3 %`, and 1,000 % or more is `10×`. Less
 * than all is never `100 %`, and more than nothing never `0 %`.
 */
export function formatShare(share: number | null): string {
  if (share === null) return '–'
  if (share > 0.999 && share < 1) return percentText(0.999, 1)
  if (share > 0 && share < 0.001) return `under ${percentText(0.001, 1)}`
  if (share >= 10) return `${written(share, { maximumFractionDigits: share < 100 ? 1 : 0 })}×`
  return percentText(share, share >= 1 ? 0 : 1)
}

/** A tax rate. It is a figure of the law, so it is exact: 8.875 %. */
export function formatRate(rate: number): string {
  return percentText(rate, 4)
}

/** As on the public pages: the sign after a space that does not break. */
function percentText(share: number, maximumFractionDigits: number): string {
  return `${written(share * 100, { maximumFractionDigits })}\u00a0%`
}

/** A day such as 2026-11-17 in words: 17 Nov 2026. */
export function formatDay(day: string | null): string {
  return day === null ? '–' : dayIn('UTC', `${day.slice(0, 10)}T00:00:00Z`)
}

/** A text with its days as people write them. A number such as `2026-10-43`, or in a longer one, is none. */
export function withDays(text: string): string {
  const days = /(?<![\w-])\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\w-])/g
  return text.replaceAll(days, (day) => formatDay(day))
}

/** `1 Jan 2026 to 31 Dec 2026`, or `to open` without an end. */
export function spanOfDays(from: string, to: string | null): string {
  return `${formatDay(from)} to ${to === null ? 'open' : formatDay(to)}`
}

/** The day of a moment in the time zone of the account. */
export function dayText(at: string): string {
  return dayIn(zone ?? 'UTC', at)
}

/** The present day in the time zone of the account, as `2026-11-24`. */
export function todayInZone(): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone ?? 'UTC' }).format(new Date())
}

/** A moment to the minute in the time zone of the account. Midnight is that of a day without a time. */
export function momentText(at: string): string {
  const time = dayFormat({ timeStyle: 'short', timeZone: zone ?? 'UTC' }).format(new Date(at))
  return time === '00:00' ? dayText(at) : `${dayText(at)}, ${time}${zone === null ? ' UTC' : ''}`
}

/** Browsers differ in whether September has three or four letters. */
function dayIn(timeZone: string, at: string): string {
  return dayFormat({ dateStyle: 'medium', timeZone }).format(new Date(at)).replace('Sept', 'Sep')
}

/** How many decimals a currency has. Throws a Failure if there is no such currency. */
function digitsOf(currency: string): number {
  if (/^[A-Z]{3}$/i.test(currency)) return minorDigits(currency.toUpperCase())
  throw mistake(`Currency: must be a code of three letters such as EUR, not ${currency}`, 'invalid_currency')
}

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' })

/** The name of a country by its code. */
export function countryName(code: string): string {
  return COUNTRY_NAMES.of(code) ?? code
}
