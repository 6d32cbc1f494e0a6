import type { Threshold } from './book/facts.ts'
import type { TaxLayer } from './book/product-rules.ts'
import type { RateBook } from './book/rate-book.ts'
import { invariant } from './invariant.ts'
import { placeOfJurisdiction } from './place.ts'
import type { TaxedKind, TaxedSupply } from './regimes/regime.ts'
import type { Place } from './place.ts'
import type { Sale } from './sale.ts'
import { findThreshold } from './thresholds.ts'

/** One tax that a seller may not collect yet: how to register for it, and from when the seller has to. */
export type Duty = {
  layer: TaxLayer
  /** Registrations and schemes. Any one of them is enough. */
  registrations: readonly string[]
  /** Passing it obliges the seller to register; null: no threshold with an amount is on record. */
  threshold: Threshold | null
  /** Without a threshold: registration is due from the first sale, or no duty is known. */
  without: 'first_sale' | 'unknown'
  /** The seller says that it has passed the threshold. */
  passed: boolean
}

/** Everything that a duty depends on, except the tax. */
export type DutyOf = {
  book: RateBook
  sale: Sale
  seller: Place | null
  origin: Place | null
  kind: TaxedKind
  supply: TaxedSupply
}

/** The duty of a seller before it may collect one tax of a supply. */
export function dutyFor({ book, sale, seller, origin, kind, supply }: DutyOf, layer: TaxLayer): Duty {
  const place = invariant(placeOfJurisdiction(book, supply.place), `${supply.place} exists`)
  const { over_eu_threshold } = sale.seller
  const question = { layer, place, seller, origin, kind, over_eu_threshold }
  const { without, passed, ...records } = place.law.thresholds(book, question)
  const threshold = findThreshold(book, { ...records, without, passed }, sale.day)
  return {
    layer,
    registrations: place.law.registrationFor(layer, supply),
    threshold: threshold?.amount === null ? null : threshold,
    without,
    passed,
  }
}
