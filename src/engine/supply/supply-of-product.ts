import { nameInSentence } from '../book/place-names.ts'
import type { TaxLayer } from '../book/layer.ts'
import type { Limits } from './consignment.ts'
import type { Product, Supplied, Walk } from '../found/found.ts'
import { isIntangible, isVoucher, productInSentence } from '../book/product-types.ts'
import { voucherLaw } from './voucher-law.ts'
import { invariant } from '../ground/invariant.ts'
import { placeOfDestination, placeOfPerformance, placeOfSupply } from './place-of-supply.ts'
import { dealKind, type Spot, spotOf } from './place-on-spot.ts'
import { placeNamed } from './place.ts'
import type {
  FacilitatedSale,
  Place,
  ProductKind,
  Supply,
  TaxedKind,
  UntaxedSupply,
} from '../regimes/regime.ts'

/** What the law is asked about one supply. */
type SupplyQuestion = {
  walk: Walk
  kind: TaxedKind
  product: Product
  holds: (registration: string) => boolean
  withinLimit: FacilitatedSale['withinConsignmentLimit']
}

/** Steps 2 and 3: where the product is supplied, and who accounts for its tax. */
export function supplyOf(walk: Walk, sold: ProductKind, product: Product, limits: Limits): Supplied {
  const { counts } = walk.registrations
  const spot = spotOf(walk, sold, product.product_type)
  const kind: TaxedKind = spot.place !== null ? 'on_site' : dealKind(sold)
  const asked = { walk, kind, product, holds: counts, withinLimit: limits.within }
  const decided = decideSupply(asked, spot)
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

/** Step 2: which place may tax the supply. `spot`: where it takes place, if that decides. */
function decideSupply(asked: SupplyQuestion, spot: Spot): DecidedSupply {
  const { walk, product, holds, withinLimit } = asked
  const { sale, seller, customer } = walk
  const { place: there, notes } = spot
  if (there !== null) {
    const { product_type } = product
    const performance = { place: there, establishment: seller, customer: sale.customer, product_type, holds }
    return { supply: placeOfPerformance(performance), notes }
  }
  const kind = dealKind(asked.kind)
  if (seller === null) return { supply: placeOfDestination(customer), notes }
  const supply = placeOfSupply({
    kind,
    origin: kind === 'goods' ? (walk.origin ?? seller) : seller,
    establishment: seller,
    customer,
    type: sale.customer.type,
    vat_id: sale.customer.vat_id,
    live: product.line?.live ?? false,
    business_only: product.line?.business_only ?? false,
    // Shipping without goods is transport of goods: what leaves the country is exempt as they are.
    intangible: product.kind === 'shipping' || isIntangible(product.product_type),
    day: sale.day,
    over_eu_threshold: sale.seller.over_eu_threshold,
    importer: sale.importer,
    holds,
    withinConsignmentLimit: withinLimit,
  })
  return { supply, notes: [...notes, ...notesOnBorder(walk, kind, seller, holds)] }
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
  const { law, jurisdiction_id, name } = origin
  const registered = [jurisdiction_id, origin.vat_state ?? jurisdiction_id].some(holds)
  if (law !== seller.law && !registered)
    notes.push(`Stock in ${name} needs a registration there, which the seller does not have`)
  return notes
}

type Accounted = Pick<Supplied, 'supply' | 'freed' | 'notes'>

const NO_SUPPLY =
  'The sale of a voucher for several kinds of supply is no supply: tax falls on what is bought with it'

/** A voucher whose use is not yet known is no supply by the law of the place that would tax it. */
function soldVoucher(asked: SupplyQuestion, supply: Supply, place: Place): Accounted {
  const { sale, seller } = asked.walk
  const { law } = supply.kind === 'untaxed' ? (seller ?? place) : place
  const rule = voucherLaw(law, sale.day)
  if (rule !== null) {
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
  const named = nameInSentence(law.name)
  const note = `The law of ${named} on vouchers is not on file for ${sale.day}: taxed as a service`
  return { ...accounted, notes: [...accounted.notes, note] }
}

/** Step 3: the seller accounts for the tax, unless a marketplace does or it is a small business at home. */
function accountedFor(asked: SupplyQuestion, supply: Supply, place: Place): Accounted {
  const { walk } = asked
  const facilitated = walk.sale.marketplace === 'facilitated' && supply.kind !== 'reverse_charge'
  const taxed = supply.kind === 'taxed'
  const sale = facilitated ? facilitatedSale(asked, taxed ? place : walk.customer) : null
  const byMarketplace = sale === null ? null : supplyOfMarketplace(sale)
  if (byMarketplace !== null) return { supply: byMarketplace, freed: NONE, notes: noteOnMarketplace(sale) }
  if (!taxed) return { supply, freed: NONE, notes: NONE }
  const notes = sale === null ? NONE : [whyNotMarketplace(sale)]
  const abroad = supply.established ? null : smallAbroad(walk, place)
  if (abroad !== null) return { supply: ofSmallBusiness(supply.place, abroad), freed: NONE, notes }
  // A territory has the scheme of its state.
  const basis = place.law.small_business ?? walk.seller?.law.small_business ?? null
  if (!walk.sale.seller.small_business || !supply.established || basis === null)
    return { supply, freed: NONE, notes }
  const freed = freedAsSmall(walk, place)
  if (freed.length < place.taxes.length) return { supply, freed, notes }
  return { supply: ofSmallBusiness(supply.place, basis), freed: NONE, notes }
}

function noteOnMarketplace(sale: FacilitatedSale | null): readonly string[] {
  const note = sale?.place.law.marketplaceNote?.(sale) ?? null
  return note === null ? NONE : [note]
}

function ofSmallBusiness(place: string, basis: string): UntaxedSupply {
  const detail = 'The seller is a small business that charges no tax'
  return { kind: 'untaxed', reason: 'small_business', place, basis, detail }
}

function smallAbroad({ sale, seller }: Walk, place: Place): string | null {
  return place.law.smallBusinessFromAbroad?.(place, seller, sale.seller, sale.day) ?? null
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

/** Why no marketplace accounts for a sale. An act that is not on file is never said to free it. */
function whyNotMarketplace(sale: FacilitatedSale): string {
  const { law, name } = sale.place
  if (law.isMarketplaceLawOnFile?.(sale) !== false) return SELLER_ACCOUNTS
  return (
    `Whether the marketplace collects the tax on ${productInSentence(sale.product_type)} in ${name} ` +
    'is not on file. ' +
    'The answer is that of a seller who accounts for it: ask the marketplace'
  )
}

const SELLER_ACCOUNTS =
  'The marketplace is not liable for the tax of this sale, so the seller accounts for it'

function facilitatedSale(
  { walk, kind, product, holds, withinLimit }: SupplyQuestion,
  place: Place,
): FacilitatedSale {
  const { day } = walk.sale
  return {
    kind,
    product_type: product.product_type,
    lawful: place.marketplace_from !== null && place.marketplace_from <= day,
    place,
    establishment: walk.seller,
    origin: kind === 'goods' ? walk.origin : walk.seller,
    customer: walk.sale.customer,
    business_only: product.line?.business_only ?? false,
    day,
    holds,
    withinConsignmentLimit: withinLimit,
  }
}

/** The supply of a marketplace that accounts for its tax by the law of the place; null: the seller does. */
function supplyOfMarketplace(sale: FacilitatedSale): UntaxedSupply | null {
  const { place } = sale
  const basis = place.law.marketplaceAccounts(sale)
  if (basis === null) return null
  const detail = 'The marketplace that makes the sale accounts for the tax, so the seller collects nothing'
  const id = place.jurisdiction_id
  return { kind: 'untaxed', reason: 'marketplace_collects', place: id, basis, detail }
}
