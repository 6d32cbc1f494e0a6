import type { NexusExposure, UnmeasuredPlace } from '../../client/src/schema.ts'
import { formatCount, formatDay, formatMoney, formatShare, formatSums } from '../format.ts'
import { counted, withSpaces } from '../words.ts'

const PERIODS: Readonly<Record<string, string>> = {
  current_calendar_year: 'this calendar year',
  previous_calendar_year: 'last calendar year',
  previous_calendar_year_from_april: 'last calendar year, from April',
  previous_or_current_calendar_year: 'last or this calendar year',
  trailing_12_months: 'the last 12 months',
  current_or_projected_12_months: '12 months, as far as recorded',
  trailing_12_months_tested_quarterly: 'the last 12 months, tested each quarter',
  preceding_four_quarters: 'the last four quarters',
  preceding_four_sales_tax_quarters: 'the last four sales tax quarters',
  four_consecutive_quarters: 'four quarters in a row',
  '12_months_ending_september_30': '12 months to 30 September',
  accounting_period: 'the accounting period',
  seller_accounting_year: 'your accounting year',
}

/** The state of a place in one word: `registered` ends all questions. */
export function stateOf({ status, registered }: NexusExposure) {
  return registered ? 'registered' : status
}

/** A limit of nothing: the turnover in all countries decides, and here the first sale counts. */
const ANY_SALE = 'any sale'

/** The limits of a threshold: $100,000.00 or 200 transactions. */
export function limitWords({ threshold, progress }: NexusExposure): string {
  const { amount, transaction_count, combinator, worldwide_amount } = threshold
  const money = (minor: number) => formatMoney(minor, threshold.currency ?? progress.currency)
  const limits = [
    amount === null ? null : amount === 0 ? ANY_SALE : money(amount),
    transaction_count === null ? null : counted(transaction_count, 'transaction'),
  ]
    .filter((limit) => limit !== null)
    .join(` ${combinator ?? 'or'} `)
  return worldwide_amount === null ? limits : `${limits} and ${money(worldwide_amount)} in all countries`
}

/** `$5,278.50`, and on lines of their own `of $100,000.00` and `or 9 of 200 transactions`. */
export function reachedWords({ threshold, progress }: NexusExposure) {
  const { amount, transaction_count: limit, combinator, worldwide_amount } = threshold
  const money = (minor: number) => formatMoney(minor, threshold.currency ?? progress.currency)
  const made = formatCount(progress.transaction_count)
  const count =
    limit === null
      ? counted(progress.transaction_count, 'transaction')
      : `${amount === null ? '' : `${combinator ?? 'or'} `}${made} of ${counted(limit, 'transaction')}`
  return {
    sold: formatMoney(progress.amount, progress.currency),
    limit: amount === null ? null : amount === 0 ? `${ANY_SALE} counts` : `of ${money(amount)}`,
    count: worldwide_amount === null ? count : `${count}, and ${money(worldwide_amount)} in all countries`,
  }
}

export function periodWords({ threshold }: NexusExposure): string {
  const period = threshold.measurement_period ?? 'none'
  return PERIODS[period] ?? withSpaces(period)
}

/** Places in words: `California, Texas and 3 more`. */
export function nameSome(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}

/** Why no threshold measures a place. */
export const WHY_UNMEASURED: Readonly<Record<UnmeasuredPlace['why'], string>> = {
  no_threshold: 'No threshold on file is for you: a duty may begin with the first sale.',
  later_period: 'The threshold looks at another period: these sales may oblige you later.',
  not_covered: 'The law of this place is not in the data: ask an adviser there.',
}

/** `€9,535.00, 4 sales, no tax`, of the last 12 months. */
export function unmeasuredWords({ sums, transaction_count }: UnmeasuredPlace): string {
  const sold = formatSums(sums.map(({ currency, net_amount }) => ({ currency, amount: net_amount })))
  const tax = taxOf(sums)
  return `${sold}, ${counted(transaction_count, 'sale')}, ${tax === '' ? 'no tax' : `${tax} tax`}`
}

/** `from 2027: $11,028.00 so far`, for a threshold that looks at the year before. Null: it has none. */
export function comingWords({ next_period }: NexusExposure): string | null {
  if (next_period === null || next_period.progress.amount === 0) return null
  const { progress, obliges_from } = next_period
  return `from ${obliges_from.slice(0, 4)}: ${formatMoney(progress.amount, progress.currency)} so far`
}

/** `at this pace passed on 12 Dec 2026`. Null: not this year, it is passed, or nothing is asked here. */
export function paceWords({ registered, exceeded_on_at_pace, next_period }: NexusExposure): string | null {
  const day = exceeded_on_at_pace ?? next_period?.exceeded_on_at_pace ?? null
  return registered || day === null ? null : `at this pace passed on ${formatDay(day)}`
}

/** The estimate of the tax that was not collected. Null: there is none. */
export function uncollectedWords({ uncollected_tax }: NexusExposure): string | null {
  const tax = taxOf(uncollected_tax ?? [])
  return tax === '' ? null : `about ${tax}`
}

/** The taxes that are not zero, in words. */
function taxOf(sums: readonly { currency: string; tax_amount: number }[]): string {
  const owed = sums.filter(({ tax_amount }) => tax_amount !== 0)
  return formatSums(owed.map(({ currency, tax_amount }) => ({ currency, amount: tax_amount })))
}

/** The share at the right end of a bar. More is told in figures. */
const END = 1.25

/** How much of a threshold is reached, with marks at 85 % and 100 %. `ratio` 1 reaches it. */
export function ThresholdBar({ ratio, state }: { ratio: number; state: string }) {
  const at = (share: number) => (share / END) * 100
  return (
    <svg
      class={`threshold-bar ${state}`}
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${formatShare(ratio)} of the threshold`}
    >
      <rect class="track" y="2" width="100" height="6" />
      <rect class="reached" y="2" width={Math.min(100, at(ratio))} height="6" />
      <line class="near" x1={at(0.85)} x2={at(0.85)} y1="0" y2="10" />
      <line class="limit" x1={at(1)} x2={at(1)} y1="0" y2="10" />
    </svg>
  )
}
