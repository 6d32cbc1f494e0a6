import { isWithin, productInSentence } from '../book/product-types.ts'
import type { Walk } from '../found/found.ts'
import { findPlace, lacksRegion } from './place.ts'
import { Refusal } from '../ground/refusal.ts'
import type { DealKind, Place, ProductKind } from '../regimes/regime.ts'
import { isTaxablePerson } from '../regimes/taxable-person.ts'

/** Where a supply takes place, if that decides its tax; null: the places of seller and customer decide. */
export type Spot = { readonly place: Place | null; readonly notes: readonly string[] }

const NO_NOTES: readonly never[] = []
const BETWEEN_PARTIES: Spot = { place: null, notes: NO_NOTES }

/** Whether a product is taxed where it takes place, and where that is. Throws region_required. */
export function spotOf(walk: Walk, kind: ProductKind, product_type: string): Spot {
  if (kind === 'on_site') return placeOnSite(walk, product_type)
  return kind === 'property' || kind === 'performed'
    ? placeOfService(walk, kind, product_type)
    : BETWEEN_PARTIES
}

/** The kind by which the two parties decide on a product that is not taxed on the spot. */
export function dealKind(kind: ProductKind): DealKind {
  return kind === 'goods' || kind === 'digital' ? kind : 'service'
}

/**
 * Where a supply on the spot takes place. Meals that are delivered take place at the customer: a sale with
 * shipping delivers. Without an address, the seller's place is assumed, and a note says so.
 */
function placeOnSite({ sale, book, seller, customer, performed_at }: Walk, product_type: string): Spot {
  if (performed_at !== null) return { place: performed_at, notes: NO_NOTES }
  const delivered = isWithin(product_type, 'prepared_food') && sale.shipping !== null
  const assumed = delivered ? customer : (seller ?? customer)
  const { supply_address } = sale
  const place = supply_address === null ? assumed : findPlace(book, supply_address, 'supply_address')
  if (lacksRegion(book, place)) {
    const detail =
      'this supply is taxed where it takes place: give supply_address, or the region of the seller'
    throw new Refusal('region_required', 'supply_address', detail)
  }
  const known = supply_address !== null || delivered
  const notes = known ? NO_NOTES : [supplyAddressMissing(product_type, place, seller !== null)]
  return { place, notes: [...notes, ...notesOnJourney(product_type, place)] }
}

/** Directive 2006/112/EC, art. 48, and other laws tax a journey in each country by its distance there. */
function notesOnJourney(product_type: string, { name }: Place): readonly string[] {
  if (!isWithin(product_type, 'passenger_transport')) return NO_NOTES
  return [
    `A journey across a border is not split by distance: ${productInSentence(product_type)} was taxed ` +
      `as if all of it took place in ${name}`,
  ]
}

/**
 * Where a service that is tied to a place is carried out, or where its property lies. Without an address, the
 * seller's place is assumed if its law taxes consumers there, and else the rules for other services apply.
 */
function placeOfService(walk: Walk, kind: 'property' | 'performed', product_type: string): Spot {
  const { sale, book, seller, customer, performed_at } = walk
  const { supply_address } = sale
  const stated = supply_address === null ? performed_at : findPlace(book, supply_address, 'supply_address')
  const place = stated ?? seller
  const at = place ?? customer
  if (!isTiedTo(at, kind, walk)) return BETWEEN_PARTIES
  if (stated !== null) return { place: stated, notes: NO_NOTES }
  const byParties = place === null || place.law.supply.performed_for === 'all'
  const assumed = byParties && customer.law === at.law ? customer : at
  const alike = place?.jurisdiction_id === customer.jurisdiction_id
  const notes = alike ? NO_NOTES : [supplyAddressMissing(product_type, assumed, assumed !== customer)]
  return { place: byParties ? null : place, notes }
}

/** Whether the law of a place taxes a service there because it takes place there. */
function isTiedTo({ law }: Place, kind: 'property' | 'performed', { sale, customer }: Walk): boolean {
  const { performed_for } = law.supply
  if (performed_for === 'all') return true
  const registered = isTaxablePerson(law, sale.customer, kind)
  if (performed_for === 'unregistered') return !registered
  return kind === 'property' || !(registered || isTaxablePerson(customer.law, sale.customer, kind))
}

function supplyAddressMissing(product_type: string, place: Place, ofSeller: boolean): string {
  const whose = ofSeller ? 'the seller' : 'the customer'
  return (
    `The place of ${productInSentence(product_type)} is not known, so the place of ${whose}, ` +
    `${place.name}, was assumed: give supply_address`
  )
}
