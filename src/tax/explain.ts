import type { TaxabilityReason } from './assessment.ts'
import type { Threshold } from './facts.ts'
import type { LayerTreatment } from './product-rules.ts'
import { inForce, type RateBook } from './rate-book.ts'
import type { Supply } from './regimes/regime.ts'

/** Why a line bears no tax, as one sentence with the way to change it. */
export function explainDetail(reason: TaxabilityReason, supply: Supply, treatments: readonly LayerTreatment[]): string {
  const rule = treatments.find((treatment) => !treatment.taxed)?.rule ?? null
  const why = rule?.notes ? `: ${rule.notes}` : ''
  switch (reason) {
    case 'zero_rated':
      return `Taxed at a rate of zero in ${supply.place}${why}`
    case 'product_exempt':
      return `Not taxed in ${supply.place}: this kind of product is exempt${why}`
    case 'customer_exempt':
      return `The customer holds an exemption that covers ${supply.place}`
    case 'not_subject_to_tax':
      return treatments.length > 0 ? `${supply.place} levies no general sales tax at state level` : supply.detail
    default:
      return supply.detail
  }
}

/** Where to register, and from when. */
export function explainUnregistered(
  book: RateBook,
  supply: Supply & { kind: 'taxed' },
  due: readonly LayerTreatment[],
  day: string,
): string {
  const ways = supply.registrations ?? due.map((treatment) => treatment.layer.jurisdiction_id)
  return `Not registered in ${supply.place}: to collect its tax, register (${ways.join(' or ')}), ${whenToRegister(book, supply.place, ways, day)}`
}

function whenToRegister(book: RateBook, place: string, ways: readonly string[], day: string): string {
  if (ways.includes('oss_union')) return 'as cross-border sales to consumers in the EU are over the threshold'
  const threshold = (book.thresholds.get(place) ?? []).find(
    (candidate) => REMOTE_SELLER_TYPES.has(candidate.threshold_type) && candidate.amount !== null && inForce(candidate, day),
  )
  if (threshold === undefined) return 'no threshold is on record, so from the first sale'
  return `once its threshold of ${describeThreshold(book, threshold)} is passed`
}

const REMOTE_SELLER_TYPES = new Set(['REMOTE_SELLER_NEXUS', 'GST_REGISTRATION', 'QST', 'PST'])

/** `500,000 USD and 100 transactions`. */
export function describeThreshold(book: RateBook, threshold: Threshold): string {
  const parts: string[] = []
  if (threshold.amount !== null) parts.push(describeMoney(book, threshold.amount, threshold.currency))
  if (threshold.transaction_count !== null) parts.push(`${threshold.transaction_count} transactions`)
  return parts.join(threshold.combinator === 'and' ? ' and ' : ' or ')
}

/** Minor units in words: `1,234.50 EUR`. */
export function describeMoney(book: RateBook, amount: number, currency: string): string {
  const exponent = book.exchange_rates.get(currency)?.exponent ?? 2
  const unit = 10 ** exponent
  const whole = Math.trunc(Math.abs(amount) / unit)
  const cents = Math.abs(amount) % unit
  const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
  const sign = amount < 0 ? '-' : ''
  return `${sign}${grouped}${cents === 0 ? '' : `.${String(cents).padStart(exponent, '0')}`} ${currency}`
}
