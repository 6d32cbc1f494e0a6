import { isArranged, isWithin, productInSentence, type SupplyKind } from '../book/product-types.ts'
import type { Supplied, Walk } from '../found/found.ts'
import { invariant } from '../ground/invariant.ts'
import { Refusal } from '../ground/refusal.ts'
import type { Deal, DealKind, Place, ProductKind, Supply, TaxedKind, TaxedSupply } from '../regimes/regime.ts'
import { isTaxablePerson } from '../regimes/taxable-person.ts'
import type { LocalTaxes } from '../regimes/us-local/local-stack.ts'
import type { Product } from '../sale/lines.ts'
import { type OwnedAddress, type Sale, stockOf } from '../sale/sale.ts'
import { accountedFor, facilitatedSale, type SupplyQuestion } from './accounted-for.ts'
import type { Limits } from './consignment.ts'
import { findPlace, lacksRegion, placeNamed } from './place.ts'
import { isReceived } from './walk.ts'

const NONE: readonly never[] = []

/** Steps 2 and 3: where the product is supplied, and who accounts for its tax. */
export function supplyOf(walk: Walk, sold: ProductKind, product: Product, limits: Limits): Supplied {
  const own = ownSupplyOf(walk, sold, product, limits)
  const { facilitator } = walk.sale
  // The commission of a platform is its own service, whoever makes the sale that it is for.
  if (!facilitator || isArranged(product.product_type)) return own
  return facilitator.rules.supplyOfFacilitator(walk, own, {
    supplied: (seller) => ownSupplyOf(seller, sold, product, limits),
    sale: (seller, place) =>
      facilitatedSale({ walk: seller, kind: own.kind, product, withinLimit: limits.within }, place),
  })
}

function ownSupplyOf(walk: Walk, sold: ProductKind, product: Product, limits: Limits): Supplied {
  const spot = spotOf(walk, sold, product.product_type)
  const deal = dealKind(sold)
  const kind: TaxedKind = spot.place === null ? deal : 'on_site'
  const asked = { walk, kind, product, withinLimit: limits.within }
  const decided =
    spot.place === null
      ? atCounter(walk, decideByParties(asked, deal))
      : performedAt(walk, spot.place, product)
  const border = spot.place === null ? notesOnBorder(walk, deal) : NONE
  const place = placeAt(walk, decided)
  const { supply, freed, notes } = accountedFor(asked, decided, place)
  const doubt = supply.kind === 'taxed' ? supply.doubt : undefined
  const at = supply.place === place.jurisdiction_id ? place : walk.customer
  return {
    kind,
    supply,
    place: at,
    local: supply.kind === 'taxed' ? localTaxesOf(walk, at, product, kind, supply) : null,
    freed,
    limits: limits.compared,
    fetched: walk.fetched && (spot.place === null || spot.place === walk.customer),
    notes: [
      ...spot.notes,
      ...border,
      ...limits.compared.flatMap(({ note }) => note ?? NONE),
      ...notes,
      ...(doubt === undefined ? NONE : [doubt]),
    ],
  }
}

/** The local taxes where a supply is taxed, found once for it; null: there are none, or no book of them. */
function localTaxesOf(
  walk: Walk,
  place: Place,
  { nature, product_type }: Product,
  supplied: TaxedKind,
  supply: TaxedSupply,
): LocalTaxes | null {
  const { local, sale, seller } = walk
  const { localTaxes } = place.law
  if (local === null || localTaxes === null) return null
  const kind = nature.kind === 'shipping' ? nature.kind : supplied
  const here = seller !== null && seller.jurisdiction_id === supply.place
  const stocked = walk.origin !== null && walk.origin.jurisdiction_id === supply.place
  const present = here || stocked || sale.seller.present_in?.includes(supply.place) === true
  return localTaxes(local, {
    jurisdiction_id: supply.place,
    state_name: place.name,
    kind,
    destination: (kind === 'on_site' ? addressOnSpot(walk, product_type) : null) ?? walk.received_at,
    origin: !here ? null : stocked ? stockOf(sale) : placeWithoutStock(sale, kind),
    day: sale.day,
    fallback: sale.local_fallback,
    registrations: sale.seller.registrations,
    present: present || kind === 'on_site',
    marketplace: sale.marketplace === 'facilitator',
  })
}

/** Where a seller of the state sells from if its stock is elsewhere. Goods are then taxed at the buyer. */
function placeWithoutStock({ seller }: Sale, kind: SupplyKind): OwnedAddress | null {
  const { address } = seller
  return kind === 'goods' || address === null ? null : { address, whose: 'the seller' }
}

/** Where a supply on the spot takes place; null: unknown. */
function addressOnSpot(walk: Walk, product_type: string): OwnedAddress | null {
  const { supply_address, facilitator, seller } = walk.sale
  if (supply_address !== null) return { address: supply_address, whose: 'supply_address' }
  if (isReceived(walk, product_type)) return walk.received_at
  const address = facilitator?.seller?.address ?? seller.address
  return address === null ? null : { address, whose: 'the seller' }
}

/** The supply of goods that the customer fetches, in the words of its law. */
function atCounter({ fetched, customer }: Walk, supply: Supply): Supply {
  if (!fetched || supply.kind !== 'taxed') return supply
  return { ...supply, basis: customer.law.supply.fetched ?? supply.basis, detail: FETCHED }
}

const FETCHED = 'The customer picks up the goods, so they are supplied where they are'

/** The place of a supply: mostly that of a party of the sale. */
function placeAt({ book, customer, seller }: Walk, { place: id, kind }: Supply): Place {
  if (customer.jurisdiction_id === id) return customer
  if (seller?.jurisdiction_id === id) return seller
  const place = placeNamed(book, id)
  invariant(kind !== 'taxed' || place.taxes.length > 0, `${id} has a tax`)
  return place
}

/** Step 2: events, lodging, meals, passenger transport are supplied where they take place. */
function performedAt({ seller, sale, registrations }: Walk, place: Place, { product_type }: Product): Supply {
  const { counts: holds } = registrations
  const established_in = establishedIn(seller, sale)
  const { customer } = sale
  const asked = { place, establishment: seller, established_in, customer, product_type, holds }
  if (!isArranged(product_type)) return place.law.supply.at(asked)
  const basis = place.law.supply.arranged
  if (basis !== undefined) return { ...place.law.supply.at(asked), basis, detail: ARRANGED_HERE }
  const law = seller?.law.supply.arranged ?? ''
  const reason = 'not_subject_to_tax'
  return { kind: 'untaxed', reason, place: place.jurisdiction_id, basis: law, detail: ARRANGED_ABROAD }
}

const ARRANGED_HERE = 'The commission is supplied where the sale is that it is for'
const ARRANGED_ABROAD = `${ARRANGED_HERE}, and its law there is not in the data`

/** Step 2: which place may tax a supply between seller and customer. */
function decideByParties({ walk, product, withinLimit }: SupplyQuestion, kind: DealKind): Supply {
  const { sale, seller, customer, taxable_person } = walk
  // No rule on borders can be applied if the country of the seller is unknown.
  if (seller === null) return customer.law.supply.destination(customer)
  return supplyBetween({
    kind,
    origin: kind === 'goods' ? (walk.origin ?? seller) : seller,
    establishment: seller,
    established_in: establishedIn(seller, sale),
    customer,
    type: sale.customer.type,
    vat_id: sale.customer.vat_id,
    live: product.line?.live ?? false,
    business_only: product.line?.business_only ?? false,
    taxable_person: kind === 'goods' ? taxable_person.goods : taxable_person.others,
    // Shipping without goods is transport of goods: what leaves the country is exempt as they are.
    intangible: product.nature.kind === 'shipping' || product.nature.intangible,
    day: sale.day,
    over_eu_threshold: sale.seller.over_eu_threshold,
    importer: sale.importer,
    holds: walk.registrations.counts,
    withinConsignmentLimit: withinLimit,
  })
}

function establishedIn(seller: Place | null, { seller: { establishments = NONE } }: Sale): readonly string[] {
  return seller === null ? establishments : [seller.state, ...establishments]
}

/** Doubts of a sale across a border: rules of earlier days, and stock without a registration. */
function notesOnBorder(
  { sale, seller, customer, origin, registrations }: Walk,
  kind: DealKind,
): readonly string[] {
  if (seller === null) return NONE
  const notes: string[] = []
  if (seller.jurisdiction_id !== customer.jurisdiction_id)
    for (const { name, cross_border_from } of [seller.law, customer.law])
      if (cross_border_from !== null && sale.day < cross_border_from)
        notes.push(`Rules on sales across borders before ${cross_border_from} are not in the data (${name})`)
  if (kind !== 'goods' || sale.ship_from === null || origin === null || registrations.stated !== null)
    return notes
  const { law, jurisdiction_id, name } = origin
  const registered = [jurisdiction_id, origin.state].some(registrations.counts)
  if (law !== seller.law && !registered)
    notes.push(`Stock in ${name} needs a registration there, which the seller does not have`)
  return notes
}

/** Where a supply takes place, if that decides its tax; null: the places of seller and customer decide. */
type Spot = { readonly place: Place | null; readonly notes: readonly string[] }

const BETWEEN_PARTIES: Spot = { place: null, notes: NONE }

/** Whether a product is taxed where it takes place, and where that is. Throws region_required. */
function spotOf(sold: Walk, kind: ProductKind, product_type: string): Spot {
  const walk = sold.provider === null ? sold : { ...sold, seller: sold.provider }
  if (kind === 'on_site') return placeOnSite(walk, product_type)
  if (kind === 'performed' && isArranged(product_type)) return placeOfArranged(sold, product_type)
  return kind === 'property' || kind === 'performed'
    ? placeOfService(walk, kind, product_type)
    : BETWEEN_PARTIES
}

/** The kind by which the two parties decide on a product that is not taxed on the spot. */
function dealKind(kind: ProductKind): DealKind {
  return kind === 'goods' || kind === 'digital' ? kind : 'service'
}

/**
 * Where a supply on the spot takes place. Meals that are delivered take place at the customer: a sale with
 * shipping delivers. Meals that are fetched take place at the counter. Without an address, the seller's place
 * is assumed, and a note says so.
 */
function placeOnSite(walk: Walk, product_type: string): Spot {
  const { sale, book, seller, customer, performed_at } = walk
  if (performed_at !== null) return { place: performed_at, notes: NONE }
  const received = isReceived(walk, product_type)
  const assumed = received ? customer : (seller ?? customer)
  const { supply_address } = sale
  const place = supply_address === null ? assumed : findPlace(book, supply_address, 'supply_address')
  if (lacksRegion(book, place)) {
    const detail =
      'this supply is taxed where it takes place: give supply_address, or the region of the seller'
    throw new Refusal('region_required', 'supply_address', detail)
  }
  const known = supply_address !== null || received
  const notes = known ? NONE : [supplyAddressMissing(product_type, place, seller !== null)]
  return { place, notes: [...notes, ...notesOnJourney(product_type, place)] }
}

/** Directive 2006/112/EC, art. 48, and other laws tax a journey in each country by its distance there. */
function notesOnJourney(product_type: string, { name }: Place): readonly string[] {
  if (!isWithin(product_type, 'passenger_transport')) return NONE
  return [
    `A journey across a border is not split by distance, so ${productInSentence(product_type)} was taxed ` +
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
  if (stated !== null) return { place: stated, notes: NONE }
  const byParties = place === null || place.law.supply.performed_for === 'all'
  const assumed = byParties && customer.law === at.law ? customer : at
  const alike = place?.jurisdiction_id === customer.jurisdiction_id
  const notes = alike ? NONE : [supplyAddressMissing(product_type, assumed, assumed !== customer)]
  return { place: byParties ? null : place, notes }
}

/**
 * Where the sale is that a commission is for. Laws without a rule on commissions, and businesses, buy it as
 * any other service. An unknown sale is never taken to be at home without a note.
 */
function placeOfArranged(walk: Walk, product_type: string): Spot {
  const { sale, book, seller, customer, performed_at } = walk
  const { supply_address } = sale
  const stated =
    supply_address === null ? performed_at : findPlace(book, supply_address, 'supply_address', 'country')
  const at = stated ?? seller ?? customer
  const asked = stated === null ? [at.law, customer.law] : [at.law, seller?.law ?? customer.law]
  const business = [at.law, customer.law].some((law) => isTaxablePerson(law, sale.customer, 'performed'))
  if (business || asked.every((law) => law.supply.arranged === undefined)) return BETWEEN_PARTIES
  if (stated !== null) return { place: stated, notes: NONE }
  const notes = [supplyAddressMissing(product_type, at, at !== customer)]
  return { place: at.law.supply.arranged === undefined ? null : at, notes }
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
    `The place of ${productInSentence(product_type)} is unknown, so the place of ${whose}, ` +
    `${place.name}, was assumed. Send supply_address`
  )
}

/** Which jurisdiction may tax a supply between two places, and who accounts for it. */
function supplyBetween(deal: Deal): Supply {
  const { origin, customer } = deal
  if (origin.law === customer.law) return customer.law.supply.within(deal)
  return sharedSupply(deal) ?? acrossRegimes(deal)
}

/** A supply between two regimes that stays within the area of one of them; null: it does not. */
function sharedSupply(deal: Deal): Supply | null {
  const { origin, customer } = deal
  return origin.law.supply.shared?.(deal) ?? customer.law.supply.shared?.(deal) ?? null
}

/**
 * A supply between two regimes. If the customer's law makes the seller account for the tax, the seller owes
 * it or has to register: its own law decides nothing abroad. A service that is supplied where the seller is
 * stays there. If the customer accounts for the tax, that is
 * the reason, unless the law of the origin outranks it. Else the law of the origin says why nothing is due.
 */
function acrossRegimes(deal: Deal): Supply {
  const imported = deal.customer.law.supply.to(deal)
  const exported = deal.origin.law.supply.from(deal)
  if (exported === null) return imported
  if (exported.kind !== 'untaxed') return exported
  if (imported.kind === 'taxed') return { ...imported, at_origin: exported }
  if (imported.kind === 'untaxed') {
    const { reason, by_importer, detail, until_registered, not_charged } = imported
    if (by_importer) {
      const supply = { ...exported, detail: `${exported.detail}. ${detail}`, by_importer }
      return until_registered ? { ...supply, until_registered } : supply
    }
    if (reason !== 'not_supported') return exported
    const uncovered = { place: imported.place, at_origin: exported }
    const supply = { ...exported, detail: `${exported.detail}. ${detail}`, uncovered }
    return not_charged === undefined ? supply : { ...supply, not_charged }
  }
  if (!deal.origin.law.supply.outranks_reverse_charge) return imported
  const there = `The customer accounts for the tax of ${deal.customer.name}`
  return { ...exported, detail: `${exported.detail}. ${there}` }
}
