import { lineage } from '../book/rate-book.ts'
import type { Place } from '../place.ts'
import { nationalTax } from './national-tax.ts'
import type { Deal, RegimeLaw, TaxedSupply } from './regime.ts'

/**
 * State sales and use tax: due where the customer is, collected where the seller has nexus (South Dakota v.
 * Wayfair, 585 U.S. 162).
 */
export const us: RegimeLaw = {
  ...nationalTax,
  id: 'US',
  name: 'United States',
  // Goods that leave a state are not its sale, and no state asks a remote seller for a proof of export.
  supply: {
    within: toState,
    from: () => null,
    to: toState,
    at: taxed,
    destination: (place) => taxed(place, null),
  },
  taxes: (_, jurisdiction_id) => [{ tax_type: 'SALES_TAX', jurisdiction_id, rules_from: jurisdiction_id }],
  registrationsAt: (_, jurisdiction_id) => [jurisdiction_id],
  thresholds: (book, { place }) => ({
    types: ['REMOTE_SELLER_NEXUS'],
    jurisdictions: lineage(book, place.jurisdiction_id),
    scopes: ['all'],
    without: 'unknown',
    passed: false,
  }),
  address: { regional: true, postal_code: /^\d{5}(\d{4})?$/ },
  coverage: 'state',
}

function toState(deal: Deal): TaxedSupply {
  return taxed(deal.customer, deal.seller)
}

function taxed(place: Place, seller: Place | null): TaxedSupply {
  return {
    kind: 'taxed',
    place: place.jurisdiction_id,
    registrations: [place.jurisdiction_id],
    established: seller !== null && seller.jurisdiction_id === place.jurisdiction_id,
    basis: 'South Dakota v. Wayfair, 585 U.S. 162 (2018); sales and use tax act of the state',
    detail: 'Sales tax is due in the state where the customer receives the supply',
  }
}
