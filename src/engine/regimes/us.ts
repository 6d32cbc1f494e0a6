import type { TaxLayer } from '../book/layer.ts'
import { broaderType, isWithin, widestType } from '../book/product-types.ts'
import { lineage, type RateBook } from '../book/rate-book.ts'
import type {
  Place,
  Deal,
  FacilitatedSale,
  LocalQuestion,
  RegimeLaw,
  TaxedSupply,
  ThresholdLaw,
  ThresholdQuestion,
} from './regime.ts'
import { nationalTax } from './national-tax.ts'
import type { Address, OwnedAddress } from '../sale/sale.ts'
import type { LocalBook, RemoteSellerRate } from './us-local/local-book.ts'
import type { LocalAddress, LocalTax, LocalTaxes } from './us-local/local-stack.ts'
import { localTaxesAt } from './us-local/local-tax-at.ts'
import { exemptOfRemote, taxAtRate } from './us-local/remote-seller-rate.ts'
import { usMilitaryMail } from './us-military-mail.ts'
import type { SchemeId } from '../ground/schemes.ts'

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
    at: ({ place, establishment }) => taxed(place, establishment),
    destination: (place) => taxed(place, null),
    fetched: 'SSUTA 310 A(1); sales and use tax act of the state',
    performed_for: 'all',
  },
  taxes,
  shown_prices: 'exclusive',
  marketplaceAccounts,
  isMarketplaceLawOnFile,
  // A gift card is a means of payment: the states tax the sale that it pays for.
  vouchers: {
    basis: 'Sales tax act of the state',
    from: null,
    postage: 'Sales tax act of the state (New York: TB-ST-838)',
  },
  registrationsAt: (_, jurisdiction_id) => registrationsIn(jurisdiction_id),
  thresholds,
  address: { regional: true, postal_code: /^\d{5}(\d{4})?$/, apart: usMilitaryMail },
  localTaxes,
  placesMayTax,
}

// Rules were checked from the day of South Dakota v. Wayfair.
const CHECKED_FROM = '2018-06-21'

/** Each state decides for which kinds of product its act makes the marketplace liable. */
function marketplaceAccounts(sale: FacilitatedSale): string | null {
  const { marketplace_scope: scope } = sale.place
  const from = scope?.covers.get(kindInAct(sale))
  return from === undefined || from > sale.day ? null : (scope?.statute ?? 'Marketplace facilitator act')
}

function isMarketplaceLawOnFile(sale: FacilitatedSale): boolean {
  const { marketplace_scope: scope } = sale.place
  const kind = kindInAct(sale)
  return scope !== null && (scope.covers.has(kind) || scope.leaves.includes(kind))
}

/** The kind of product as the data on the acts names it. No act is on file for other supplies on the spot. */
function kindInAct({ kind, product_type }: FacilitatedSale): string {
  if (kind !== 'on_site') return kind === 'service' ? 'services' : kind
  return widestType(product_type)
}

/** Taxes that some states levy on top of their sales tax. */
const ON_TOP = ['LODGING_TAX', 'MEALS_TAX', 'COMMUNICATIONS_TAX'] as const

function taxes(book: RateBook, jurisdiction_id: string): TaxLayer[] {
  const place = { jurisdiction_id, rules_from: jurisdiction_id, checked_from: CHECKED_FROM }
  const rules = [...(book.product_rules.get(jurisdiction_id)?.values() ?? [])].flat()
  const levied = ON_TOP.filter((tax_type) => rules.some((rule) => rule.tax_type === tax_type))
  return [
    { tax_type: 'SALES_TAX', ...place },
    ...levied.map((tax_type) => ({ tax_type, ...place, on_top: true as const })),
  ]
}

/**
 * Food rates of a file, and rates of the state that contain the local ones, are in the answer. Of food it is
 * on file whether places tax what the state exempts.
 */
function placesMayTax(
  book: LocalBook | null,
  jurisdiction_id: string,
  { product_type, freed }: { product_type: string; freed: boolean },
  local: LocalTax | null,
): boolean {
  const law = book?.state(jurisdiction_id.slice(3))?.law
  if (law === undefined) return false
  const base = local?.base.product ?? 'state'
  if (base === 'included' || (base === 'own' && law.groceries === 'by_file')) return false
  const food = law.groceries !== undefined && isWithin(product_type, 'groceries')
  if (freed && !food && law.coverage === 'local') return true
  if (law.places_may_tax === undefined) return false
  const broader = broaderType(product_type)
  return law.places_may_tax.includes(product_type) || law.places_may_tax.includes(broader?.id ?? '')
}

/**
 * An office, staff or stock in the state, or a supply on the spot, is physical nexus: no threshold. Without
 * it, no seller had a duty before the first threshold of the state (South Dakota v. Wayfair, 585 U.S. 162).
 */
function thresholds(book: RateBook, { place, origin, kind, present_in }: ThresholdQuestion): ThresholdLaw {
  const stocked = origin !== null && origin.jurisdiction_id === place.jurisdiction_id
  const present = stocked || kind === 'on_site' || present_in?.includes(place.jurisdiction_id) === true
  return {
    types: present ? [] : ['REMOTE_SELLER_NEXUS'],
    jurisdictions: lineage(book, place.jurisdiction_id),
    scopes: ['all'],
    without: present ? 'first_sale' : 'not_yet',
    passed: false,
  }
}

/**
 * The local taxes of a supply. A seller of the state is taxed at its own place if the state says so; a seller
 * from elsewhere at the buyer's, or not at all.
 */
function localTaxes(local: LocalBook, question: LocalQuestion): LocalTaxes {
  const { jurisdiction_id, kind, destination, origin } = question
  const state = jurisdiction_id.slice(3)
  const { remote_sellers_exempt, remote_seller_rate: chosen } = local.state(state)?.law ?? {}
  if (remote_sellers_exempt === true && !question.present) return exemptOfRemote(question.state_name)
  const holds = chosen !== undefined && question.registrations?.includes(chosen.scheme) === true
  if (chosen !== undefined && holds && isOpenTo(chosen, question))
    return { of: () => taxAtRate(state, chosen) }
  const notes = holds ? [`${chosen.name} does not apply to this sale, because ${NOT_REMOTE}`] : NONE
  const atBuyer = () => withNotes(taxesAt(local, question, destination), notes)
  const atSeller = (from: OwnedAddress) =>
    localAddress(from.address).zip5 === null
      ? withNotes(taxesAt(local, question, destination), [...notes, ORIGIN_UNKNOWN])
      : withNotes(taxesAt(local, question, from), notes)
  if (origin === null) return atBuyer()
  const { at_seller, place_unsure } = local.state(state)?.law ?? {}
  const of_kind = taxesAtSeller(local, state, kind)
  if (at_seller === undefined && place_unsure === undefined) return of_kind ? atSeller(origin) : atBuyer()
  const seller = atSeller(origin)
  const usual = of_kind ? seller : atBuyer()
  const used = of_kind ? 'seller' : 'customer'
  const unsure = withNotes(usual, [`${place_unsure?.why}. The place of the ${used} was used`])
  return {
    of: (type) =>
      (at_seller?.includes(type) ? seller : place_unsure?.product_types.includes(type) ? unsure : usual).of(
        type,
      ),
  }
}

/** The local taxes at an address. */
function taxesAt(local: LocalBook, question: LocalQuestion, { address, whose }: OwnedAddress): LocalTaxes {
  const { jurisdiction_id, state_name: name, kind, fallback, day } = question
  const state = jurisdiction_id.slice(3)
  const goods = kind === 'goods'
  return localTaxesAt(local, { state, name, address: localAddress(address), whose, day, fallback, goods })
}

const NONE: readonly never[] = []

/** Whether a state taxes its own sellers at their place. California does that for a part of the tax alone. */
export function taxesAtSeller(local: LocalBook, state: string, kind: LocalQuestion['kind']): boolean {
  const sourcing = local.state(state)?.law.sourcing
  return sourcing === 'origin' || (sourcing === 'origin_goods' && kind === 'goods')
}

/** Sellers with a place in the state may not choose the rate, and in Texas marketplaces may not either. */
function isOpenTo({ from, marketplaces }: RemoteSellerRate, question: LocalQuestion): boolean {
  return from <= question.day && !question.present && (marketplaces || !question.marketplace)
}

const NOT_REMOTE =
  'it is for sales of sellers that have no place of business in the state. The rates of the address ' +
  'were used'

function withNotes(taxes: LocalTaxes, notes: readonly string[]): LocalTaxes {
  if (notes.length === 0) return taxes
  const noted = (found: LocalTax | null) => found && { ...found, notes: [...found.notes, ...notes] }
  return { of: (product_type) => noted(taxes.of(product_type)) }
}

/** Registrations by which a seller charges the tax of a state. */
function registrationsIn(jurisdiction_id: string): string[] {
  const scheme = SCHEMES_OF_STATES.get(jurisdiction_id)
  return scheme === undefined ? [jurisdiction_id] : [jurisdiction_id, scheme]
}

const SCHEMES_OF_STATES: ReadonlyMap<string, SchemeId> = new Map([
  ['US-TX', 'tx_single_local'],
  ['US-AL', 'al_ssut'],
])

const ORIGIN_UNKNOWN =
  'The state taxes this sale where the seller is, but the ZIP of the seller is unknown, so the ZIP ' +
  'of the customer was used'

/** `94105-1234` and `941051234` have an add-on code. */
function localAddress({ postal_code, city }: Address): LocalAddress {
  const found = /^(\d{5})(?:[- ]?(\d{4}))?/.exec(postal_code ?? '')
  return { zip5: found?.[1] ?? null, zip4: found?.[2] ?? null, city: city ?? null }
}

function toState(deal: Deal): TaxedSupply {
  return taxed(deal.customer, deal.establishment)
}

function taxed(place: Place, seller: Place | null): TaxedSupply {
  return {
    kind: 'taxed',
    place: place.jurisdiction_id,
    registrations: registrationsIn(place.jurisdiction_id),
    established: seller !== null && seller.jurisdiction_id === place.jurisdiction_id,
    basis: 'South Dakota v. Wayfair, 585 U.S. 162 (2018); sales and use tax act of the state',
    detail: 'Sales tax is due in the state where the customer receives the supply',
  }
}
