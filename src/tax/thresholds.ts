import { convertIndicatively } from './consignment.ts'
import type { Threshold } from './facts.ts'
import type { Place } from './place.ts'
import { inForce, lineage, type RateBook } from './rate-book.ts'
import { MILLION } from './rounding.ts'

/** Sales into a jurisdiction over a threshold's measurement period. */
export type Sales = { amount: number; currency: string; transaction_count: number }

/** How far sales have come towards a threshold. `ratio_millionths` is one million where it is reached. */
export type Progress = Sales & { ratio_millionths: number; exceeded: boolean; approaching: boolean; indicative: boolean }

/** Over this part of a threshold a seller is warned. */
const APPROACHING_MILLIONTHS = 850_000

/**
 * The threshold that obliges a seller from elsewhere to register in a place, or null where there is none: registration is then due from
 * the first sale (VAT of the EU and the United Kingdom for sellers from outside).
 */
export function remoteSellerThreshold(book: RateBook, place: Place, seller: Place | null, day: string): Threshold | null {
  const type = thresholdTypeFor(place, seller)
  if (type === null) return null
  for (const id of lineage(book, place.jurisdiction_id)) {
    const candidates = (book.thresholds.get(id) ?? []).filter((threshold) => type.has(threshold.threshold_type) && inForce(threshold, day))
    const scope = scopeFor(id, seller)
    const found =
      candidates.find((threshold) => threshold.scope === scope) ??
      candidates.find((threshold) => threshold.scope === 'all') ??
      candidates[0]
    if (found !== undefined) return found
  }
  return null
}

const US = new Set(['REMOTE_SELLER_NEXUS'])
const CA = new Set(['GST_REGISTRATION', 'QST', 'PST'])
const AU = new Set(['GST_REGISTRATION'])
const EU = new Set(['DISTANCE_SALES'])

function thresholdTypeFor(place: Place, seller: Place | null): ReadonlySet<string> | null {
  switch (place.regime) {
    case 'US':
      return US
    case 'CA':
      return CA
    case 'AU':
      return AU
    // Directive 2006/112/EC, art. 59c(1)(a): only a seller established in one member state has the threshold.
    case 'EU':
      return seller?.vat_state ? EU : null
    default:
      return null
  }
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

/** Measures sales against a threshold by its own tests: `exceeds` or `reaches`, amount or count, both or either. */
export function measureProgress(book: RateBook, threshold: Threshold, sales: Sales): Progress {
  const indicative = sales.currency !== threshold.currency
  const amount = indicative ? (convertIndicatively(book, sales.amount, sales.currency, threshold.currency) ?? sales.amount) : sales.amount
  const tests: { passed: boolean; ratio: number }[] = []
  if (threshold.amount !== null) tests.push(measure(amount, threshold.amount, threshold.amount_test))
  if (threshold.transaction_count !== null) tests.push(measure(sales.transaction_count, threshold.transaction_count, threshold.count_test))
  const both = threshold.combinator === 'and'
  const exceeded = tests.length > 0 && (both ? tests.every((test) => test.passed) : tests.some((test) => test.passed))
  const ratios = tests.map((test) => test.ratio)
  const ratio_millionths = ratios.length === 0 ? 0 : both ? Math.min(...ratios) : Math.max(...ratios)
  return { ...sales, ratio_millionths, exceeded, approaching: !exceeded && ratio_millionths > APPROACHING_MILLIONTHS, indicative }
}

function measure(value: number, limit: number, test: 'exceeds' | 'reaches'): { passed: boolean; ratio: number } {
  const passed = test === 'exceeds' ? value > limit : value >= limit
  const ratio = limit === 0 ? (passed ? MILLION : 0) : Math.max(0, Math.floor((value / limit) * MILLION))
  return { passed, ratio }
}
