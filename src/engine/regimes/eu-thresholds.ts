import type { Threshold } from '../book/facts.ts'
import { lineage, type RateBook } from '../book/rate-book.ts'
import type { Place, TaxedKind, ThresholdLaw, ThresholdQuestion } from './regime.ts'
import type { Seller } from '../sale/sale.ts'

/**
 * A seller at home has the threshold for small enterprises (Directive 2006/112/EC, art. 284). A seller in
 * another member state has the 10,000 EUR of art. 59c(1) for goods and electronic services. A seller from
 * outside the Union registers from its first sale.
 */
export function thresholds(book: RateBook, question: ThresholdQuestion): ThresholdLaw {
  const { place, seller, origin, kind, over_eu_threshold, established_elsewhere = false } = question
  const jurisdictions = lineage(book, place.jurisdiction_id)
  const shared = { jurisdictions, without: 'first_sale', passed: false } as const
  if (seller !== null && seller.state === place.state)
    return { ...shared, types: ['VAT_REGISTRATION'], scopes: domesticScopes(kind) }
  // Goods from stock in another state than the seller's own have no threshold, nor has who is established in
  // several.
  const fromHome =
    !established_elsewhere && (origin === null || seller === null || origin.state === seller.state)
  if (!fromHome || !sellsWithinUnion(seller, kind)) return { ...shared, types: [], scopes: [] }
  return { ...shared, types: ['DISTANCE_SALES'], scopes: ['all'], passed: over_eu_threshold }
}

function domesticScopes(kind: TaxedKind): readonly string[] {
  return kind === 'goods' ? ['goods', 'goods_and_lodging', 'all'] : ['services', 'all']
}

/**
 * What a limit for small enterprises counts of the turnover at home. France measures services by themselves,
 * but for lodging and meals on the spot (CGI, art. 293 B). Ireland has a limit for who sells at least 90 %
 * goods, and one for all others (VAT Consolidation Act 2010, s. 6(1)(c)).
 */
export function turnoverAtHome({
  jurisdiction_id,
  scope,
}: Pick<Threshold, 'jurisdiction_id' | 'scope'>):
  | 'all'
  | 'other_services'
  | 'all_of_goods_sellers'
  | 'all_of_others' {
  if (jurisdiction_id === 'FR' && scope === 'services') return 'other_services'
  if (jurisdiction_id === 'IE') return scope === 'goods' ? 'all_of_goods_sellers' : 'all_of_others'
  return 'all'
}

/**
 * Directive 2006/112/EC, art. 59c(1): goods and electronic services of a seller in one member state; goods of
 * a seller in Northern Ireland.
 */
function sellsWithinUnion(seller: Place | null, kind: TaxedKind): boolean {
  if (seller === null || seller.vat_state === null) return false
  return kind === 'goods' || (kind === 'digital' && seller.law.id === 'EU')
}

/**
 * A seller on the other side of the threshold of art. 59c(1), and the party at whose place its distance sales
 * are then taxed. The choice of the one-stop shop counts as being over it.
 */
export function otherSideOfThreshold(seller: Seller): { seller: Seller; taxed_at: 'seller' | 'customer' } {
  const held = seller.registrations ?? []
  if (!seller.over_eu_threshold && !held.includes('oss_union')) {
    const registrations = [...held, 'oss_union']
    return { seller: { ...seller, over_eu_threshold: true, registrations }, taxed_at: 'customer' }
  }
  const registrations = held.filter((each) => each !== 'oss_union')
  return { seller: { ...seller, over_eu_threshold: false, registrations }, taxed_at: 'seller' }
}
