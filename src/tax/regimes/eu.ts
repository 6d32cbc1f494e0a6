import type { Place } from '../place.ts'
import type { Deal, RegimeLaw, Supply } from './regime.ts'

/**
 * VAT of the European Union: Directive 2006/112/EC. Northern Ireland counts as a member state for goods
 * (Windsor Framework).
 */
export const eu: RegimeLaw = { within, from, to, at, destination }

function within(deal: Deal): Supply {
  const { seller, customer, kind } = deal
  if (stateOf(seller) === stateOf(customer)) return domestic(deal)
  if (kind === 'goods') return goodsWithin(deal)
  if (hasGoodEuId(deal)) return reverseCharge(customer, 'Directive 2006/112/EC, art. 44, 196')
  return kind === 'digital'
    ? distanceSupply(deal, 'Directive 2006/112/EC, art. 58')
    : taxedAtSeller(deal, 'Directive 2006/112/EC, art. 45')
}

function domestic(deal: Deal): Supply {
  // Art. 45: a service to a consumer is supplied where the seller is; regional rates follow that place.
  const place = deal.kind === 'service' && !deal.business ? deal.seller : deal.customer
  return {
    kind: 'taxed',
    place: place.jurisdiction_id,
    registrations: [stateOf(deal.customer)],
    established: true,
    basis: 'Directive 2006/112/EC, art. 32, 44, 45',
    detail: 'Seller and customer are in the same member state',
  }
}

function goodsWithin(deal: Deal): Supply {
  if (hasGoodEuId(deal) && deal.vat_id !== null) {
    if (deal.vat_id.country !== stateOf(deal.seller)) {
      return {
        kind: 'untaxed',
        reason: 'intra_community_supply',
        place: deal.seller.jurisdiction_id,
        basis: 'Directive 2006/112/EC, art. 138',
        detail: 'Intra-Community supply of goods to a business with a VAT id of another member state',
      }
    }
    return taxedAtSeller(deal, 'Directive 2006/112/EC, art. 32, 138(1)(b)')
  }
  return distanceSupply(deal, 'Directive 2006/112/EC, art. 33')
}

/**
 * Consumers: the seller's VAT up to 10,000 EUR a year over all member states, unless it opted for the
 * customer's (art. 59c).
 */
function distanceSupply(deal: Deal, basis: string): Supply {
  const state = stateOf(deal.customer)
  const optedIn = deal.holds('oss_union') || deal.holds(state)
  if (!deal.over_eu_threshold && !optedIn) return taxedAtSeller(deal, 'Directive 2006/112/EC, art. 59c')
  return {
    kind: 'taxed',
    place: deal.customer.jurisdiction_id,
    registrations: [state, 'oss_union'],
    established: false,
    basis,
    detail:
      'Cross-border supply to a consumer is taxed where the customer is, through the one-stop shop or a registration there',
  }
}

function taxedAtSeller(deal: Deal, basis: string): Supply {
  return {
    kind: 'taxed',
    place: deal.seller.jurisdiction_id,
    registrations: [stateOf(deal.seller)],
    established: true,
    basis,
    detail: 'The supply is taxed where the seller is established',
  }
}

function from(deal: Deal): Supply {
  if (deal.kind === 'goods') {
    return {
      kind: 'untaxed',
      reason: 'export',
      place: deal.seller.jurisdiction_id,
      basis: 'Directive 2006/112/EC, art. 146(1)(a)',
      detail: 'Goods that leave the VAT area of the European Union are exempt as an export',
    }
  }
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    // Services in Northern Ireland stand under GB.
    place: deal.customer.vat_state === 'XI' ? 'GB' : deal.customer.jurisdiction_id,
    basis: 'Directive 2006/112/EC, art. 44, 58, 59',
    detail: 'The place of supply lies outside the European Union',
  }
}

function to(deal: Deal): Supply {
  const { customer, kind, seller } = deal
  if (kind === 'goods') return importedGoods(deal)
  if (deal.business) return reverseCharge(customer, 'Directive 2006/112/EC, art. 44, 196')
  if (kind === 'digital') {
    return {
      kind: 'taxed',
      place: customer.jurisdiction_id,
      registrations: ['oss_non_union', stateOf(customer)],
      established: false,
      basis: 'Directive 2006/112/EC, art. 58, 358a',
      detail: 'Electronic services to a consumer are taxed where the customer is, from the first sale',
    }
  }
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: seller.jurisdiction_id,
    basis: 'Directive 2006/112/EC, art. 45',
    detail: 'A service to a consumer is supplied where the seller is, outside the European Union',
  }
}

function importedGoods(deal: Deal): Supply {
  if (!deal.business && deal.holds('ioss') && deal.withinConsignmentLimit('EU')) {
    return {
      kind: 'taxed',
      place: deal.customer.jurisdiction_id,
      registrations: ['ioss'],
      established: false,
      basis: 'Directive 2006/112/EC, art. 33(c), 369l',
      detail:
        'A consignment of low value from outside the European Union is taxed at the sale through the import one-stop shop',
    }
  }
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: deal.customer.jurisdiction_id,
    basis: 'Directive 2006/112/EC, art. 30, 60, 201',
    detail: 'The goods are imported: VAT is due at the border, not charged by the seller',
  }
}

function at(place: Place, seller: Place | null, business: boolean): Supply {
  const state = stateOf(place)
  const established = seller !== null && seller.regime === 'EU' && stateOf(seller) === state
  const inUnion = seller !== null && seller.regime === 'EU'
  // Services to consumers may be declared through the one-stop shop wherever the seller is not established
  // (art. 359, 369b).
  const registrations = business ? [state] : [state, inUnion ? 'oss_union' : 'oss_non_union']
  return {
    kind: 'taxed',
    place: place.jurisdiction_id,
    registrations,
    established,
    basis: 'Directive 2006/112/EC, art. 47, 48, 53, 54, 55',
    detail: 'The supply is taxed where it takes place',
  }
}

function destination(customer: Place): Supply {
  return {
    kind: 'taxed',
    place: customer.jurisdiction_id,
    registrations: [stateOf(customer), 'oss_union', 'oss_non_union', 'ioss'],
    established: false,
    basis: 'Directive 2006/112/EC, art. 33, 58',
    detail: 'The seller is not known, so the tax of the destination applies',
  }
}

function reverseCharge(customer: Place, basis: string): Supply {
  return {
    kind: 'reverse_charge',
    place: customer.jurisdiction_id,
    basis,
    detail: 'The customer is a business and accounts for the VAT itself',
  }
}

/** A good VAT id of a member state. `XI` ids are good for goods alone. */
function hasGoodEuId(deal: Deal): boolean {
  return (
    deal.vat_id !== null &&
    deal.vat_id.good &&
    EU_VAT_STATES.has(deal.vat_id.country) &&
    (deal.kind === 'goods' || deal.vat_id.country !== 'XI')
  )
}

function stateOf(place: Place): string {
  return place.vat_state ?? place.jurisdiction_id
}

// Directive 2006/112/EC, art. 5(2): the member states that issue VAT identification numbers; XI by the
// Windsor Framework.
const EU_VAT_STATES = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE XI'.split(' '),
)
