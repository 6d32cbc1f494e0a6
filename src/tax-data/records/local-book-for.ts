import type { Reader } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { lawOf } from '../../engine/supply/place.ts'
import { COUNTRIES_WITH_LOCAL_TAX } from '../../engine/regimes/list.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import { keysOfZip4 } from '../../engine/regimes/us-local/local-tax-at.ts'
import type { Address, Sale } from '../../engine/sale/sale.ts'
import { readDataVersion } from './data-version.ts'
import { currentLocalBook, hasZip4, heldLocalBook, loadZip4, localBookAt } from './current-local-book.ts'

/** The countries of a sale that may have local taxes. */
type PlacesOfSale = {
  customer: Address | null
  supply: Address | null
  /** Where the customer fetches goods; left out or null: it fetches none. */
  counter?: Address | null
  seller?: Address | null | undefined
}

/** The places of a sale that decide whether local taxes may apply. */
export function placesOfSale(sale: Sale): PlacesOfSale {
  const { customer, supply_address, ship_from, seller, delivery } = sale
  const stock = ship_from ?? seller.address
  return {
    customer: customer.address,
    supply: supply_address,
    counter: delivery === 'pickup' ? stock : null,
    seller: stock,
  }
}

/** Whether a sale needs the local book: one of its places is in a country with local taxes. */
export function needsLocalBook(book: RateBook, { customer, supply, counter = null }: PlacesOfSale): boolean {
  return hasLocalTaxes(book, customer) || hasLocalTaxes(book, supply) || hasLocalTaxes(book, counter)
}

function hasLocalTaxes(book: RateBook, address: Address | null): boolean {
  const country = address === null ? undefined : book.jurisdictions.get(address.country)
  return country !== undefined && lawOf(book, country).localTaxes !== null
}

/**
 * The local book of a sale, with the ZIP+4 of its addresses; null: the sale needs none, or there is none.
 * Without a version it is the one in force. Throws data_version_not_found.
 */
export async function localBookFor(
  context: Reader,
  book: RateBook,
  places: PlacesOfSale,
  data_version: string | null = null,
): Promise<LocalBook | null> {
  if (!needsLocalBook(book, places)) return null
  const local = await (data_version === null ? localBookInForce(context) : localBookOf(context, data_version))
  if (local === null) return null
  // To load one may take another from memory.
  for (let missing = zip4Missing(local, places); missing.length > 0; missing = zip4Missing(local, places))
    for (const key of missing) await loadZip4(context.env, local, key)
  return local
}

/** The local book that an earlier answer used. */
async function localBookOf({ env }: Pick<Reader, 'env'>, data_version: string): Promise<LocalBook | null> {
  const version = readDataVersion(data_version)
  if (version === null) throw new ApiError('data_version_not_found')
  const local = await localBookAt(env, version.local_at)
  if (version.names_local && local?.version !== version.local_at) throw new ApiError('data_version_not_found')
  return local
}

/** The local book in force; null: there is none. */
export async function localBookInForce(reader: Reader): Promise<LocalBook | null> {
  const held = heldLocalBook(reader)
  return held === undefined ? currentLocalBook(reader) : held
}

const MENTIONED = new RegExp(
  `"(${COUNTRIES_WITH_LOCAL_TAX.join('|')})\\b|=(${COUNTRIES_WITH_LOCAL_TAX.join('|')})\\b`,
  'i',
)

/**
 * Whether a text names a country with local taxes: the body of a request, or its query. It may find one that
 * needs no local book.
 */
export function mentionsLocalTaxes(text: string): boolean {
  return MENTIONED.test(text)
}

/**
 * The ZIP+4 that a sale needs and that are not in memory, such as `GA:303`. A ZIP with one combination of
 * taxes needs none.
 */
export function zip4Missing(local: LocalBook, { customer, supply, seller = null }: PlacesOfSale): string[] {
  if (local.zip4.size === 0) return []
  return [customer, supply, seller].flatMap((address) => {
    const [, zip5] = /^(\d{5})[- ]?\d{4}/.exec(address?.postal_code ?? '') ?? []
    return zip5 === undefined ? [] : keysOfZip4(local, zip5).filter((key) => !hasZip4(local, key))
  })
}
