import type { TaxabilityReason } from '../../engine/found/assessment.ts'
import { lineage, type RateBook } from '../../engine/book/rate-book.ts'
import { placeOfJurisdiction } from '../../engine/supply/place.ts'
import type { Place } from '../../engine/regimes/regime.ts'
import { distanceSalesThreshold } from '../../engine/terms/thresholds.ts'
import { refuseInexact } from '../transactions/sums/sums.ts'
import {
  isRegistered,
  type MeasuredAccount,
  remoteSellerThresholds,
  sellerPlace,
  type Sold,
  soldIn,
  UNION,
} from './exposures.ts'
import { trailingYear, type Window } from './measurement-period.ts'
import type { WhyUnmeasured } from './schemas.ts'
import { countsInUnion } from './counted-sales.ts'
import type { SoldSums } from './store.ts'

/** Recorded sales into a place that no threshold measures, by currency. */
export type UnmeasuredSales = {
  id: string
  why: WhyUnmeasured
  window: Window
  transactions: number
  sums: { currency: string; net_amount: number; tax_amount: number }[]
}

/** Others account for the tax of these sales, or there is none. */
const LEFT_TO_OTHERS: ReadonlySet<string> = new Set<TaxabilityReason>([
  'reverse_charge',
  'intra_community_supply',
  'marketplace_collects',
  'seller_accounts',
  'not_a_supply',
])

/** The sales of the last 12 months into each place that is not measured, the most sales first. */
export function unmeasuredSales(
  account: MeasuredAccount,
  book: RateBook,
  day: string,
  sold_in_windows: Sold,
): UnmeasuredSales[] {
  const window = trailingYear(day)
  const seller = sellerPlace(account, book, day)
  const own = new Set(seller === null ? [] : lineage(book, seller.jurisdiction_id))
  const rows = soldIn(sold_in_windows, window).filter(
    ({ reason, scheme }) => scheme === '' && !LEFT_TO_OTHERS.has(reason),
  )
  const places = new Map<string, SoldSums[]>()
  for (const row of rows)
    for (const id of new Set([row.jurisdiction_id, row.exported_to]))
      if (id !== '' && !own.has(id)) places.set(id, [...(places.get(id) ?? []), row])
  return [...places]
    .flatMap(([id, sold]) => {
      const why = whyUnmeasured(book, id, seller, sold, day)
      const under = why === 'union_threshold' ? [id, UNION] : [id]
      const registered = under.some((each) => isRegistered(account, book, each, seller, day))
      return why === null || registered ? [] : [{ id, why, window, ...added(sold) }]
    })
    .toSorted((one, other) => other.transactions - one.transactions || (one.id < other.id ? -1 : 1))
}

/** Null: there is nothing to measure, because the place has no such tax. */
function whyUnmeasured(
  book: RateBook,
  id: string,
  seller: Place | null,
  sold: readonly SoldSums[],
  day: string,
): WhyUnmeasured | null {
  const place = placeOfJurisdiction(book, id)
  if (place === null) return 'not_covered'
  if (place.taxes.length === 0) return null
  const thresholds = lineage(book, id).flatMap((each) => remoteSellerThresholds(book, each, seller, day))
  if (thresholds.some(({ amount }) => amount !== null)) return 'later_period'
  // A state without a sales tax is on file with a threshold without an amount.
  if (thresholds.some(({ threshold_type }) => threshold_type === 'REMOTE_SELLER_NEXUS')) return null
  if (seller === null) return 'seller_unknown'
  // Sales with tax have a scheme, and are measured.
  const in_union = place.vat_state !== null && distanceSalesThreshold(book, seller, day) !== null
  return in_union && sold.every(({ product_type }) => countsInUnion(product_type))
    ? 'union_threshold'
    : 'no_threshold'
}

function added(rows: readonly SoldSums[]): Pick<UnmeasuredSales, 'transactions' | 'sums'> {
  const sums = [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, sold]) => ({
    currency,
    net_amount: refuseInexact(sold.reduce((sum, row) => sum + row.net_amount, 0)),
    tax_amount: refuseInexact(sold.reduce((sum, row) => sum + row.tax_amount, 0)),
  }))
  return { transactions: rows.reduce((sum, row) => sum + row.transactions, 0), sums }
}
