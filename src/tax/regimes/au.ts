import { lineage } from '../book/rate-book.ts'
import type { Place } from './regime.ts'
import { nationalTax, nationalTaxesSince } from './national-tax.ts'
import {
  type Deal,
  type FacilitatedSale,
  isEstablishedUnder,
  type Performance,
  type RegimeLaw,
  type Supply,
  type UntaxedSupply,
} from './regime.ts'
import { isTaxablePerson } from './taxable-person.ts'

const ISSUERS: ReadonlySet<string> = new Set(['AU'])

/** Goods and services tax of Australia: A New Tax System (Goods and Services Tax) Act 1999. */
export const au: RegimeLaw = {
  ...nationalTax,
  id: 'AU',
  name: 'Australia',
  supply: { within, from, to, at, destination },
  taxes: nationalTaxesSince('2018-06-21'),
  idsOfBusinesses: () => ISSUERS,
  marketplaceAccounts,
  small_business: 'GST Act 1999, s. 23-15',
  // GST Act 1999, s. 23-5, 23-15, div. 188: one turnover for sellers at home and abroad.
  thresholds: (book, { place }) => ({
    types: ['GST_REGISTRATION'],
    jurisdictions: lineage(book, place.jurisdiction_id),
    scopes: ['all'],
    without: 'unknown',
    passed: false,
  }),
}

function within(deal: Deal): Supply {
  return taxed(
    deal.customer,
    isEstablishedUnder(au, deal.establishment),
    'GST Act 1999, s. 9-5, 9-25',
    'Seller and customer are in Australia',
  )
}

function from(deal: Deal): UntaxedSupply {
  return {
    kind: 'untaxed',
    reason: 'export',
    place: deal.origin.jurisdiction_id,
    basis: deal.kind === 'goods' ? 'GST Act 1999, s. 38-185' : 'GST Act 1999, s. 38-190',
    detail: 'A supply to a customer outside Australia is GST-free as an export',
  }
}

function to(deal: Deal): Supply {
  const hasAbn = isTaxablePerson(au, deal, deal.kind)
  if (deal.kind !== 'goods') {
    if (hasAbn) {
      return {
        kind: 'reverse_charge',
        place: deal.customer.jurisdiction_id,
        basis: 'GST Act 1999, s. 9-25(7), div. 84',
        detail: 'The customer is a business with an ABN and accounts for the GST itself',
      }
    }
    return taxed(
      deal.customer,
      false,
      'GST Act 1999, s. 9-25(5)(d), 84-65',
      'Services and digital products to consumers in Australia are taxed',
    )
  }
  if (!hasAbn && deal.withinConsignmentLimit('AU')) {
    return taxed(
      deal.customer,
      isEstablishedUnder(au, deal.establishment),
      'GST Act 1999, subdiv. 84-C',
      'Goods of low value are taxed at the sale',
    )
  }
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: deal.customer.jurisdiction_id,
    basis: 'GST Act 1999, div. 13',
    detail: 'The goods are imported: GST is due at the border, not charged by the seller',
  }
}

/** The operator of an electronic distribution platform accounts for what sellers abroad sell to consumers. */
function marketplaceAccounts(sale: FacilitatedSale): string | null {
  const { kind, origin, establishment, customer, lawful } = sale
  if (!lawful || isEstablishedUnder(au, establishment) || isTaxablePerson(au, customer, kind)) return null
  if (kind === 'digital') return 'GST Act 1999, s. 84-55'
  const imported = kind === 'goods' && origin !== null && origin.law !== au
  return imported && sale.withinConsignmentLimit('AU') ? 'GST Act 1999, s. 84-81' : null
}

function at({ place, establishment }: Performance): Supply {
  return taxed(
    place,
    isEstablishedUnder(au, establishment),
    'GST Act 1999, s. 9-25',
    'The supply is taxed where it takes place',
  )
}

function destination(customer: Place): Supply {
  return taxed(
    customer,
    false,
    'GST Act 1999, s. 9-5',
    'The seller is not known, so the tax of the destination applies',
  )
}

function taxed(place: Place, established: boolean, basis: string, detail: string): Supply {
  return { kind: 'taxed', place: place.jurisdiction_id, registrations: ['AU'], established, basis, detail }
}
