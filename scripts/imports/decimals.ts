/** A decimal number, exactly: `digits` divided by ten to the power of `scale`. */
type Decimal = { digits: bigint; scale: number }

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d+))?$/

/**
 * An amount written as a decimal, in minor units of an ISO 4217 currency, rounded half away from zero. It is
 * multiplied by a count first, if there is one. Throws if the text is no decimal or too large.
 */
export function minorUnits(text: string, currency: string, count = '1'): number {
  const amount = decimalOf(text)
  const factor = decimalOf(count)
  const shift = fractionDigits(currency) - amount.scale - factor.scale
  const digits = amount.digits * factor.digits
  const units = shift >= 0 ? digits * 10n ** BigInt(shift) : divideRounded(digits, 10n ** BigInt(-shift))
  const result = Number(units)
  if (!Number.isSafeInteger(result)) throw new Error(`${text} is too large`)
  return result
}

function decimalOf(text: string): Decimal {
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(text.trim().replaceAll(',', '')) ?? []
  if (whole === '' && fraction === '') throw new Error(`"${text}" is not a decimal number`)
  const digits = BigInt(whole + fraction)
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length }
}

function divideRounded(digits: bigint, divisor: bigint): bigint {
  const half = divisor / 2n
  return (digits < 0n ? digits - half : digits + half) / divisor
}

function fractionDigits(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return maximumFractionDigits ?? 2
}
