import type { TaxabilityReason } from './assessment.ts'
import type { DutyToRegister } from './duty-to-register.ts'
import type { Threshold } from './book/facts.ts'
import type { LayerTreatment } from './book/product-rules.ts'
import type { SupplyKind } from './book/product-types.ts'
import type { RateBook } from './book/rate-book.ts'
import type { Supply } from './regimes/regime.ts'
import type { Walk } from './walk.ts'

/** Why a line bears no tax, as one sentence with the way to change it. */
export function explainDetail(
  reason: TaxabilityReason,
  supply: Supply,
  treatments: readonly LayerTreatment[],
): string {
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
      return treatments.length > 0
        ? `${supply.place} levies no general sales tax at state level`
        : supply.detail
    default:
      return supply.detail
  }
}

/** Where to register, and from when. */
export function explainUnregistered(
  walk: Walk,
  kind: SupplyKind,
  supply: Supply & { kind: 'taxed' },
  duty: DutyToRegister,
): string {
  const ways = duty.registrations.join(duty.all ? ' and ' : ' or ')
  return `Not registered in ${supply.place}: to collect its tax, register (${ways}), ${whenToRegister(walk, kind, supply, duty)}`
}

function whenToRegister(
  walk: Walk,
  kind: SupplyKind,
  supply: Supply & { kind: 'taxed' },
  duty: DutyToRegister,
): string {
  const limits = duty.thresholds.map((threshold) => describeThreshold(walk.book, threshold))
  if (limits.length > 1) return `once their thresholds of ${limits.join(' and ')} are passed`
  if (limits.length === 1) return `once its threshold of ${limits[0]} is passed`
  if (duty.unknown) return 'no threshold is on record for that day'
  if (walk.seller === null) return 'which of them, and from when, depends on where the seller is established'
  const overThreshold =
    kind !== 'on_site' &&
    walk.seller.vat_state !== null &&
    !supply.established &&
    duty.registrations.includes('oss_union')
  return overThreshold
    ? 'as cross-border sales to consumers in the EU are over the threshold'
    : 'from the first sale'
}

/** `500,000 USD and 100 transactions`. */
export function describeThreshold(book: RateBook, threshold: Threshold): string {
  const parts: string[] = []
  if (threshold.amount !== null) parts.push(describeMoney(book, threshold.amount, threshold.currency))
  if (threshold.transaction_count !== null) parts.push(`${threshold.transaction_count} transactions`)
  return parts.join(threshold.combinator === 'and' ? ' and ' : ' or ')
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

/** ISO 4217, as the platform knows it. */
function minorDigits(currency: string): number {
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  )
}
