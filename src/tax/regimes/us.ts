import type { Place } from '../place.ts'
import type { Deal, RegimeLaw, Supply } from './regime.ts'

/**
 * State sales and use tax: due where the customer is, collected where the seller has nexus (South Dakota v.
 * Wayfair, 585 U.S. 162).
 */
export const us: RegimeLaw = { within: toState, from: nothingToSay, to: toState, at, destination }

function toState(deal: Deal): Supply {
  return taxed(deal.customer, deal.seller)
}

// Goods sold out of a state are not its sale; no state asks for a certificate of export from a remote seller.
function nothingToSay(): null {
  return null
}

function at(place: Place, seller: Place | null): Supply {
  return taxed(place, seller)
}

function destination(customer: Place): Supply {
  return taxed(customer, null)
}

function taxed(place: Place, seller: Place | null): Supply {
  return {
    kind: 'taxed',
    place: place.jurisdiction_id,
    registrations: [place.jurisdiction_id],
    established: seller !== null && seller.jurisdiction_id === place.jurisdiction_id,
    basis: 'South Dakota v. Wayfair, 585 U.S. 162 (2018); sales and use tax act of the state',
    detail: 'Sales tax is due in the state where the customer receives the supply',
  }
}
