import type { Jurisdiction } from '../book/facts.ts'
import {
  type Place,
  type Deal,
  type FacilitatedSale,
  type MemberStates,
  type Performance,
  type RegimeLaw,
  type Supply,
  type TaxedSupply,
} from './regime.ts'
import { isLiableForOthers, localReverseCharge, withLiabilityInDoubt } from './eu-liable-customer.ts'
import {
  ISSUERS_FOR_GOODS,
  ISSUERS_FOR_SERVICES,
  MEMBER_STATES,
  REGISTRATIONS_IN,
  smallBusinessIdIn,
} from './eu-member-states.ts'
import { schemeOf } from './eu-one-stop-shops.ts'
import { thresholds } from './eu-thresholds.ts'
import { dueAtBorder, SELLER_IMPORTS } from './importer.ts'
import { nationalTax, taxedByShare } from './national-tax.ts'
import type { Seller } from '../sale/sale.ts'
import { isTaxablePerson } from './taxable-person.ts'

/**
 * VAT of the European Union: Directive 2006/112/EC. Northern Ireland counts as a member state for goods
 * (Windsor Framework).
 */
export const eu: RegimeLaw = {
  ...nationalTax,
  id: 'EU',
  name: 'European Union',
  supply: {
    within,
    from,
    to,
    at,
    destination,
    shared,
    fetched: 'Directive 2006/112/EC, art. 31',
    // Directive 2006/112/EC, art. 369l.
    excise_takes_parcel: true,
    outranks_reverse_charge: true,
    // Directive 2006/112/EC, art. 44, 54.
    performed_for: 'consumers',
    arranged: 'Directive 2006/112/EC, art. 46',
  },
  business_ids: { goods: ISSUERS_FOR_GOODS, others: ISSUERS_FOR_SERVICES },
  marketplaceAccounts,
  price_parts: {
    funded_discount: { taxed: true, basis: 'Directive 2006/112/EC, art. 73; CJEU C-317/94, C-427/98' },
    trade_in: { taxed: true, basis: 'Directive 2006/112/EC, art. 73; CJEU C-230/87' },
  },
  bundles: taxedByShare('Directive 2006/112/EC, art. 1(2); CJEU C-349/96'),
  small_business: 'Directive 2006/112/EC, art. 284',
  smallBusinessFromAbroad,
  vouchers: { basis: 'Directive 2006/112/EC, art. 30b(2)', from: '2019-01-01' },
  // Germany: the container is a part of the supply of the drink.
  depositFollows: ({ state }) => (state === 'DE' ? 'UStAE 3.10 para. 5a, 10.1 para. 8' : null),
  deposits_passed_on: true,
  // Directive (EU) 2017/2455: the one-stop shops for goods and the single threshold.
  cross_border_from: '2021-07-01',
  covers: isInVatArea,
  memberStates,
  thresholds,
  schemeOf,
  invoices: { standard: () => 'eu', numbers: 'country' },
}

/** Since 2025 the scheme is open to small businesses of other member states: Directive (EU) 2020/285. */
function smallBusinessFromAbroad(
  place: Place,
  establishment: Place | null,
  { registrations }: Seller,
  day: string,
): string | null {
  if (day < '2025-01-01' || establishment?.law !== eu) return null
  const held = registrations?.includes(smallBusinessIdIn(place.state)) === true
  return held ? 'Directive 2006/112/EC, art. 284(2), (3)' : null
}

/** Territories such as Réunion and Åland have the VAT of their state, although they are outside its area. */
function memberStates(jurisdiction: Jurisdiction): MemberStates {
  const { id, parent_id, tax_system } = jurisdiction
  const state = parent_id ?? id
  return {
    goods: isInVatArea(jurisdiction) ? state : null,
    services: tax_system === 'VAT' ? state : null,
  }
}

/**
 * The law does not cover territories outside the VAT area of their country: Directive 2006/112/EC, art. 6.
 */
function isInVatArea({ in_eu_vat_area }: Jurisdiction): boolean {
  return in_eu_vat_area === true
}

function within(deal: Deal): Supply {
  const { origin, customer, kind } = deal
  if (origin.state === customer.state) return domestic(deal)
  if (kind === 'goods') return goodsWithin(deal)
  if (isBusiness(deal)) return serviceToBusiness(deal)
  if (wasLive(deal)) return taxedAtOrigin(deal, STREAMED_BEFORE)
  return kind === 'digital'
    ? distanceSupply(deal, 'Directive 2006/112/EC, art. 58')
    : taxedAtOrigin(deal, 'Directive 2006/112/EC, art. 45')
}

/**
 * The establishment that gives the id receives the service. An id of the seller's own state shows an
 * establishment there, so the supply is domestic.
 */
function serviceToBusiness(deal: Deal): Supply {
  if (deal.vat_id?.country === deal.origin.state)
    return taxedAtOrigin(deal, 'Directive 2006/112/EC, art. 44; Reg. (EU) 282/2011, art. 22')
  return reverseCharge(deal.customer, 'Directive 2006/112/EC, art. 44, 196')
}

/**
 * Windsor Framework, art. 8: goods between Northern Ireland and a member state stay in the EU VAT area.
 * Services between a member state and its territory outside that area stay under the law of the state.
 */
function shared(deal: Deal): Supply | null {
  const { kind, origin, customer } = deal
  if (kind === 'goods') return origin.vat_state !== null && customer.vat_state !== null ? within(deal) : null
  const state = origin.service_state
  return state !== null && state === customer.service_state ? withTerritory(deal, state) : null
}

/** Art. 6 takes these territories out for goods; the state's own law decides on services (CGI, art. 294). */
function withTerritory(deal: Deal, state: string): Supply {
  const place = deal.kind === 'service' && !isBusiness(deal) ? deal.origin : deal.customer
  return {
    kind: 'taxed',
    place: place.jurisdiction_id,
    registrations: [state],
    established: true,
    basis: 'Law of the member state on services in its territories; Directive 2006/112/EC, art. 6',
    detail: 'Seller and customer are in one member state and a territory that has its VAT for services',
  }
}

function domestic(deal: Deal): Supply {
  // Art. 45: a service to a consumer is supplied where the seller is; regional rates follow that place.
  const place = deal.kind === 'service' && !isBusiness(deal) ? deal.origin : deal.customer
  const established = isEstablishedIn(deal, deal.customer)
  const there = { kind: deal.kind, product_type: null, customer: deal }
  if (!established && isLiableForOthers(deal.customer, there, deal.holds))
    return localReverseCharge(deal.customer)
  const supply: TaxedSupply = {
    kind: 'taxed',
    place: place.jurisdiction_id,
    registrations: [deal.customer.state],
    established,
    basis: domesticBasis(deal),
    detail: 'Seller and customer are in the same member state',
  }
  return established ? supply : withLiabilityInDoubt(supply, deal.customer, there)
}

/** The article on the place of each kind of supply. */
function domesticBasis(deal: Deal): string {
  if (deal.kind === 'goods') return 'Directive 2006/112/EC, art. 32'
  if (isBusiness(deal)) return 'Directive 2006/112/EC, art. 44'
  return `Directive 2006/112/EC, art. ${deal.kind === 'digital' ? '58' : '45'}`
}

function goodsWithin(deal: Deal): Supply {
  if (isBusiness(deal) && deal.vat_id !== null) {
    if (deal.vat_id.country !== deal.origin.state) {
      return {
        kind: 'untaxed',
        reason: 'intra_community_supply',
        place: deal.origin.jurisdiction_id,
        basis: 'Directive 2006/112/EC, art. 138',
        detail: 'Intra-Community supply of goods to a business with a VAT id of another member state',
      }
    }
    return taxedAtOrigin(deal, 'Directive 2006/112/EC, art. 32, 138(1)(b)')
  }
  return distanceSupply(deal, 'Directive 2006/112/EC, art. 33')
}

/**
 * Consumers pay the seller's VAT up to 10,000 EUR a year over all member states, unless the seller opted for
 * the customer's VAT (art. 59c).
 */
function distanceSupply(deal: Deal, basis: string): Supply {
  const state = deal.customer.state
  const numbers = REGISTRATIONS_IN[state] ?? [state]
  const optedIn = deal.holds('oss_union') || numbers.some(deal.holds)
  // The threshold is for sellers whose goods leave from the one state in which they are established.
  const alone = deal.established_in.every((each) => each === deal.establishment.state)
  const fromHome = alone && isEstablishedIn(deal, deal.origin)
  if (fromHome && !isLive(deal) && !deal.over_eu_threshold && !optedIn)
    return taxedAtOrigin(deal, 'Directive 2006/112/EC, art. 59c')
  return {
    kind: 'taxed',
    place: deal.customer.jurisdiction_id,
    registrations: [...numbers, 'oss_union'],
    established: isEstablishedIn(deal, deal.customer),
    basis,
    detail:
      'Cross-border supply to a consumer is taxed where the customer is, ' +
      'through the one-stop shop or a registration there',
  }
}

function taxedAtOrigin(deal: Deal, basis: string): Supply {
  return {
    kind: 'taxed',
    place: deal.origin.jurisdiction_id,
    registrations: [deal.origin.state],
    established: isEstablishedIn(deal, deal.origin),
    basis,
    detail:
      deal.origin === deal.establishment
        ? 'The supply is taxed where the seller is established'
        : 'The supply is taxed where the goods leave from',
  }
}

function from(deal: Deal): Supply {
  // Outside the Union the customer has no VAT id of it: Reg. (EU) 282/2011, art. 18(3).
  const consumer = !deal.taxable_person
  if (deal.kind === 'goods') {
    return {
      kind: 'untaxed',
      reason: 'export',
      place: deal.origin.jurisdiction_id,
      basis: 'Directive 2006/112/EC, art. 146(1)(a)',
      detail: 'Goods that leave the VAT area of the European Union are exempt as an export',
    }
  }
  const spanish = isInSpanishTerritory(deal)
  if (deal.kind === 'service' && consumer && (spanish || !deal.intangible))
    return taxedAtOrigin(deal, spanish ? 'Ley 37/1992, art. 69' : 'Directive 2006/112/EC, art. 45')
  if (wasLive(deal) && consumer) return taxedAtOrigin(deal, STREAMED_BEFORE)
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    // Services in Northern Ireland follow British law.
    place: deal.customer.vat_state === 'XI' ? 'GB' : deal.customer.jurisdiction_id,
    basis: 'Directive 2006/112/EC, art. 44, 58, 59',
    detail: 'The place of supply is outside the European Union',
  }
}

/**
 * Spain does not use art. 59 of the Directive for consumers in its own territories outside the VAT area, so a
 * service of a Spanish seller to them is Spanish (DGT V0708-15).
 */
function isInSpanishTerritory({ origin, customer }: Deal): boolean {
  return origin.state === 'ES' && customer.jurisdiction_id.startsWith('ES-')
}

function to(deal: Deal): Supply {
  const { customer, kind, origin } = deal
  if (kind === 'goods') return importedGoods(deal)
  if (isBusiness(deal)) return reverseCharge(customer, 'Directive 2006/112/EC, art. 44, 196')
  if (kind === 'digital' && !wasLive(deal)) {
    return {
      kind: 'taxed',
      place: customer.jurisdiction_id,
      registrations: [hasEstablishment(deal) ? 'oss_union' : 'oss_non_union', customer.state],
      established: isEstablishedIn(deal, customer),
      basis: 'Directive 2006/112/EC, art. 58, 358a',
      detail: 'Electronic services to a consumer are taxed where the customer is, from the first sale',
    }
  }
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: origin.jurisdiction_id,
    basis: 'Directive 2006/112/EC, art. 45',
    detail: 'A service to a consumer is supplied where the seller is, outside the European Union',
  }
}

function importedGoods(deal: Deal): Supply {
  if (!isBusiness(deal) && deal.holds('ioss') && deal.withinConsignmentLimit('EU')) {
    return {
      kind: 'taxed',
      place: deal.customer.jurisdiction_id,
      registrations: ['ioss'],
      established: false,
      basis: 'Directive 2006/112/EC, art. 33(c), 369l',
      detail:
        'A consignment of low value from outside the European Union is taxed at the sale ' +
        'through the import one-stop shop',
    }
  }
  if (deal.importer === 'seller') return importedBySeller(deal)
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: deal.customer.jurisdiction_id,
    basis: 'Directive 2006/112/EC, art. 30, 60, 201',
    detail: dueAtBorder('VAT', deal.importer),
    by_importer: true,
  }
}

/** The seller declares the goods to customs, and its sale is one in the state of arrival. */
function importedBySeller(deal: Deal): Supply {
  const supply = domestic(deal)
  if (supply.kind !== 'taxed') return { ...supply, by_importer: true }
  const basis = 'Directive 2006/112/EC, art. 32(2), 201'
  return { ...supply, basis, detail: SELLER_IMPORTS, by_importer: true }
}

function at(performance: Performance): Supply {
  const { place, establishment, customer, product_type, holds } = performance
  const there = { kind: 'on_site', product_type, customer } as const
  const state = place.state
  const inUnion = establishment?.law === eu || hasEstablishment(performance)
  const established = isEstablishedIn(performance, place)
  if (!established && isLiableForOthers(place, there, holds)) return localReverseCharge(place)
  // Services to consumers may be declared through the one-stop shop if the seller is not established in the
  // state (art. 359, 369b).
  const business = isTaxablePerson(eu, customer, 'on_site')
  const registrations = business ? [state] : [state, inUnion ? 'oss_union' : 'oss_non_union']
  const supply: TaxedSupply = {
    kind: 'taxed',
    place: place.jurisdiction_id,
    registrations,
    established,
    basis: 'Directive 2006/112/EC, art. 47, 48, 53, 54, 55',
    detail: 'The supply is taxed where it takes place',
  }
  return established ? supply : withLiabilityInDoubt(supply, place, there)
}

/**
 * A platform is the supplier of electronic services that it arranges. For goods it is the supplier if they
 * are imported in a consignment of up to 150 EUR, or if the seller is established outside the Union.
 */
function marketplaceAccounts(sale: FacilitatedSale): string | null {
  const { kind, origin, establishment, customer, day, lawful } = sale
  if (kind === 'digital') return day >= '2015-01-01' ? 'Reg. (EU) 282/2011, art. 9a' : null
  if (!lawful || kind !== 'goods' || isTaxablePerson(eu, customer, kind)) return null
  if (origin !== null && origin.vat_state === null)
    return sale.withinConsignmentLimit('EU') ? 'Directive 2006/112/EC, art. 14a(1)' : null
  const outside = establishment !== null && establishment.vat_state === null
  return outside ? 'Directive 2006/112/EC, art. 14a(2)' : null
}

function destination(customer: Place): Supply {
  return {
    kind: 'taxed',
    place: customer.jurisdiction_id,
    registrations: [customer.state, 'oss_union', 'oss_non_union', 'ioss'],
    established: false,
    basis: 'Directive 2006/112/EC, art. 33, 58',
    detail: 'The seller is unknown, so the tax of the destination applies',
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

/** A stream of an event as it takes place is supplied where the consumer is: art. 54(1), since 2025. */
function isLive({ live, kind, day }: Deal): boolean {
  return live && kind === 'digital' && day >= '2025-01-01'
}

/** Before that, it was supplied to consumers where the activity took place: CJEU C-568/17, Geelen. */
function wasLive({ live, kind, day }: Deal): boolean {
  return live && kind === 'digital' && day < '2025-01-01'
}

const STREAMED_BEFORE = 'Directive 2006/112/EC, art. 54(1); CJEU C-568/17'

function isEstablishedIn({ established_in }: Pick<Deal, 'established_in'>, { state }: Place): boolean {
  return established_in.includes(state)
}

/** Whether the seller has a fixed establishment in the Union, wherever it is itself. */
function hasEstablishment({ established_in }: Pick<Deal, 'established_in'>): boolean {
  return established_in.some((state) => MEMBER_STATES.includes(state))
}

function isBusiness(deal: Deal): boolean {
  return deal.customer.law === eu ? deal.taxable_person : isTaxablePerson(eu, deal, deal.kind)
}
