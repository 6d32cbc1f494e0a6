import { countryInSentence } from '../book/names.ts'
import type { Place, Deal, Supply, TaxedKind, TaxedSupply } from './regime.ts'
import { hasGoodIdOf } from './taxable-person.ts'
import type { CustomerStatus } from '../sale/sale.ts'

/** A supply as art. 194 looks at it. `product_type`: null if the kind alone is asked for. */
type SupplyThere = { kind: TaxedKind; product_type: string | null; customer: CustomerStatus }

/** Whether a state makes a business with its own id liable for a supply of a seller from elsewhere. */
export function isLiableForOthers(
  place: Place,
  { kind, product_type, customer }: SupplyThere,
  holds: Deal['holds'],
): boolean {
  if (place.unless_registered && holds(place.state)) return false
  const named = [kind, product_type ?? kind].some((each) => place.reverse_charged.includes(each))
  return named && hasGoodIdOf(new Set([place.state]), customer.vat_id)
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
export function withLiabilityInDoubt(
  supply: TaxedSupply,
  place: Place,
  { kind, product_type, customer: { vat_id } }: SupplyThere,
): Supply {
  const state = place.state
  const onFile = [kind, product_type ?? kind].some((each) =>
    place.reverse_charged.some((listed) => listed.replace('-', '') === each),
  )
  if (onFile || !hasGoodIdOf(new Set([state]), vat_id)) return supply
  const doubt =
    `The data does not say whether ${countryInSentence(state)} makes business customers liable if ` +
    'the seller is not established there (art. 194)'
  return { ...supply, doubt }
}
