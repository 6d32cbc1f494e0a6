import * as z from 'zod'
import { multiplyAndDivideBig, roundHalfAway } from '../../engine/arithmetic/rounding.ts'
import { minorDigits } from '../../engine/book/minor-digits.ts'
import { trimEnd } from '../../platform/kit/trim-end.ts'

/** A decimal number as a text, such as `-3.3333333333333`. */
export type Decimal = string

const PLAIN = /^([+-]?)(\d{0,18})(?:\.(\d{0,18}))?$/

/**
 * A number, or a text with a number: shops send both. Its value is kept exactly, as a text without an
 * exponent.
 */
export const DecimalNumber = z
  .union([z.number(), z.string().max(60)], 'must be a number')
  .transform((value, context): Decimal => {
    const text = typeof value === 'number' ? plainText(value) : value.trim()
    const [, , whole = '', fraction = ''] = PLAIN.exec(text) ?? []
    if (whole !== '' || fraction !== '') return text
    context.addIssue({ code: 'custom', message: 'must be a number' })
    return z.NEVER
  })

/** A double in the shortest decimal that means it, without an exponent. */
function plainText(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(18) : text
}

type DigitsAndScale = { digits: bigint; scale: number }

function partsOf(text: Decimal): DigitsAndScale {
  const [, sign = '', whole = '', fraction = ''] = PLAIN.exec(text) ?? []
  const digits = BigInt(whole + fraction)
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length }
}

const digitsOf = new Map<string, number>()

/** Digits after the point of a currency. Intl is slow, so they are kept. */
export function fractionDigits(currency: string): number {
  const known = digitsOf.get(currency) ?? minorDigits(currency)
  digitsOf.set(currency, known)
  return known
}

/** Amounts up to this many digits fit a double exactly. */
const SHORT = /^(-?)(\d{1,9})(?:\.(\d{1,3}))?$/

/**
 * A price times a quantity in minor units, exact and rounded half away from zero once. The result may be too
 * large to be safe: the engine refuses it.
 */
export function minorUnits(price: Decimal, currency: string, quantity: Decimal = '1'): number {
  const exponent = fractionDigits(currency)
  const short = quantity === '1' ? shortUnits(price, exponent) : null
  if (short !== null) return short
  const [amount, count] = [partsOf(price), partsOf(quantity)]
  const digits = amount.digits * count.digits
  const shift = exponent - amount.scale - count.scale
  return shift >= 0
    ? multiplyAndDivideBig(digits, 10n ** BigInt(shift), 1n)
    : Number(roundHalfAway(digits, 10n ** BigInt(-shift)))
}

/** The usual price needs no BigInt: it has no more digits than the currency. */
function shortUnits(price: Decimal, exponent: number): number | null {
  const [found, sign = '', whole = '', fraction = ''] = SHORT.exec(price) ?? []
  if (found === undefined || fraction.length > exponent) return null
  const units = Number(whole + fraction.padEnd(exponent, '0'))
  return sign === '-' && units !== 0 ? -units : units
}

/** Minor units as a JSON number: 976 of USD is 9.76. */
export function majorUnits(amount: number, currency: string): number {
  return amount / 10 ** fractionDigits(currency)
}

/** A decimal as TaxJar writes amounts: `16.5`, `17.0`. */
export function amountText(value: Decimal): string {
  const { digits, scale } = partsOf(value)
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const [whole, fraction] = [text.slice(0, text.length - scale), text.slice(text.length - scale)]
  return `${digits < 0n ? '-' : ''}${whole}.${trimEnd(fraction, '0') || '0'}`
}

/** A rate in millionths as a text: `0.0975`, `0.0`. */
export function rateText(millionths: number): string {
  return amountText((millionths / 1_000_000).toFixed(6))
}

/** The decimal without its sign, or with a minus. */
export function withSign(value: Decimal, sign: 1 | -1): Decimal {
  const bare = value.replace(/^[+-]/, '')
  return sign === 1 || /^[0.]*$/.test(bare) ? bare : `-${bare}`
}

/** -1, 0 or 1. */
export function signOf(value: Decimal): number {
  const { digits } = partsOf(value)
  return digits === 0n ? 0 : digits < 0n ? -1 : 1
}
