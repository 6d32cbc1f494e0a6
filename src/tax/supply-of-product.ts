import type { Product, Walk } from './found.ts'
import type { Region } from './book/regions.ts'
import type { TaxLayer } from './book/product-rules.ts'
import { invariant } from './invariant.ts'
import { placeOfDestination, placeOfPerformance, placeOfSupply } from './place-of-supply.ts'
import { placeOfJurisdiction } from './place.ts'
import type { Place, Supply, TaxedKind, TaxedSupply, UntaxedSupply } from './regimes/regime.ts'
import { addOnce, isWithinLimit, recordStep } from './walk.ts'

/** Where the product is supplied and who accounts for its tax. Lines of one kind share the answer. */
export function supplyOf(walk: Walk, kind: TaxedKind, product: Product): Supply {
  const { product_type, line } = product
  const byItem = walk.item_limit !== null && kind === 'goods'
  const key = line?.live ? `${kind} live` : kind === 'on_site' ? product_type : kind
  const known = byItem ? undefined : walk.supplies.get(key)
  if (known !== undefined) return known
  const supply = whoAccounts(walk, kind, product, decideSupply(walk, kind, product))
  walk.supplies.set(key, supply)
  if (supply.kind === 'taxed' && supply.doubt !== undefined) addOnce(walk.notes, supply.doubt)
  if (walk.trace !== null) {
    const rule = `${kind}: ${supply.detail}`
    recordStep(walk, 'place_of_supply', rule, `${supply.kind} in ${supply.place}`, supply.basis)
    if (supply.kind === 'taxed' && supply.at_origin !== undefined) recordOrigin(walk, kind, supply.at_origin)
  }
  return supply
}

function decideSupply(walk: Walk, kind: TaxedKind, { product_type, line }: Product): Supply {
  const { sale, seller, customer } = walk
  if (kind === 'on_site') {
    const place = walk.performance(walk, product_type)
    const holds = holdsOf(walk)
    return placeOfPerformance({ place, establishment: seller, customer: sale.customer, holds })
  }
  if (seller === null) return placeOfDestination(customer)
  noteWhatIsNotOnFile(walk, kind, seller)
  return placeOfSupply({
    kind,
    origin: kind === 'goods' ? (walk.origin ?? seller) : seller,
    establishment: seller,
    customer,
    type: sale.customer.type,
    vat_id: sale.customer.vat_id,
    live: line?.live ?? false,
    day: sale.day,
    over_eu_threshold: sale.seller.over_eu_threshold,
    holds: holdsOf(walk),
    withinConsignmentLimit: (region: Region) => isWithinLimit(walk, region, line),
  })
}

/** Doubts of a sale across a border: rules of earlier days, and stock without a registration. */
function noteWhatIsNotOnFile(
  { sale, customer, origin, notes, registrations }: Walk,
  kind: TaxedKind,
  seller: Place,
): void {
  const across = seller.jurisdiction_id !== customer.jurisdiction_id
  for (const { name, cross_border_from } of [seller.law, customer.law])
    if (across && cross_border_from !== null && sale.day < cross_border_from)
      addOnce(notes, `Rules on sales across borders before ${cross_border_from} are not on file (${name})`)
  if (kind !== 'goods' || sale.ship_from === null || origin === null || registrations.stated !== null) return
  const { law, jurisdiction_id } = origin
  const registered = [jurisdiction_id, origin.vat_state ?? jurisdiction_id].some(holdsOf({ registrations }))
  if (law !== seller.law && !registered)
    addOnce(notes, `Stock in ${jurisdiction_id} needs a registration there, which the seller does not have`)
}

function holdsOf({ registrations }: Pick<Walk, 'registrations'>): (registration: string) => boolean {
  return (registration) => registrations.assumed || registrations.holds(registration)
}

/** The supply, unless a marketplace accounts for its tax or the seller is a small business at home. */
function whoAccounts(walk: Walk, kind: TaxedKind, product: Product, supply: Supply): Supply {
  if (walk.sale.marketplace === 'facilitated') return byMarketplace(walk, kind, product, supply)
  const { small_business } = walk.sale.seller
  if (!small_business || supply.kind !== 'taxed' || !supply.established) return supply
  const place = placeOfTaxed(walk, supply)
  // A territory has the scheme of its state.
  const basis = place.law.small_business ?? walk.seller?.law.small_business ?? null
  if (basis === null || place.taxes.some((layer) => isOwedAnyway(walk, place, layer))) return supply
  const detail = 'The seller is a small business that charges no tax'
  return { kind: 'untaxed', reason: 'small_business', place: supply.place, basis, detail }
}

/** A province frees its own small sellers by a threshold of its own: one that registered owes its tax. */
export function isOwedAnyway(
  { registrations }: Walk,
  { law }: Place,
  { tax_type, jurisdiction_id }: TaxLayer,
): boolean {
  return law.provinces?.taxes.includes(tax_type) === true && registrations.holds(jurisdiction_id)
}

const SELLER_ACCOUNTS =
  'The marketplace is not liable for the tax of this sale, so the seller accounts for it'

/** A marketplace accounts for what its law says; for other sales the seller does, and a note says so. */
function byMarketplace(walk: Walk, kind: TaxedKind, { product_type, line }: Product, supply: Supply): Supply {
  if (supply.kind === 'reverse_charge') return supply
  const place = supply.kind === 'taxed' ? placeOfTaxed(walk, supply) : walk.customer
  const { day } = walk.sale
  const basis = place.law.marketplaceAccounts({
    kind,
    product_type,
    lawful: place.marketplace_from !== null && place.marketplace_from <= day,
    place,
    establishment: walk.seller,
    origin: kind === 'goods' ? walk.origin : walk.seller,
    customer: walk.sale.customer,
    day,
    holds: holdsOf(walk),
    withinConsignmentLimit: (region: Region) => isWithinLimit(walk, region, line),
  })
  if (basis === null) {
    if (supply.kind === 'taxed') addOnce(walk.notes, SELLER_ACCOUNTS)
    return supply
  }
  const detail = 'The marketplace that makes the sale accounts for the tax, so the seller collects nothing'
  return { kind: 'untaxed', reason: 'marketplace_collects', place: place.jurisdiction_id, basis, detail }
}

/** The place that taxes the supply. */
export function placeOfTaxed({ book }: Walk, { place }: TaxedSupply): Place {
  return invariant(placeOfJurisdiction(book, place), `${place} exists`)
}

function recordOrigin(walk: Walk, kind: TaxedKind, { detail, reason, place, basis }: UntaxedSupply): void {
  recordStep(walk, 'place_of_origin', `${kind}: ${detail}`, `${reason} from ${place}`, basis)
}
