import type { Threshold } from './facts.ts'
import { minorDigits } from './minor-digits.ts'

/** Whether the first sale obliges: no worldwide turnover has to be passed, too. */
export function isAnySale({ amount, worldwide_amount = null }: Threshold): boolean {
  return amount === 0 && worldwide_amount === null
}

/**
 * `$500,000.00 and 100 transactions`, or `¥500 and worldwide turnover of ¥1,000`, or `any sale`, or
 * `$500.00 in 3 months`.
 */
export function describeThreshold(threshold: Threshold): string {
  const parts: string[] = []
  const worldwide = threshold.worldwide_amount ?? null
  // With an amount of zero, the worldwide turnover decides alone, from the first sale.
  const of_all = worldwide === null ? null : describeTurnover(threshold, worldwide)
  if (threshold.amount !== null && (threshold.amount > 0 || of_all === null))
    parts.push(threshold.amount === 0 ? 'any sale' : moneyInWords(threshold.amount, threshold.currency))
  if (threshold.transaction_count !== null) parts.push(`${threshold.transaction_count} transactions`)
  const local = parts.join(threshold.combinator === 'and' ? ' and ' : ' or ')
  const period = threshold.measurement_period === 'trailing_3_months' ? ' in 3 months' : ''
  return [local, of_all].filter(Boolean).join(' and ') + period
}

/** `worldwide turnover of SGD 1,000,000.00`. */
function describeTurnover({ currency }: Pick<Threshold, 'currency'>, amount: number): string {
  return `worldwide turnover of ${moneyInWords(amount, currency)}`
}

/** Minor units with their currency, the same in every engine: `€1,234.50`, `¥500`, `CHF 5.00`. */
export function moneyInWords(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  const format = formatOf(currency, digits)
  return format.format(amount / 10 ** digits).replaceAll('\u00a0', ' ')
}

/** Minor units as a caller sends them, and in words for people: `10000 (€100.00)`. */
export function unitsInWords(amount: number, currency: string): string {
  return `${amount} (${moneyInWords(amount, currency)})`
}

/** To make a format takes longer than to use it. There are no more than the codes of ISO 4217. */
const FORMATS = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, digits: number): Intl.NumberFormat {
  const known = FORMATS.get(currency)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  FORMATS.set(currency, made)
  return made
}
