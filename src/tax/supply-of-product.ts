import type { TaxLayer } from './book/layer.ts'
import type { Limits } from './consignment.ts'
import type { Product, Supplied, Walk } from './found.ts'
import { isVoucher } from './book/product-types.ts'
import { invariant } from './invariant.ts'
import { placeOfDestination, placeOfPerformance, placeOfSupply } from './place-of-supply.ts'
import { findPlace, lacksRegion, placeNamed } from './place.ts'
import { Refusal } from './refusal.ts'
import type { FacilitatedSale, Place, Supply, TaxedKind, UntaxedSupply } from './regimes/regime.ts'

/** What the law is asked about one supply. */
type SupplyQuestion = {
  walk: Walk
  kind: TaxedKind
  product: Product
  holds: (registration: string) => boolean
  withinLimit: FacilitatedSale['withinConsignmentLimit']
}

/** Steps 2 and 3: where the product is supplied, and who accounts for its tax. */
export function supplyOf(walk: Walk, kind: TaxedKind, product: Product, limits: Limits): Supplied {
  const { counts } = walk.registrations
  const asked = { walk, kind, product, holds: counts, withinLimit: limits.within }
  const decided = decideSupply(asked)
  const place = placeAt(walk, decided.supply)
  const { supply, freed, notes } = isVoucher(product.product_type)
    ? soldVoucher(asked, decided.supply, place)
    : accountedFor(asked, decided.supply, place)
  const doubt = supply.kind === 'taxed' ? supply.doubt : undefined
  return {
    kind,
    supply,
    place: supply.place === place.jurisdiction_id ? place : walk.customer,
    freed,
    limits: limits.compared,
    notes: [decided.notes, limits.compared.flatMap(({ note }) => note ?? NONE), notes, doubt ?? NONE].flat(),
  }
}

/** The place of a supply: mostly that of a party of the sale. */
function placeAt({ book, customer, seller }: Walk, { place: id, kind }: Supply): Place {
  if (customer.jurisdiction_id === id) return customer
  if (seller?.jurisdiction_id === id) return seller
  const place = placeNamed(book, id)
  invariant(kind !== 'taxed' || place.taxes.length > 0, `${id} has a tax`)
  return place
}

type DecidedSupply<S extends Supply = Supply> = { supply: S; notes: readonly string[] }

const NONE: readonly never[] = []

/** Step 2: which place may tax the supply. */
function decideSupply({ walk, kind, product, holds, withinLimit }: SupplyQuestion): DecidedSupply {
  const { sale, seller, customer } = walk
  if (kind === 'on_site') {
    const { place, notes } = placeOnSite(walk, product.product_type)
    return {
      supply: placeOfPerformance({ place, establishment: seller, customer: sale.customer, holds }),
      notes,
    }
  }
  if (seller === null) return { supply: placeOfDestination(customer), notes: NONE }
  const supply = placeOfSupply({
    kind,
    origin: kind === 'goods' ? (walk.origin ?? seller) : seller,
    establishment: seller,
    customer,
    type: sale.customer.type,
    vat_id: sale.customer.vat_id,
    live: product.line?.live ?? false,
    day: sale.day,
    over_eu_threshold: sale.seller.over_eu_threshold,
    holds,
    withinConsignmentLimit: withinLimit,
  })
  return { supply, notes: notesOnBorder(walk, kind, seller, holds) }
}

/**
 * Where a supply on the spot takes place. Meals that are delivered take place at the customer: a sale with
 * shipping delivers. Without an address, the seller's place is assumed, and a note says so.
 */
function placeOnSite(
  { sale, book, seller, customer, performed_at }: Walk,
  product_type: string,
): { place: Place; notes: readonly string[] } {
  if (performed_at !== null) return { place: performed_at, notes: NONE }
  const delivered = product_type === 'prepared_food' && sale.shipping !== null
  const assumed = delivered ? customer : (seller ?? customer)
  const { supply_address } = sale
  const place = supply_address === null ? assumed : findPlace(book, supply_address, 'supply_address')
  if (lacksRegion(book, place)) {
    const detail =
      'this supply is taxed where it takes place: give supply_address, or the region of the seller'
    throw new Refusal('region_required', 'supply_address', detail)
  }
  const known = supply_address !== null || delivered
  return { place, notes: known ? NONE : [supplyAddressMissing(product_type, place, seller !== null)] }
}

function supplyAddressMissing(product_type: string, place: Place, ofSeller: boolean): string {
  const whose = ofSeller ? 'the seller' : 'the customer'
  return (
    `The place of ${product_type} is not known, so the place of ${whose}, ${place.jurisdiction_id}, ` +
    'was assumed: give supply_address'
  )
}

/** Doubts of a sale across a border: rules of earlier days, and stock without a registration. */
function notesOnBorder(
  { sale, customer, origin, registrations }: Walk,
  kind: TaxedKind,
  seller: Place,
  holds: SupplyQuestion['holds'],
): readonly string[] {
  const notes: string[] = []
  if (seller.jurisdiction_id !== customer.jurisdiction_id)
    for (const { name, cross_border_from } of [seller.law, customer.law])
      if (cross_border_from !== null && sale.day < cross_border_from)
        notes.push(`Rules on sales across borders before ${cross_border_from} are not on file (${name})`)
  if (kind !== 'goods' || sale.ship_from === null || origin === null || registrations.stated !== null)
    return notes
  const { law, jurisdiction_id } = origin
  const registered = [jurisdiction_id, origin.vat_state ?? jurisdiction_id].some(holds)
  if (law !== seller.law && !registered)
    notes.push(`Stock in ${jurisdiction_id} needs a registration there, which the seller does not have`)
  return notes
}

type Accounted = Pick<Supplied, 'supply' | 'freed' | 'notes'>

const NO_SUPPLY =
  'The sale of a voucher for several kinds of supply is no supply: tax falls on what is bought with it'

/** A voucher whose use is not yet known is no supply by the law of the place that would tax it. */
function soldVoucher(asked: SupplyQuestion, supply: Supply, place: Place): Accounted {
  const { sale, seller } = asked.walk
  const { law } = supply.kind === 'untaxed' ? (seller ?? place) : place
  const rule = law.vouchers
  if (rule !== null && (rule.from === null || rule.from <= sale.day)) {
    const { basis } = rule
    const none = {
      kind: 'untaxed',
      reason: 'not_a_supply',
      place: supply.place,
      basis,
      detail: NO_SUPPLY,
    } as const
    return { supply: none, freed: NONE, notes: NONE }
  }
  const accounted = accountedFor(asked, supply, place)
  const note = `The law of ${law.name} on vouchers is not on file for ${sale.day}: taxed as a service`
  return { ...accounted, notes: [...accounted.notes, note] }
}

/** Step 3: the seller accounts for the tax, unless a marketplace does or it is a small business at home. */
function accountedFor(asked: SupplyQuestion, supply: Supply, place: Place): Accounted {
  const { walk } = asked
  const facilitated = walk.sale.marketplace === 'facilitated' && supply.kind !== 'reverse_charge'
  const taxed = supply.kind === 'taxed'
  const byMarketplace = facilitated ? supplyOfMarketplace(asked, taxed ? place : walk.customer) : null
  if (byMarketplace !== null) return { supply: byMarketplace, freed: NONE, notes: NONE }
  if (!taxed) return { supply, freed: NONE, notes: NONE }
  const notes = facilitated ? [SELLER_ACCOUNTS] : NONE
  // A territory has the scheme of its state.
  const basis = place.law.small_business ?? walk.seller?.law.small_business ?? null
  if (!walk.sale.seller.small_business || !supply.established || basis === null)
    return { supply, freed: NONE, notes }
  const freed = freedAsSmall(walk, place)
  if (freed.length < place.taxes.length) return { supply, freed, notes }
  const detail = 'The seller is a small business that charges no tax'
  const small = { kind: 'untaxed', reason: 'small_business', place: supply.place, basis, detail } as const
  return { supply: small, freed: NONE, notes }
}

/**
 * The taxes of a place that a small business at home does not charge. A province frees its own small sellers
 * by a threshold of its own: one that registered owes its tax.
 */
function freedAsSmall({ registrations }: Walk, { law, taxes }: Place): readonly TaxLayer[] {
  return taxes.filter(
    ({ tax_type, jurisdiction_id }) =>
      !(law.provinces?.taxes.includes(tax_type) && registrations.holds(jurisdiction_id)),
  )
}

const SELLER_ACCOUNTS =
  'The marketplace is not liable for the tax of this sale, so the seller accounts for it'

/** The supply of a marketplace that accounts for its tax by the law of the place; null: the seller does. */
function supplyOfMarketplace(
  { walk, kind, product, holds, withinLimit }: SupplyQuestion,
  place: Place,
): UntaxedSupply | null {
  const { day } = walk.sale
  const basis = place.law.marketplaceAccounts({
    kind,
    product_type: product.product_type,
    lawful: place.marketplace_from !== null && place.marketplace_from <= day,
    place,
    establishment: walk.seller,
    origin: kind === 'goods' ? walk.origin : walk.seller,
    customer: walk.sale.customer,
    day,
    holds,
    withinConsignmentLimit: withinLimit,
  })
  if (basis === null) return null
  const detail = 'The marketplace that makes the sale accounts for the tax, so the seller collects nothing'
  const id = place.jurisdiction_id
  return { kind: 'untaxed', reason: 'marketplace_collects', place: id, basis, detail }
}
