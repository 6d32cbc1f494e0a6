import type { Place } from './regime.ts'
import { stateOf } from './eu-member-states.ts'
import type { Deal, Supply, TaxedKind, TaxedSupply } from './regime.ts'
import { hasGoodIdOf } from './taxable-person.ts'
import type { CustomerStatus } from '../sale.ts'

/** Whether a state makes a business with its own id liable for a supply of a seller from elsewhere. */
export function isLiableForOthers(
  place: Place,
  customer: CustomerStatus,
  kind: TaxedKind,
  holds: Deal['holds'],
): boolean {
  if (place.unless_registered && holds(stateOf(place))) return false
  return place.reverse_charged.includes(kind) && hasGoodIdOf(new Set([stateOf(place)]), customer.vat_id)
}

/** The supply is local, but the state makes its business customer liable: art. 194. */
export function localReverseCharge(place: Place): Supply {
  return {
    kind: 'reverse_charge',
    place: place.jurisdiction_id,
    basis: 'Directive 2006/112/EC, art. 194; law of the member state',
    detail:
      'The seller is not established in the member state, so the business customer accounts for the VAT',
  }
}

/** The supply, with a doubt if it depends on a law of the state under art. 194 that is not on file. */
export function withLiabilityInDoubt(supply: TaxedSupply, place: Place, { vat_id }: CustomerStatus): Supply {
  const state = stateOf(place)
  if (place.reverse_charged.length > 0 || !hasGoodIdOf(new Set([state]), vat_id)) return supply
  const doubt =
    `Whether ${state} makes business customers of sellers from elsewhere liable ` +
    'is not on file (art. 194)'
  return { ...supply, doubt }
}
