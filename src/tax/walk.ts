import type { TraceStep } from './assessment.ts'
import type { ProductRule, Rate } from './book/facts.ts'
import type { RateBook } from './book/rate-book.ts'
import { compareWithLimit, consignmentLimit } from './consignment.ts'
import type { ConsignmentLimit } from './book/facts.ts'
import { findPlace, lacksRegion, type Place } from './place.ts'
import { Refusal } from './refusal.ts'
import type { Supply } from './regimes/regime.ts'
import { type Registrations, registrationsOf } from './registration.ts'
import type { Sale, SaleLine } from './sale.ts'
import type { Terms } from './terms.ts'

/** One sale on its way through the rules, with everything found so far. No step decides anything twice. */
export type Walk = {
  readonly book: RateBook
  readonly sale: Sale
  readonly seller: Place | null
  readonly customer: Place
  /** Where a supply that is taxed on the spot takes place. Throws region_required. */
  readonly performance: () => Place
  readonly business: boolean
  readonly registrations: Registrations
  /** The question is about the customer's place alone, so the seller's own law does not decide. */
  readonly abroad: boolean
  /** The customer's regime compares each item with a limit, so goods have terms by line. */
  readonly item_limit: ConsignmentLimit | null
  readonly supplies: Map<string, Supply>
  readonly terms: Map<string, Terms>
  readonly notes: string[]
  readonly trace: TraceStep[] | null
  readonly rates_used: Rate[]
  readonly rules_used: ProductRule[]
}

/** Step 1: the jurisdictions of seller and customer. Throws a Refusal if an address is not enough. */
export function beginWalk(sale: Sale, book: RateBook): Walk {
  const customer = findPlace(book, sale.customer.address, 'customer.address')
  const seller = sellerPlace(sale, book)
  const performance = () => performancePlace(sale, book, seller ?? customer)
  return walkBetween(sale, book, { seller, customer, performance, abroad: false })
}

/** Like beginWalk, if the customer's place is already found. Supplies taxed on the spot take place there. */
export function beginWalkTo(sale: Sale, book: RateBook, customer: Place): Walk {
  const seller = sellerPlace(sale, book)
  return walkBetween(sale, book, { seller, customer, performance: () => customer, abroad: true })
}

/** Where the seller is established; null: unknown. */
export function sellerPlace({ seller }: Pick<Sale, 'seller'>, book: RateBook): Place | null {
  return seller.address === null ? null : findPlace(book, seller.address, 'seller.address', 'country')
}

type Places = Pick<Walk, 'seller' | 'customer' | 'performance' | 'abroad'>

function walkBetween(sale: Sale, book: RateBook, places: Places): Walk {
  const { customer, seller } = places
  const { vat_id, type } = sale.customer
  const limit = customer.law.id === 'uncovered' ? null : consignmentLimit(book, customer.law.id, sale.day)
  const walk: Walk = {
    book,
    sale,
    seller,
    customer,
    performance: places.performance,
    abroad: places.abroad,
    business: type === 'business' || (vat_id !== null && !vat_id.invalid),
    registrations: registrationsOf(sale.seller, sale.seller_registered),
    item_limit: limit?.per === 'item' ? limit : null,
    supplies: new Map(),
    terms: new Map(),
    notes: [],
    trace: sale.explain ? [] : null,
    rates_used: [],
    rules_used: [],
  }
  recordStep(walk, 'where', 'customer address', customer.jurisdiction_id, null)
  if (seller === null) addOnce(walk.notes, SELLER_UNKNOWN)
  if (walk.registrations.assumed) addOnce(walk.notes, REGISTRATION_ASSUMED)
  return walk
}

const SELLER_UNKNOWN =
  'The country of the seller is not known, so the tax of the destination was computed ' +
  'without cross-border rules'
const REGISTRATION_ASSUMED = 'The seller and its registrations are not known, so registration was assumed'

function performancePlace(sale: Sale, book: RateBook, instead: Place): Place {
  const place =
    sale.supply_address === null ? instead : findPlace(book, sale.supply_address, 'supply_address')
  if (lacksRegion(book, place)) {
    const detail =
      'this supply is taxed where it takes place: give supply_address, or the region of the seller'
    throw new Refusal('region_required', 'supply_address', detail)
  }
  return place
}

/** Adds an item that the list lacks. For lists so short that a set costs more. */
export function addOnce<T>(list: T[], item: T): void {
  if (!list.includes(item)) list.push(item)
}

/** Keeps a step for the trace if the request asked for one. */
export function recordStep(
  walk: Walk,
  step: string,
  rule: string,
  outcome: string,
  basis: string | null,
  line: number | null = null,
): void {
  walk.trace?.push({ step, line, rule, outcome, basis })
}

/** Whether goods from abroad are within the value up to which a region taxes them at the sale. */
export function isWithinLimit(
  walk: Walk,
  region: ConsignmentLimit['region'],
  line: SaleLine | null,
): boolean {
  const limit = consignmentLimit(walk.book, region, walk.sale.day)
  if (limit === null) return false
  const { within, exchange } = compareWithLimit(walk.book, walk.sale, limit, walk.customer, line)
  if (exchange === 'no_rate') addOnce(walk.notes, noExchangeRate(walk.sale.currency))
  if (exchange === 'indicative') addOnce(walk.notes, COMPARED_INDICATIVELY)
  recordStep(walk, 'consignment_value', `limit of ${region}`, within ? 'within' : 'above', null)
  return within
}

const COMPARED_INDICATIVELY =
  'The value of the consignment was compared with a limit in another currency at an indicative exchange rate'

function noExchangeRate(currency: string): string {
  return (
    `The exchange rate of ${currency} is unknown, ` +
    'so the value of the consignment counts as within the limit'
  )
}
