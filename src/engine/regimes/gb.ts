import { lineage, type RateBook } from '../book/rate-book.ts'
import {
  type Place,
  type Deal,
  type DealKind,
  type FacilitatedSale,
  type RegimeLaw,
  type Supply,
  type Performance,
  type TaxedSupply,
  type ThresholdLaw,
  type ThresholdQuestion,
} from './regime.ts'
import { eu } from './eu.ts'
import { dueAtBorder, SELLER_IMPORTS } from './importer.ts'
import { nationalTax, taxedByShare } from './national-tax.ts'
import { isTaxablePerson } from './taxable-person.ts'

/** One registration counts under both codes: VATA 1994, sch. 1; Windsor Framework, art. 8. */
const REGISTRATIONS = ['GB', 'XI']
const ISSUERS: ReadonlySet<string> = new Set(REGISTRATIONS)

/** VAT of the United Kingdom: Value Added Tax Act 1994. */
export const gb: RegimeLaw = {
  ...nationalTax,
  id: 'UK',
  name: 'United Kingdom',
  // VATA 1994, s. 7AA, 7A(2)(a), sch. 4A para. 14, 14A.
  supply: {
    within,
    from,
    to,
    at,
    destination,
    fetched: 'VATA 1994, s. 7(2)',
    excise_takes_parcel: true,
    performed_for: 'consumers',
    arranged: 'VATA 1994, sch. 4A, para. 10',
  },
  business_ids: { goods: ISSUERS, others: ISSUERS },
  marketplaceAccounts,
  price_parts: {
    funded_discount: { taxed: true, basis: 'VATA 1994, s. 19(2)' },
    trade_in: { taxed: true, basis: 'VATA 1994, s. 19(3)' },
  },
  bundles: taxedByShare('VATA 1994, s. 19(4)'),
  small_business: 'VATA 1994, sch. 1',
  vouchers: { basis: 'VATA 1994, sch. 10B', from: '2019-01-01' },
  // The end of the transition: until then the United Kingdom was in the VAT area of the Union.
  cross_border_from: '2021-01-01',
  // The Channel Islands are outside its VAT: VATA 1994, s. 96(11).
  covers: ({ vat_treatment }) => vat_treatment !== 'outside_uk_vat',
  memberStates: ({ id, in_eu_vat_area }) => ({ goods: in_eu_vat_area === true ? id : null, services: null }),
  registrationsAt: () => REGISTRATIONS,
  thresholds,
  // Goods of Northern Ireland are declared as those of the Union: Windsor Framework, art. 8.
  schemeOf: (line, seller, customer) =>
    line.place_of_supply === 'XI' ? eu.schemeOf(line, seller, customer) : '',
  invoices: {
    standard: ({ vat_state }, kind) => (vat_state === 'XI' && kind === 'goods' ? 'eu' : 'gb'),
    numbers: 'country',
  },
}

function within(deal: Deal): Supply {
  return taxed(
    deal.customer,
    deal.establishment.law === gb,
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
      place: deal.origin.jurisdiction_id,
      basis: 'VATA 1994, s. 30(6)',
      detail: 'Goods that leave the United Kingdom are zero-rated as an export',
    }
  }
  const atHome = deal.kind === 'service' && !deal.intangible
  if (atHome && !deal.taxable_person)
    return taxed(
      deal.origin,
      deal.establishment.law === gb,
      'VATA 1994, s. 7A(2)(b)',
      'A service to a consumer is supplied where the seller is',
      deal.kind,
    )
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: deal.customer.jurisdiction_id,
    basis: 'VATA 1994, s. 7A, sch. 4A para. 15, 16',
    detail: 'The place of supply is outside the United Kingdom',
  }
}

function to(deal: Deal): Supply {
  if (deal.kind === 'goods') return importedGoods(deal)
  if (deal.taxable_person) return reverseCharge(deal.customer, 'VATA 1994, s. 7A(2)(a), 8')
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
    place: deal.origin.jurisdiction_id,
    basis: 'VATA 1994, s. 7A(2)(b)',
    detail: 'A service to a consumer is supplied where the seller is, outside the United Kingdom',
  }
}

function importedGoods(deal: Deal): Supply {
  // Windsor Framework, art. 8: for goods, Northern Ireland is a member state, so the import one-stop shop
  // covers it.
  if (
    deal.customer.vat_state === 'XI' &&
    !isTaxablePerson(eu, deal, 'goods') &&
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
        'A consignment of low value to Northern Ireland is taxed at the sale ' +
        'through the import one-stop shop',
    }
  }
  if (deal.withinConsignmentLimit('UK')) {
    if (deal.taxable_person) return reverseCharge(deal.customer, 'VATA 1994, s. 7AA(3)')
    return taxed(
      deal.customer,
      deal.establishment.law === gb,
      'VATA 1994, s. 7(5A), 7AA',
      'A consignment of low value is taxed at the sale',
      deal.kind,
    )
  }
  if (deal.importer === 'seller') {
    const established = deal.establishment.law === gb
    const supply = taxed(deal.customer, established, 'VATA 1994, s. 7(6)', SELLER_IMPORTS, deal.kind)
    return { ...supply, by_importer: true }
  }
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: deal.customer.jurisdiction_id,
    basis: 'VATA 1994, s. 1(1)(c), 15',
    detail: dueAtBorder('VAT', deal.importer),
    by_importer: true,
  }
}

/**
 * The operator of an online marketplace accounts for parcels of low value, for goods that a seller from
 * abroad has in the United Kingdom, and for electronic services. Goods in Northern Ireland follow the
 * Union's rules.
 */
function marketplaceAccounts(sale: FacilitatedSale): string | null {
  const { kind, place, origin, establishment, customer, lawful } = sale
  if (!lawful) return null
  if (kind === 'digital') return 'Reg. (EU) 282/2011, art. 9a, as retained'
  if (kind !== 'goods') return null
  if (place.jurisdiction_id === 'XI') return establishment?.law === gb ? null : eu.marketplaceAccounts(sale)
  if (isTaxablePerson(gb, customer, kind)) return null
  if (origin !== null && origin.law !== gb)
    return sale.withinConsignmentLimit('UK') ? 'VATA 1994, s. 5A(1)(c)(i), (3)' : null
  return establishment !== null && establishment.law !== gb ? 'VATA 1994, s. 5A' : null
}

function at({ place, establishment, customer }: Performance): Supply {
  const abroad = establishment !== null && establishment.law !== gb
  if (abroad && isTaxablePerson(gb, customer, 'on_site'))
    return reverseCharge(place, 'VATA 1994, s. 8(1), (2)')
  return taxed(
    place,
    establishment?.law === gb,
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
    'The seller is unknown, so the tax of the destination applies',
    'goods',
  )
  return customer.vat_state === 'XI'
    ? { ...supply, registrations: [...REGISTRATIONS, 'oss_union', 'ioss'] }
    : supply
}

/**
 * Goods in Northern Ireland are taxed in XI, everything else in the United Kingdom in GB or the Isle of Man.
 */
function taxed(
  place: Place,
  established: boolean,
  basis: string,
  detail: string,
  kind: DealKind,
): TaxedSupply {
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

/**
 * A seller at home has the threshold of VATA 1994, sch. 1. Goods from a member state to Northern Ireland are
 * distance sales within the Union (Windsor Framework, art. 8), with the threshold of the seller's state. Any
 * other seller from abroad registers from its first sale (VATA 1994, sch. 1A).
 */
function thresholds(book: RateBook, question: ThresholdQuestion): ThresholdLaw {
  const { place, seller, kind, over_eu_threshold } = question
  const jurisdictions = lineage(book, place.jurisdiction_id)
  const shared = { scopes: ['all'], without: 'first_sale', passed: false } as const
  if (seller?.law === gb) return { ...shared, types: ['VAT_REGISTRATION'], jurisdictions }
  const state = place.vat_state === null || kind !== 'goods' ? null : (seller?.vat_state ?? null)
  if (state === null) return { ...shared, types: [], jurisdictions }
  return { ...shared, types: ['DISTANCE_SALES'], jurisdictions: [state], passed: over_eu_threshold }
}
