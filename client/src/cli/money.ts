import { minorDigits } from '../minor-digits.ts'
import { UsageError } from './usage-error.ts'

/** Digits after the point of a currency. Throws UsageError if it has not the form of a code. */
export function digitsOf(currency: string): number {
  const digits = minorDigits(currency)
  if (digits === null) throw new UsageError(`--currency ${currency}: give a code of ISO 4217, such as EUR`)
  return digits
}

/** `19.99` is 1999 minor units of a currency with two digits. Exact: no fraction is rounded. */
export function minorUnits(price: string, currency: string): number {
  const digits = digitsOf(currency)
  const [, whole, fraction = ''] = /^(\d{1,11})(?:\.(\d+))?$/.exec(price) ?? []
  if (whole === undefined) throw new UsageError(`${price} is not a price: give a number such as 19.99`)
  if (fraction.length > digits)
    throw new UsageError(`${price}: ${currency} has ${digits} digits after the point`)
  return Number(whole + fraction.padEnd(digits, '0'))
}

/** 1999 minor units of a currency with two digits are `19.99`. */
export function decimal(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${amount < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}`
}

/** Minor units with their currency, as the sentences of the service have them: `$49.00`, `CHF 5.00`. */
export function moneyInWords(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(amount / 10 ** digits).replaceAll('\u00a0', ' ')
}
