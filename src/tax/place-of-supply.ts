import type { Place } from './place.ts'
import type { Deal, Supply } from './regimes/regime.ts'

/** Which jurisdiction may tax a supply between two places, and who accounts for it. */
export function placeOfSupply(deal: Deal): Supply {
  const { seller, customer } = deal
  if (seller.law === customer.law) return customer.law.supply.within(deal)
  return sharedSupply(deal) ?? acrossRegimes(deal)
}

/**
 * Like placeOfSupply, but the customer's law wins if it taxes the supply: the seller's own law does not
 * decide whether to register abroad.
 */
export function placeOfSupplyAbroad(deal: Deal): Supply {
  const supply = placeOfSupply(deal)
  const within = deal.seller.law === deal.customer.law || sharedSupply(deal) !== null
  if (supply.kind !== 'untaxed' || within) return supply
  const imported = deal.customer.law.supply.to(deal)
  return imported.kind === 'taxed' ? imported : supply
}

/** The supply where it takes place: events, lodging, meals, passenger transport. */
export function placeOfPerformance(place: Place, seller: Place | null, business: boolean): Supply {
  return place.law.supply.at(place, seller, business)
}

/** The seller's country is unknown, so no cross-border rule can be applied. */
export function placeOfDestination(customer: Place): Supply {
  return customer.law.supply.destination(customer)
}

/** A supply between two regimes that stays within the area of one of them; null: it does not. */
function sharedSupply(deal: Deal): Supply | null {
  return deal.seller.law.supply.shared?.(deal) ?? deal.customer.law.supply.shared?.(deal) ?? null
}

/**
 * A supply between two regimes. The customer's tax is charged if the seller is registered for it. Otherwise
 * the seller's own law says why nothing is charged. If the customer accounts for the tax, that is the reason,
 * unless the seller's law outranks it.
 */
function acrossRegimes(deal: Deal): Supply {
  const imported = deal.customer.law.supply.to(deal)
  const exported = deal.seller.law.supply.from(deal)
  if (exported === null) return imported
  if (imported.kind === 'taxed' && imported.registrations.some(deal.holds)) return imported
  if (imported.kind === 'reverse_charge' && !deal.seller.law.supply.outranks_reverse_charge) return imported
  if (imported.kind === 'untaxed') return exported
  const there =
    imported.kind === 'taxed'
      ? `The seller is not registered in ${imported.place}, so its tax is not collected`
      : `The customer accounts for the tax of ${imported.place}`
  return { ...exported, detail: `${exported.detail}. ${there}` }
}
