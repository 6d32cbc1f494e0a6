import type { Jurisdiction } from '../book/facts.ts'
import { supplyKind } from '../book/product-types.ts'
import { lineage, type RateBook } from '../book/rate-book.ts'
import type { Place } from '../place.ts'
import type { Customer, Seller } from '../sale.ts'
import { nationalTax } from './national-tax.ts'
import {
  type Deal,
  type DeclaredLine,
  type FacilitatedSale,
  isEstablishedUnder,
  type LineScheme,
  type Performance,
  type RegimeLaw,
  type Supply,
  type TaxedKind,
  type ThresholdLaw,
  type ThresholdQuestion,
  type TaxedSupply,
  type UntaxedSupply,
} from './regime.ts'
import { type CustomerStatus, hasGoodIdOf, isTaxablePerson } from './taxable-person.ts'

/**
 * VAT of the European Union: Directive 2006/112/EC. Northern Ireland counts as a member state for goods
 * (Windsor Framework).
 */
export const eu: RegimeLaw = {
  ...nationalTax,
  id: 'EU',
  name: 'European Union',
  supply: { within, from, to, at, destination, shared, outranks_reverse_charge: true },
  idsOfBusinesses: (kind) => (kind === 'goods' ? ISSUERS_FOR_GOODS : ISSUERS_FOR_SERVICES),
  marketplaceAccounts,
  small_business: 'Directive 2006/112/EC, art. 284',
  // Directive (EU) 2017/2455: the one-stop shops for goods and the single threshold.
  cross_border_from: '2021-07-01',
  covers: isInVatArea,
  vatState: (jurisdiction) =>
    isInVatArea(jurisdiction) ? (jurisdiction.parent_id ?? jurisdiction.id) : null,
  serviceState,
  thresholds,
  schemes: ['oss_union', 'oss_non_union', 'ioss'],
  schemeOf,
}

/** Territories such as Réunion and Åland have the VAT of their state, although they are outside its area. */
function serviceState({ id, parent_id, tax_system }: Jurisdiction): string | null {
  return tax_system === 'VAT' ? (parent_id ?? id) : null
}

/**
 * The law does not cover territories outside the VAT area of their country: Directive 2006/112/EC, art. 6.
 */
function isInVatArea({ in_eu_vat_area }: Jurisdiction): boolean {
  return in_eu_vat_area === true
}

function within(deal: Deal): Supply {
  const { origin, customer, kind } = deal
  if (stateOf(origin) === stateOf(customer)) return domestic(deal)
  if (kind === 'goods') return goodsWithin(deal)
  if (isBusiness(deal)) return serviceToBusiness(deal)
  return kind === 'digital'
    ? distanceSupply(deal, 'Directive 2006/112/EC, art. 58')
    : taxedAtOrigin(deal, 'Directive 2006/112/EC, art. 45')
}

/**
 * The establishment that gives the id receives the service. An id of the seller's own state shows an
 * establishment there, so the supply is domestic.
 */
function serviceToBusiness(deal: Deal): Supply {
  if (deal.vat_id?.country === stateOf(deal.origin))
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
  const established = isEstablishedIn(deal.establishment, deal.customer)
  if (!established && isLiableForOthers(deal.customer, deal, deal.kind, deal.holds))
    return localReverseCharge(deal.customer)
  const supply: TaxedSupply = {
    kind: 'taxed',
    place: place.jurisdiction_id,
    registrations: [stateOf(deal.customer)],
    established,
    basis: 'Directive 2006/112/EC, art. 32, 44, 45',
    detail: 'Seller and customer are in the same member state',
  }
  return established ? supply : withLiabilityInDoubt(supply, deal.customer, deal)
}

function goodsWithin(deal: Deal): Supply {
  if (isBusiness(deal) && deal.vat_id !== null) {
    if (deal.vat_id.country !== stateOf(deal.origin)) {
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
  const state = stateOf(deal.customer)
  const optedIn = deal.holds('oss_union') || registrationsIn(state).some(deal.holds)
  // The threshold is for sellers whose goods leave from the one state in which they are established.
  const fromHome = isEstablishedIn(deal.establishment, deal.origin)
  if (fromHome && !isLive(deal) && !deal.over_eu_threshold && !optedIn)
    return taxedAtOrigin(deal, 'Directive 2006/112/EC, art. 59c')
  return {
    kind: 'taxed',
    place: deal.customer.jurisdiction_id,
    registrations: [...registrationsIn(state), 'oss_union'],
    established: false,
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
    registrations: [stateOf(deal.origin)],
    established: isEstablishedIn(deal.establishment, deal.origin),
    basis,
    detail:
      deal.origin === deal.establishment
        ? 'The supply is taxed where the seller is established'
        : 'The supply is taxed where the goods leave from',
  }
}

function from(deal: Deal): UntaxedSupply {
  if (deal.kind === 'goods') {
    return {
      kind: 'untaxed',
      reason: 'export',
      place: deal.origin.jurisdiction_id,
      basis: 'Directive 2006/112/EC, art. 146(1)(a)',
      detail: 'Goods that leave the VAT area of the European Union are exempt as an export',
    }
  }
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    // Services in Northern Ireland follow British law.
    place: deal.customer.vat_state === 'XI' ? 'GB' : deal.customer.jurisdiction_id,
    basis: 'Directive 2006/112/EC, art. 44, 58, 59',
    detail: 'The place of supply is outside the European Union',
  }
}

function to(deal: Deal): Supply {
  const { customer, kind, origin } = deal
  if (kind === 'goods') return importedGoods(deal)
  if (isBusiness(deal)) return reverseCharge(customer, 'Directive 2006/112/EC, art. 44, 196')
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
  return {
    kind: 'untaxed',
    reason: 'not_subject_to_tax',
    place: deal.customer.jurisdiction_id,
    basis: 'Directive 2006/112/EC, art. 30, 60, 201',
    detail: 'The goods are imported: VAT is due at the border, not charged by the seller',
  }
}

function at({ place, establishment, customer, holds }: Performance): Supply {
  const state = stateOf(place)
  const inUnion = isEstablishedUnder(eu, establishment)
  const established = establishment !== null && isEstablishedIn(establishment, place)
  if (!established && isLiableForOthers(place, customer, 'on_site', holds)) return localReverseCharge(place)
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
  return established ? supply : withLiabilityInDoubt(supply, place, customer)
}

/**
 * A platform is the supplier of electronic services that it arranges. For goods it is the supplier if they
 * are imported in a consignment of up to 150 EUR, or if the seller is established outside the Union.
 */
export function marketplaceAccounts(sale: FacilitatedSale): string | null {
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

/** A stream of an event as it takes place is supplied where the consumer is: art. 54(1), since 2025. */
function isLive({ live, kind, day }: Deal): boolean {
  return live && kind === 'digital' && day >= '2025-01-01'
}

/** The supply is local, but the state makes its business customer liable: art. 194. */
function localReverseCharge(place: Place): Supply {
  return {
    kind: 'reverse_charge',
    place: place.jurisdiction_id,
    basis: 'Directive 2006/112/EC, art. 194; law of the member state',
    detail:
      'The seller is not established in the member state, so the business customer accounts for the VAT',
  }
}

/** Whether a state makes a business with its own id liable for a supply of a seller from elsewhere. */
function isLiableForOthers(
  place: Place,
  customer: CustomerStatus,
  kind: TaxedKind,
  holds: Deal['holds'],
): boolean {
  if (place.unless_registered && holds(stateOf(place))) return false
  return place.reverse_charged.includes(kind) && hasGoodIdOf(new Set([stateOf(place)]), customer.vat_id)
}

/** The supply, with a doubt if it depends on a law of the state under art. 194 that is not on file. */
function withLiabilityInDoubt(supply: TaxedSupply, place: Place, { vat_id }: CustomerStatus): Supply {
  const state = stateOf(place)
  if (place.reverse_charged.length > 0 || !hasGoodIdOf(new Set([state]), vat_id)) return supply
  const doubt =
    `Whether ${state} makes business customers of sellers from elsewhere liable ` +
    'is not on file (art. 194)'
  return { ...supply, doubt }
}

function isEstablishedIn(establishment: Place, place: Place): boolean {
  return stateOf(establishment) === stateOf(place)
}

function isBusiness(deal: Deal): boolean {
  return isTaxablePerson(eu, deal, deal.kind)
}

function stateOf(place: Place): string {
  return place.vat_state ?? place.jurisdiction_id
}

/** The United Kingdom has one registration, with the code GB or, for goods in Northern Ireland, XI. */
function registrationsIn(state: string): readonly string[] {
  return state === 'XI' ? ['XI', 'GB'] : [state]
}

// Directive 2006/112/EC, art. 5(2): the member states that issue VAT ids. The Windsor Framework adds XI, for
// goods alone.
export const MEMBER_STATES: readonly string[] =
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' ')
const ISSUERS_FOR_SERVICES: ReadonlySet<string> = new Set(MEMBER_STATES)
const ISSUERS_FOR_GOODS: ReadonlySet<string> = new Set([...MEMBER_STATES, 'XI'])

/**
 * A seller at home has the threshold for small enterprises (Directive 2006/112/EC, art. 284). A seller in
 * another member state has the 10,000 EUR of art. 59c(1) for goods and electronic services. A seller from
 * outside the Union registers from its first sale.
 */
function thresholds(book: RateBook, question: ThresholdQuestion): ThresholdLaw {
  const { place, seller, origin, kind, over_eu_threshold } = question
  const jurisdictions = lineage(book, place.jurisdiction_id)
  const shared = { jurisdictions, without: 'first_sale', passed: false } as const
  if (seller !== null && stateOf(seller) === stateOf(place))
    return { ...shared, types: ['VAT_REGISTRATION'], scopes: domesticScopes(kind) }
  // Goods from stock in another state than the seller's own have no threshold.
  const fromHome = origin === null || seller === null || stateOf(origin) === stateOf(seller)
  if (!fromHome || !sellsWithinUnion(seller, kind)) return { ...shared, types: [], scopes: [] }
  return { ...shared, types: ['DISTANCE_SALES'], scopes: ['all'], passed: over_eu_threshold }
}

function domesticScopes(kind: TaxedKind): readonly string[] {
  return kind === 'goods' ? ['goods', 'goods_and_lodging', 'all'] : ['services', 'all']
}

/**
 * Directive 2006/112/EC, art. 59c(1): goods and electronic services of a seller in one member state; goods of
 * a seller in Northern Ireland.
 */
function sellsWithinUnion(seller: Place | null, kind: TaxedKind): boolean {
  if (seller === null || seller.vat_state === null) return false
  return kind === 'goods' || (kind === 'digital' && seller.law === eu)
}

/**
 * The one-stop shop through which the tax of a line is declared (Directive 2006/112/EC, art. 358a, 369a,
 * 369l). '' is the seller's own registration: it is established or registered in the state of consumption. An
 * unknown seller counts as one in the Union.
 */
function schemeOf(book: RateBook, line: DeclaredLine, seller: Seller, customer: Customer): LineScheme {
  const state = line.place_of_supply.slice(0, 2)
  const registrations = seller.registrations ?? []
  const country = seller.address?.country ?? null
  if (!line.bears_tax) return ''
  if (country === state) return isBelowThreshold(book, line, country, customer) ? 'below_eu_threshold' : ''
  if (registrations.includes(state)) return ''
  if (country === null || isInUnion(book, country)) return 'oss_union'
  if (!isGoods(line.product_type)) return 'oss_non_union'
  return registrations.includes('ioss') ? 'ioss' : ''
}

/** Art. 59c: taxed at the seller, although the consumer of the goods or electronic services is elsewhere. */
function isBelowThreshold(
  book: RateBook,
  { product_type }: DeclaredLine,
  country: string,
  customer: Customer,
): boolean {
  const elsewhere = customer.address.country !== country && isInUnion(book, customer.address.country)
  const counts = isGoods(product_type) || supplyKind(product_type) === 'digital'
  return elsewhere && customer.vat_id === null && counts
}

function isGoods(product_type: string): boolean {
  const kind = supplyKind(product_type)
  return kind === 'goods' || kind === 'shipping'
}

function isInUnion(book: RateBook, country: string): boolean {
  return country === 'XI' || book.jurisdictions.get(country)?.region === 'EU'
}
