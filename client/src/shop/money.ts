import { minorDigits } from '../minor-digits.ts'

/** The service takes no larger amount, and every integer up to it is exact in JavaScript. */
const LARGEST_AMOUNT = 1_000_000_000_000_000

/**
 * A price in major units as minor units: `'19.99'` EUR is 1999, `19.99` too, and `'1999'` JPY is 1999.
 * Nothing is rounded. Throws a RangeError if the price is no decimal, has a part of a minor unit, or is too
 * large, or if the currency is not a code of ISO 4217.
 */
export function toMinorUnits(price: string | number, currency: string): number {
  const digits = digitsOf(currency)
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(price)) ?? []
  if (whole === undefined) throw new RangeError(`${price} is not a price: give a decimal such as 19.99`)
  // Platforms write 19.9900 too: zeros are no part of a cent.
  if (/[1-9]/.test(fraction.slice(digits)))
    throw new RangeError(`${price}: ${currency} has ${digits} digits after the point`)
  const amount = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  if (amount > LARGEST_AMOUNT) throw new RangeError(`${price} ${currency} is more than the service takes`)
  return sign === '' || amount === 0 ? amount : -amount
}

/**
 * Minor units as a price in major units: 1999 EUR is `'19.99'`. The inverse of `toMinorUnits`. Throws a
 * RangeError if the amount is no integer that the service takes, or the currency no code of ISO 4217.
 */
export function toMajorUnits(amount: number, currency: string): string {
  if (!Number.isInteger(amount) || Math.abs(amount) > LARGEST_AMOUNT)
    throw new RangeError(`${amount} is not an amount: give an integer of minor units`)
  const digits = digitsOf(currency)
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${amount < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}`
}

/** Digits after the point, as ISO 4217 has them. */
function digitsOf(currency: string): number {
  const digits = minorDigits(currency)
  if (digits === null) throw new RangeError(`${currency} is not a code of ISO 4217, such as EUR`)
  return digits
}
