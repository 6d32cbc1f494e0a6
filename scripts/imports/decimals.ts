import { minorDigits } from '../../src/engine/book/minor-digits.ts'

/** A decimal number, exactly: `digits` divided by ten to the power of `scale`. */
type Decimal = { digits: bigint; scale: number }

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d+))?$/
/** Commas between thousands, as in 1,234,567.89. Any other comma is the decimal sign of another language. */
const WITH_THOUSANDS = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/

/**
 * An amount written as a decimal, in minor units of an ISO 4217 currency, rounded half away from zero. It is
 * multiplied by a count first, if there is one. Throws if the text is no decimal or too large.
 */
export function minorUnits(text: string, currency: string, count = '1'): number {
  const amount = decimalOf(text)
  const factor = decimalOf(count)
  const shift = minorDigits(currency) - amount.scale - factor.scale
  const digits = amount.digits * factor.digits
  const units = shift >= 0 ? digits * 10n ** BigInt(shift) : divideRounded(digits, 10n ** BigInt(-shift))
  const result = Number(units)
  if (!Number.isSafeInteger(result)) throw new Error(`${text} is too large`)
  return result
}

function decimalOf(text: string): Decimal {
  const written = text.trim()
  if (written.includes(',') && !WITH_THOUSANDS.test(written))
    throw new Error(
      `"${text}" is not a decimal number: a comma is only between thousands, as in 1,234.56. ` +
        'Save the file with a decimal point, or give --decimal-comma',
    )
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(written.replaceAll(',', '')) ?? []
  if (whole === '' && fraction === '') throw new Error(`"${text}" is not a decimal number`)
  const digits = BigInt(whole + fraction)
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length }
}

function divideRounded(digits: bigint, divisor: bigint): bigint {
  const half = divisor / 2n
  return (digits < 0n ? digits - half : digits + half) / divisor
}
