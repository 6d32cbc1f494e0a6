import type { Place } from '../place.ts'
import { type Deal, isEstablishedIn, type RegimeLaw, type Supply } from './regime.ts'

/** VAT of the United Kingdom: Value Added Tax Act 1994. */
export const gb: RegimeLaw = { within, from, to, at, destination }

const REGISTRATIONS = ['GB', 'XI']

function within(deal: Deal): Supply {
  return taxed(
    deal.customer,
    true,
    'VATA 1994, s. 4, 7, 7A',
    'Seller and customer are in the United Kingdom',
    deal.kind,
  )
}

function from(deal: Deal): Supply {
  if (deal.kind === 'goods') {
    return {
      kind: 'untaxed',
      reason: 'export',
      place: deal.seller.jurisdiction_id,
      basis: 'VATA 1994, s. 30(6)',
      detail: 'Goods that leave the United Kingdom are zero-rated as an export',
    }
  }
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: deal.customer.jurisdiction_id,
    basis: 'VATA 1994, s. 7A, sch. 4A para. 15, 16',
    detail: 'The place of supply lies outside the United Kingdom',
  }
}

function to(deal: Deal): Supply {
  if (deal.kind === 'goods') return importedGoods(deal)
  if (deal.business) return reverseCharge(deal.customer, 'VATA 1994, s. 7A(2)(a), 8')
  if (deal.kind === 'digital') {
    return taxed(
      deal.customer,
      false,
      'VATA 1994, sch. 4A para. 15',
      'Electronic services to a consumer are taxed from the first sale',
      deal.kind,
    )
  }
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: deal.seller.jurisdiction_id,
    basis: 'VATA 1994, s. 7A(2)(b)',
    detail: 'A service to a consumer is supplied where the seller is, outside the United Kingdom',
  }
}

function importedGoods(deal: Deal): Supply {
  // Windsor Framework, art. 8: for goods Northern Ireland is a member state, which the import one-stop shop
  // covers.
  if (
    deal.customer.vat_state === 'XI' &&
    !deal.business &&
    deal.holds('ioss') &&
    deal.withinConsignmentLimit('EU')
  ) {
    return {
      kind: 'taxed',
      place: deal.customer.jurisdiction_id,
      registrations: ['ioss'],
      established: false,
      basis: 'Windsor Framework, art. 8; Directive 2006/112/EC, art. 33(c), 369l',
      detail:
        'A consignment of low value to Northern Ireland is taxed at the sale through the import one-stop shop',
    }
  }
  if (deal.withinConsignmentLimit('UK')) {
    if (!deal.business) {
      return taxed(
        deal.customer,
        false,
        'VATA 1994, s. 7(5A), 7AA',
        'A consignment of low value is taxed at the sale',
        deal.kind,
      )
    }
    if (deal.vat_id?.good) return reverseCharge(deal.customer, 'VATA 1994, s. 7AA(3)')
  }
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: deal.customer.jurisdiction_id,
    basis: 'VATA 1994, s. 1(1)(c), 15',
    detail: 'The goods are imported: VAT is due at the border, not charged by the seller',
  }
}

function at(place: Place, seller: Place | null): Supply {
  return taxed(
    place,
    isEstablishedIn(seller, 'GB'),
    'VATA 1994, sch. 4A',
    'The supply is taxed where it takes place',
    'service',
  )
}

function destination(customer: Place): Supply {
  const supply = taxed(
    customer,
    false,
    'VATA 1994, s. 4',
    'The seller is not known, so the tax of the destination applies',
    'goods',
  )
  return customer.vat_state === 'XI'
    ? { ...supply, registrations: [...REGISTRATIONS, 'oss_union', 'ioss'] }
    : supply
}

/**
 * Goods in Northern Ireland stand under XI, everything else in the United Kingdom under GB or the Isle of
 * Man.
 */
function taxed(
  place: Place,
  established: boolean,
  basis: string,
  detail: string,
  kind: Deal['kind'],
): Supply & { kind: 'taxed' } {
  const jurisdiction = place.jurisdiction_id === 'XI' && kind !== 'goods' ? 'GB' : place.jurisdiction_id
  return { kind: 'taxed', place: jurisdiction, registrations: REGISTRATIONS, established, basis, detail }
}

function reverseCharge(customer: Place, basis: string): Supply {
  const place = customer.jurisdiction_id === 'XI' ? 'GB' : customer.jurisdiction_id
  return {
    kind: 'reverse_charge',
    place,
    basis,
    detail: 'The customer is a business and accounts for the VAT itself',
  }
}
