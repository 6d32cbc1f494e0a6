import { countryName } from '../../platform/http/country-name.ts'
import type { Provenance, Rate, Threshold } from '../../engine/book/facts.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { componentsOfRate } from '../../engine/book/rate-components.ts'
import { isAsShipped, REVIEWED_ON } from './review-day.ts'
import { nameOfTerritory } from '../../engine/book/territories.ts'
import { nameOfPlaceApart } from '../../engine/supply/place.ts'

/** The name of a jurisdiction, also of one that the data lacks. */
export function nameOf(book: RateBook, jurisdiction_id: string): string {
  const known = book.jurisdictions.get(jurisdiction_id)?.name ?? nameOfPlaceApart(jurisdiction_id)
  return known ?? nameOfTerritory(jurisdiction_id) ?? countryName(jurisdiction_id)
}

/** Where a fact comes from, and who was read last. */
export function presentProvenance(fact: Omit<Provenance, 'confidence' | 'notes'>) {
  const { source, source_url, last_verified_at } = fact
  return {
    source,
    source_url,
    last_verified_at,
    verified_by: fact.verified_by ?? KEPT_BY_HAND,
    as_of: fact.as_of ?? (isAsShipped(fact) ? (last_verified_at?.slice(0, 10) ?? null) : null),
    doubted_since: fact.doubted_since ?? null,
  }
}

/** A fact that no collector has read is as people entered and reviewed it. */
export const KEPT_BY_HAND = `kept by hand, reviewed on ${REVIEWED_ON}`

/** A rate as the API shows it, as a fraction. */
export function presentRate(rate: Rate) {
  return {
    id: rate.id,
    jurisdiction_id: rate.jurisdiction_id,
    tax_type: rate.tax_type,
    category: rate.category,
    name: rate.name,
    rate: rate.rate_millionths / 1_000_000,
    ...(rate.made_of && { components: componentsOfRate(rate.made_of) }),
    effective_from: rate.effective_from,
    effective_to: rate.effective_to,
    ...presentProvenance(rate),
  }
}

/** A threshold as the API shows it; the amount in minor units. */
export function presentThreshold(book: RateBook, threshold: Threshold) {
  return {
    id: threshold.id,
    jurisdiction_id: threshold.jurisdiction_id,
    jurisdiction_name: nameOf(book, threshold.jurisdiction_id),
    threshold_type: threshold.threshold_type,
    scope: threshold.scope,
    amount: threshold.amount,
    currency: threshold.currency,
    transaction_count: threshold.transaction_count,
    combinator: threshold.combinator,
    amount_test: threshold.amount_test,
    count_test: threshold.count_test,
    worldwide_amount: threshold.worldwide_amount ?? null,
    measurement_period: threshold.measurement_period,
    included_sales: threshold.included_sales,
    effective_from: threshold.effective_from,
    effective_to: threshold.effective_to,
    notes: threshold.notes,
    ...presentProvenance(threshold),
  }
}
