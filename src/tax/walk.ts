import type { Walk } from './found.ts'
import type { ConsignmentLimit } from './book/facts.ts'
import type { RateBook } from './book/rate-book.ts'
import { compareWithLimit, consignmentLimit } from './consignment.ts'
import { findPlace, lacksRegion } from './place.ts'
import type { Place } from './regimes/regime.ts'
import { Refusal } from './refusal.ts'
import type { LocalBook } from './regimes/us-local/local-book.ts'
import { registrationsOf } from './registration.ts'
import type { Sale, SaleLine } from './sale.ts'

/** Step 1: the jurisdictions of seller and customer. Throws a Refusal if an address is not enough. */
export function beginWalk(sale: Sale, book: RateBook, local: LocalBook | null): Walk {
  const customer = findPlace(book, sale.customer.address, 'customer.address')
  return walkBetween(sale, book, { local, customer, performance: performancePlace })
}

/** Like beginWalk, if the customer's place is already found. Supplies taxed on the spot take place there. */
export function beginWalkTo(sale: Sale, book: RateBook, customer: Place): Walk {
  return walkBetween(sale, book, { local: null, customer, performance: () => customer })
}

/** Where the seller is established; null: unknown. */
export function sellerPlace({ seller }: Pick<Sale, 'seller'>, book: RateBook): Place | null {
  return seller.address === null ? null : findPlace(book, seller.address, 'seller.address', 'country')
}

type Places = Pick<Walk, 'local' | 'customer' | 'performance'>

function walkBetween(sale: Sale, book: RateBook, places: Places): Walk {
  const { customer } = places
  const seller = sellerPlace(sale, book)
  const limit = customer.law.id === 'uncovered' ? null : consignmentLimit(book, customer.law.id, sale.day)
  const walk: Walk = {
    book,
    local: places.local,
    sale,
    seller,
    customer,
    origin: originOf(sale, book, seller),
    performance: places.performance,
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
  if (sale.marketplace === 'facilitator') addOnce(walk.notes, MARKETPLACE_IS_SELLER)
  return walk
}

const SELLER_UNKNOWN =
  'The country of the seller is not known, so the tax of the destination was computed ' +
  'without cross-border rules'
const MARKETPLACE_IS_SELLER =
  'The marketplace makes the sale, so its own place and registrations count as those of the seller'
const REGISTRATION_ASSUMED = 'The seller and its registrations are not known, so registration was assumed'

/** Where goods leave from. An address of the stock abroad needs only the country. */
function originOf({ ship_from }: Sale, book: RateBook, seller: Place | null): Place | null {
  return ship_from === null ? seller : findPlace(book, ship_from, 'ship_from', 'country')
}

/**
 * Where a supply on the spot takes place. Meals that are delivered take place at the customer: a sale with
 * shipping delivers. Without an address, the seller's place is assumed, and a note says so.
 */
function performancePlace({ sale, book, seller, customer, notes }: Walk, product_type: string): Place {
  const delivered = product_type === 'prepared_food' && sale.shipping !== null
  const instead = delivered ? customer : (seller ?? customer)
  const place =
    sale.supply_address === null ? instead : findPlace(book, sale.supply_address, 'supply_address')
  if (sale.supply_address === null && !delivered)
    addOnce(notes, supplyAddressMissing(product_type, place, seller !== null))
  if (lacksRegion(book, place)) {
    const detail =
      'this supply is taxed where it takes place: give supply_address, or the region of the seller'
    throw new Refusal('region_required', 'supply_address', detail)
  }
  return place
}

function supplyAddressMissing(product_type: string, place: Place, ofSeller: boolean): string {
  const whose = ofSeller ? 'the seller' : 'the customer'
  return (
    `The place of ${product_type} is not known, so the place of ${whose}, ${place.jurisdiction_id}, ` +
    'was assumed: give supply_address'
  )
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
