import { minorDigits } from '../tax/book/minor-digits.ts'

/** A rate in millionths: 200_000 is `20 %`, 88_750 is `8.875 %`. */
export function percentInWords(rate_millionths: number): string {
  return `${rate_millionths / 10_000} %`
}

/** Minor units with their currency, the same in every engine: `€1,234.50`, `¥500`, `CHF 5.00`. */
export function moneyInWords(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(amount / 10 ** digits).replaceAll('\u00a0', ' ')
}
