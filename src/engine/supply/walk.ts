import { placeInSentence } from '../book/names.ts'
import type { RateBook } from '../book/rate-book.ts'
import type { Registrations, Walk } from '../found/found.ts'
import { Refusal } from '../ground/refusal.ts'
import { isWithin } from '../book/product-types.ts'
import { findPlace, lacksRegion, sellerPlace } from './place.ts'
import type { Place } from '../regimes/regime.ts'
import { taxablePerson } from '../regimes/taxable-person.ts'
import type { LocalBook } from '../regimes/us-local/local-book.ts'
import type { Product } from '../sale/lines.ts'
import { type Customer, type Sale, type Seller, stockOf } from '../sale/sale.ts'

/**
 * Step 1: what is known of a sale before its first line. `found`: the customer's place, if it is already
 * found; supplies taxed on the spot take place there. Throws a Refusal if an address is not enough.
 */
export function beginWalk(
  sale: Sale,
  book: RateBook,
  local: LocalBook | null,
  found: Place | null = null,
): Walk {
  const registrations = registrationsOf(sale.seller, sale.seller_registered)
  const notes = [...notesOnSeller(sale, registrations), ...notesOnVatId(book, sale.customer)]
  const { address } = sale.customer
  const known = found ?? sale.country_alone?.placeOfCountry(book, address) ?? null
  const customer = known ?? findPlace(book, address, 'customer.address')
  const seller = sellerPlace(sale, book)
  const { ship_from } = sale
  const facilitated = sale.facilitator?.seller ?? null
  const provider =
    facilitated === null ? null : findPlace(book, facilitated.address, 'marketplace.seller', 'country')
  const origin =
    ship_from === null ? (provider ?? seller) : findPlace(book, ship_from, 'ship_from', 'country')
  const performed_at = sale.supply_address === null ? found : null
  const taxable_person = taxablePerson(customer.law, sale.customer)
  const walk: Walk = {
    book,
    local,
    sale,
    seller,
    provider,
    customer,
    received_at: { address: sale.customer.address, whose: 'the customer' },
    counter: null,
    fetched: false,
    origin,
    performed_at,
    registrations,
    taxable_person,
    notes,
  }
  return sale.delivery === 'pickup' ? { ...walk, counter: counterOf(walk) } : walk
}

/** The walk of goods that the customer fetches: its place is where they are. Null: that is not known. */
function counterOf(walk: Walk): Walk | null {
  const { sale, origin } = walk
  const received_at = stockOf(sale)
  if (origin === null || received_at === null) return null
  const taxable_person = taxablePerson(origin.law, sale.customer)
  return { ...walk, customer: origin, received_at, fetched: true, taxable_person }
}

/**
 * The walk by which a product is taxed. Goods that the supplier does not transport are supplied where they
 * are (Directive 2006/112/EC, art. 31; SSUTA 310 A(1)), and meals where they are eaten or fetched; services
 * of the same sale keep their own place. Throws region_required.
 */
export function walkOf(walk: Walk, { nature }: Product): Walk {
  const { counter, book } = walk
  if (counter === null || !nature.shipped) return walk
  if (lacksRegion(book, counter.customer)) {
    const detail = 'goods that the customer picks up are taxed where they are: give ship_from with its region'
    throw new Refusal('region_required', 'ship_from.region', detail)
  }
  return counter
}

/** Whether a supply on the spot takes place where the customer is: a meal that is delivered, or fetched. */
export function isReceived({ fetched, sale }: Walk, product_type: string): boolean {
  return isWithin(product_type, 'prepared_food') && (fetched || sale.shipping !== null)
}

/**
 * `stated`, from the request, wins over the registrations. If both and the address are unknown, registration
 * is assumed.
 */
export function registrationsOf({ registrations, address }: Seller, stated: boolean | null): Registrations {
  const assumed = stated === null && registrations === null && address === null
  const holds = (registration: string): boolean => stated ?? registrations?.includes(registration) ?? false
  return { assumed, stated, holds, counts: assumed ? () => true : holds }
}

/** What the VAT id of the customer is worth, if no check digits and no authority confirm it. */
function notesOnVatId(book: RateBook, { vat_id }: Customer): readonly string[] {
  if (vat_id === null || vat_id.worth === undefined) return NONE
  const name = placeInSentence(book, vat_id.country)
  if (vat_id.worth === 'nothing')
    return [
      `A number of this format does not prove a business in ${name}, so the customer is taxed as a ` +
        'consumer there. Check it in its register, and send vat_id_validated',
    ]
  return [`Only the format of the VAT id was checked, because ${name} publishes no check digits`]
}

const NONE: readonly never[] = []

const SELLER_UNKNOWN =
  'The country of the seller is unknown, so the tax of the destination was computed ' +
  'without cross-border rules'
const REGISTRATION_ASSUMED = 'The seller and its registrations are unknown, so registration was assumed'

/** What is not known of the seller, or is taken for it. */
function notesOnSeller({ seller }: Sale, { assumed }: Registrations): string[] {
  const notes: string[] = []
  if (seller.address === null) notes.push(SELLER_UNKNOWN)
  if (assumed) notes.push(REGISTRATION_ASSUMED)
  return notes
}
