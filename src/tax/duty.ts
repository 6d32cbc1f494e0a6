import type { Duty } from './found.ts'
import type { TaxLayer } from './book/product-rules.ts'
import type { RateBook } from './book/rate-book.ts'
import { invariant } from './invariant.ts'
import { placeOfJurisdiction } from './place.ts'
import { type Place, registrationsFor, type TaxedKind, type TaxedSupply } from './regimes/regime.ts'
import type { Sale } from './sale.ts'
import { findThreshold } from './thresholds.ts'

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
    registrations: registrationsFor(place.law, layer, supply),
    threshold: threshold?.amount === null ? null : threshold,
    without,
    passed,
  }
}
