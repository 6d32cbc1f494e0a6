import type { Threshold } from './facts.ts'
import { minorDigits } from './minor-digits.ts'
import type { RateBook } from './rate-book.ts'

/**
 * `500,000 USD and 100 transactions`, or `100,000 SGD and a turnover of 1,000,000 SGD in all countries`.
 * `money` writes minor units of a currency, as `1,234.50 EUR` if nothing else is given.
 */
export function describeThreshold(
  book: RateBook,
  threshold: Threshold,
  money: MoneyWriter = (amount, currency) => describeMoney(book, amount, currency),
): string {
  const parts: string[] = []
  const worldwide = threshold.worldwide_amount ?? null
  // With an amount of zero, the turnover in all countries decides alone, from the first sale.
  const of_all = worldwide === null ? null : turnover(money(worldwide, threshold.currency))
  if (threshold.amount !== null && (threshold.amount > 0 || of_all === null))
    parts.push(money(threshold.amount, threshold.currency))
  if (threshold.transaction_count !== null) parts.push(`${threshold.transaction_count} transactions`)
  const local = parts.join(threshold.combinator === 'and' ? ' and ' : ' or ')
  return [local, of_all].filter(Boolean).join(' and ')
}

type MoneyWriter = (amount: number, currency: string) => string

/** `a turnover of 1,000,000 SGD in all countries`. */
export function describeTurnover(
  book: RateBook,
  { currency }: Pick<Threshold, 'currency'>,
  amount: number,
): string {
  return turnover(describeMoney(book, amount, currency))
}

function turnover(money: string): string {
  return `a turnover of ${money} in all countries`
}

/** Minor units in words: `1,234.50 EUR`. */
export function describeMoney(book: RateBook, amount: number, currency: string): string {
  const exponent = book.exchange_rates.get(currency)?.exponent ?? minorDigits(currency)
  const unit = 10 ** exponent
  const whole = Math.trunc(Math.abs(amount) / unit)
  const cents = Math.abs(amount) % unit
  const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
  const sign = amount < 0 ? '-' : ''
  return `${sign}${grouped}${cents === 0 ? '' : `.${String(cents).padStart(exponent, '0')}`} ${currency}`
}
