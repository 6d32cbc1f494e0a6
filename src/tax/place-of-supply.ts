import type { Place } from './place.ts'
import { REGIMES } from './regimes/list.ts'
import type { Deal, Supply } from './regimes/regime.ts'

/** Which jurisdiction may tax a supply between two places, and who accounts for it. */
export function placeOfSupply(deal: Deal): Supply {
  const { seller, customer } = deal
  if (movesWithinUnion(deal)) return REGIMES.EU.within(deal)
  return seller.regime === customer.regime ? REGIMES[customer.regime].within(deal) : acrossRegimes(deal)
}

/**
 * The same by the customer's law alone, where that taxes it: whether to register abroad is nothing that the
 * seller's own law can answer.
 */
export function placeOfSupplyAbroad(deal: Deal): Supply {
  const supply = placeOfSupply(deal)
  if (supply.kind !== 'untaxed' || movesWithinUnion(deal) || deal.seller.regime === deal.customer.regime)
    return supply
  const imported = REGIMES[deal.customer.regime].to(deal)
  return imported.kind === 'taxed' ? imported : supply
}

/**
 * Windsor Framework, art. 8: goods between Northern Ireland and a member state move within the EU VAT area.
 */
function movesWithinUnion({ kind, seller, customer }: Deal): boolean {
  const domestic = seller.regime === 'GB' && customer.regime === 'GB'
  return kind === 'goods' && seller.vat_state !== null && customer.vat_state !== null && !domestic
}

/** The supply where it takes place: events, lodging, meals, passenger transport. */
export function placeOfPerformance(place: Place, seller: Place | null, business: boolean): Supply {
  return REGIMES[place.regime].at(place, seller, business)
}

/** Without a seller's country no cross-border rule can be decided. */
export function placeOfDestination(customer: Place): Supply {
  return REGIMES[customer.regime].destination(customer)
}

/**
 * First the law of the seller, then that of the customer. The customer's tax is charged where the seller is
 * registered for it; otherwise the seller's own law says why nothing is charged: an EU seller's always,
 * another's unless the customer has to account for the tax.
 */
function acrossRegimes(deal: Deal): Supply {
  const imported = REGIMES[deal.customer.regime].to(deal)
  const exported = REGIMES[deal.seller.regime].from(deal)
  if (
    exported === null ||
    (imported.kind === 'taxed' && mayCharge(deal, imported.registrations, imported.place))
  )
    return imported
  if (deal.seller.regime !== 'EU' && imported.kind === 'reverse_charge') return imported
  if (imported.kind === 'untaxed') return exported
  const there =
    imported.kind === 'taxed'
      ? `The seller is not registered in ${imported.place}, so its tax is not collected`
      : `The customer accounts for the tax of ${imported.place}`
  return { ...exported, detail: `${exported.detail}. ${there}` }
}

function mayCharge(deal: Deal, registrations: readonly string[] | null, place: string): boolean {
  return (registrations ?? [place, place.slice(0, 2)]).some((registration) => deal.holds(registration))
}
