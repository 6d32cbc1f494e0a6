import { convertIndicatively } from './consignment.ts'
import type { Threshold, ThresholdTest } from './facts.ts'
import type { Place } from './place.ts'
import { inForce, lineage, type RateBook } from './rate-book.ts'
import { MILLION } from './rounding.ts'

/** Sales into a jurisdiction over a threshold's measurement period. */
export type Sales = {
  amount: number
  currency: string
  transaction_count: number
  /** Currencies for which there is no exchange rate: sales in them are not in the amount. */
  left_out?: readonly string[]
}

/** How far sales have come towards a threshold. `ratio_millionths` is one million where it is reached. */
export type Progress = Sales & {
  ratio_millionths: number
  exceeded: boolean
  approaching: boolean
  indicative: boolean
}

/** Over this part of a threshold, in hundredths, a seller is warned. */
const APPROACHING_HUNDREDTHS = 85n

/** What is supplied, as far as thresholds tell it apart. */
type Kind = 'goods' | 'digital' | 'service' | 'on_site'

/**
 * The threshold that obliges a seller from elsewhere to register in a place, or null where there is none on
 * record for the day: in the EU and the United Kingdom registration is then due from the first sale,
 * elsewhere no duty is known.
 */
export function remoteSellerThreshold(
  book: RateBook,
  place: Place,
  seller: Place | null,
  day: string,
): Threshold | null {
  return remoteSellerThresholds(book, place, seller, 'goods', day)[0] ?? null
}

/**
 * The same for each tax of the place, the closest jurisdiction first: a province of Canada and Canada have
 * one each.
 */
export function remoteSellerThresholds(
  book: RateBook,
  place: Place,
  seller: Place | null,
  kind: Kind,
  day: string,
): Threshold[] {
  const type = thresholdTypeFor(place, seller, kind)
  if (type === null) return []
  const found: Threshold[] = []
  for (const id of jurisdictionsOf(book, place, seller)) {
    const candidates = (book.thresholds.get(id) ?? []).filter(
      (threshold) => type.has(threshold.threshold_type) && inForce(threshold, day),
    )
    const scope = scopeFor(id, seller)
    const threshold =
      candidates.find((candidate) => candidate.scope === scope) ??
      candidates.find((candidate) => candidate.scope === 'all') ??
      candidates[0]
    if (threshold !== undefined) found.push(threshold)
  }
  return place.regime === 'CA' ? found : found.slice(0, 1)
}

const US = new Set(['REMOTE_SELLER_NEXUS'])
const CA = new Set(['GST_REGISTRATION', 'QST', 'PST'])
const AU = new Set(['GST_REGISTRATION'])
const EU = new Set(['DISTANCE_SALES'])

function thresholdTypeFor(place: Place, seller: Place | null, kind: Kind): ReadonlySet<string> | null {
  switch (place.regime) {
    case 'US':
      return US
    case 'CA':
      return CA
    case 'AU':
      return AU
    case 'EU':
      return sellsWithinUnion(seller, kind) ? EU : null
    default:
      return sellsToNorthernIreland(place, seller) && kind === 'goods' ? EU : null
  }
}

/**
 * Directive 2006/112/EC, art. 59c(1): goods and electronic services of a seller in one member state; of one
 * in Northern Ireland, goods.
 */
function sellsWithinUnion(seller: Place | null, kind: Kind): boolean {
  if (seller === null || seller.vat_state === null) return false
  return kind === 'goods' || (kind === 'digital' && seller.regime === 'EU')
}

/**
 * Windsor Framework, art. 8: goods from a member state to Northern Ireland are distance sales within the EU.
 */
function sellsToNorthernIreland(place: Place, seller: Place | null): boolean {
  return place.vat_state === 'XI' && seller?.regime === 'EU' && seller.vat_state !== null
}

/**
 * The record of Northern Ireland is for sellers from there: those of a member state have the threshold of
 * their own state.
 */
function jurisdictionsOf(book: RateBook, place: Place, seller: Place | null): readonly string[] {
  const state = sellsToNorthernIreland(place, seller) ? seller?.vat_state : null
  return state ? [state] : lineage(book, place.jurisdiction_id)
}

/** Provinces measure their own sellers and those from outside apart. */
function scopeFor(jurisdiction_id: string, seller: Place | null): string {
  const inside = seller?.jurisdiction_id === jurisdiction_id
  switch (jurisdiction_id) {
    case 'CA-QC':
      return inside ? 'resident_small_supplier' : 'non_resident_specified_system'
    case 'CA-BC':
      return inside ? 'in_province_small_seller' : 'out_of_province_seller'
    default:
      return 'all'
  }
}

/**
 * Sales in any currency against a threshold, at an indicative exchange rate where it is set in another; null
 * where none is known.
 */
export function compareSales(book: RateBook, threshold: Threshold, sales: Sales): Progress | null {
  if (sales.currency === threshold.currency) return measureProgress(threshold, sales)
  const amount = convertIndicatively(book, sales.amount, sales.currency, threshold.currency)
  return amount === null
    ? null
    : { ...measureProgress(threshold, { ...sales, amount }), ...sales, indicative: true }
}

/**
 * Measures sales in the threshold's own currency by its own tests: `exceeds` or `reaches`, amount or count,
 * both or either.
 */
export function measureProgress(threshold: Threshold, sales: Sales): Progress {
  const tests: Measured[] = []
  if (threshold.amount !== null) tests.push(measure(sales.amount, threshold.amount, threshold.amount_test))
  if (threshold.transaction_count !== null)
    tests.push(measure(sales.transaction_count, threshold.transaction_count, threshold.count_test))
  const both = threshold.combinator === 'and'
  const holds = (what: (test: Measured) => boolean): boolean =>
    tests.length > 0 && (both ? tests.every(what) : tests.some(what))
  const exceeded = holds((test) => test.passed)
  const ratios = tests.map((test) => test.ratio)
  const ratio_millionths = ratios.length === 0 ? 0 : both ? Math.min(...ratios) : Math.max(...ratios)
  return {
    ...sales,
    ratio_millionths,
    exceeded,
    approaching: !exceeded && holds((test) => test.near),
    indicative: false,
  }
}

type Measured = { passed: boolean; near: boolean; ratio: number }

function measure(value: number, limit: number, test: ThresholdTest): Measured {
  const passed = test === 'exceeds' ? value > limit : value >= limit
  const ratio = limit === 0 ? (passed ? MILLION : 0) : Math.max(0, Math.floor((value / limit) * MILLION))
  // Not by the ratio, which is cut off at millionths.
  return { passed, near: BigInt(value) * 100n > BigInt(limit) * APPROACHING_HUNDREDTHS, ratio }
}
