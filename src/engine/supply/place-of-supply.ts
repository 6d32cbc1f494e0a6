import type { Deal, Performance, Supply } from '../regimes/regime.ts'
import type { Place } from '../regimes/regime.ts'

/** Which jurisdiction may tax a supply between two places, and who accounts for it. */
export function placeOfSupply(deal: Deal): Supply {
  const { origin, customer } = deal
  if (origin.law === customer.law) return customer.law.supply.within(deal)
  return sharedSupply(deal) ?? acrossRegimes(deal)
}

/** The supply where it takes place: events, lodging, meals, passenger transport. */
export function placeOfPerformance(performance: Performance): Supply {
  return performance.place.law.supply.at(performance)
}

/** The seller's country is unknown, so no cross-border rule can be applied. */
export function placeOfDestination(customer: Place): Supply {
  return customer.law.supply.destination(customer)
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
    const { reason, by_importer, detail, until_registered } = imported
    if (by_importer) {
      const supply = { ...exported, detail: `${exported.detail}. ${detail}`, by_importer }
      return until_registered ? { ...supply, until_registered } : supply
    }
    return reason === 'not_supported' ? { ...exported, detail: `${exported.detail}. ${detail}` } : exported
  }
  if (!deal.origin.law.supply.outranks_reverse_charge) return imported
  const there = `The customer accounts for the tax of ${deal.customer.name}`
  return { ...exported, detail: `${exported.detail}. ${there}` }
}
