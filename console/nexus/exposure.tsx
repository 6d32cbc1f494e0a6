import type { NexusExposure, UnmeasuredPlace } from '../../client/src/schema.ts'
import { formatDay, formatShare, formatSums } from '../format.ts'
import { counted, sentence } from '../words.ts'

/** The state of a place in one word: `registered` ends all questions, and presence asks no threshold. */
export function stateOf({ status, registered, nexus_kind }: NexusExposure) {
  if (registered) return 'registered'
  return nexus_kind === 'physical' ? 'present' : status
}

/** `Stock since 1 Mar 2026`. Null: the seller has nothing there. */
export function presenceWords({ physical_presence }: NexusExposure): string | null {
  const each = physical_presence.map(({ kind, from, to }) => {
    const days = to === null ? `since ${formatDay(from)}` : `${formatDay(from)} to ${formatDay(to)}`
    return `${kind} ${days}`
  })
  return each.length === 0 ? null : sentence(each.join(', '))
}

/** A limit of nothing: the turnover in all countries decides, and here the first sale counts. */
export const ANY_SALE = 'from the first sale'

/** Why no threshold measures a place. */
export const WHY_UNMEASURED: Readonly<Record<UnmeasuredPlace['why'], string>> = {
  no_threshold: 'We have no threshold for your case. You may have to register from the first sale.',
  union_threshold: 'The EU-wide threshold does not count sales without tax. Check why these have no tax.',
  seller_unknown: 'The threshold depends on your country. Add it in Settings.',
  later_period:
    'The threshold measures another period. You may have to register later because of these sales.',
  not_covered: 'We have no data on the law of this place. Ask an adviser there.',
}

/** `€9,535.00, 4 sales, no tax`, of the last 12 months. */
export function unmeasuredWords({ sums, transaction_count }: UnmeasuredPlace): string {
  const sold = formatSums(sums.map(({ currency, net_amount }) => ({ currency, amount: net_amount })))
  const tax = taxOf(sums)
  return `${sold}, ${counted(transaction_count, 'sale')}, ${tax === '' ? 'no tax' : `${tax} tax`}`
}

/** `at this pace, passed on 12 Dec 2026`. Null: not this year, it is passed, or nothing is asked here. */
export function paceWords({ registered, exceeded_on_at_pace, next_period }: NexusExposure): string | null {
  const day = exceeded_on_at_pace ?? next_period?.exceeded_on_at_pace ?? null
  return registered || day === null ? null : `at this pace, passed on ${formatDay(day)}`
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
export function ThresholdBar({ ratio, state }: { ratio: number | null; state: string }) {
  if (ratio === null) return null
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
