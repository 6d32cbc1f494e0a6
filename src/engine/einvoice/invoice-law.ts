import { lineage, type RateBook } from '../book/rate-book.ts'
import type { Supplied, Walk } from '../found/found.ts'
import type { Place, TaxedKind, UntaxedSupply } from '../regimes/regime.ts'
import type { InvoiceStandard } from '../ground/invoice-details.ts'

/** The standard that invoices of a supply at a place follow; null: none has categories for its tax. */
export function standardOf(place: Place, kind: TaxedKind): InvoiceStandard | null {
  return place.law.invoices.standard(place, kind)
}

/** The country or member state whose law holds at a place: of Monaco it is France. */
export function countryOf(book: RateBook, place: Place, kind: TaxedKind): string {
  const state = kind === 'goods' ? (place.vat_state ?? place.service_state) : place.service_state
  return state ?? lineage(book, place.jurisdiction_id).at(-1) ?? place.jurisdiction_id
}

/** What the law of the origin says of an untaxed supply, or of one that another place taxes. */
export type FoundOrigin = { stated: UntaxedSupply; from: Place; standard: InvoiceStandard }

/** Null: the law of the origin says nothing, or has no standard. */
export function originOf(walk: Walk, { supply, kind }: Supplied): FoundOrigin | null {
  if (supply.kind === 'reverse_charge') return null
  const stated = supply.kind === 'taxed' ? supply.at_origin : supply
  const from = kind === 'goods' ? (walk.origin ?? walk.seller) : walk.seller
  if (stated === undefined || from === null) return null
  const standard = standardOf(from, kind)
  return standard !== null && isStatedByOrigin(stated, from, kind) ? { stated, from, standard } : null
}

/**
 * Exports and supplies within the Union are named by the law of the origin. Out of its scope is a service
 * that is supplied elsewhere. Of goods that are imported, the law of the arrival speaks.
 */
function isStatedByOrigin({ reason, place }: UntaxedSupply, from: Place, kind: TaxedKind): boolean {
  if (reason === 'export' || reason === 'intra_community_supply') return true
  return reason === 'not_subject_to_tax' && kind !== 'goods' && place !== from.jurisdiction_id
}
