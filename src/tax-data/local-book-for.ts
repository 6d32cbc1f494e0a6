import type { Context } from '../context.ts'
import type { RateBook } from '../tax/book/rate-book.ts'
import { lawOf } from '../tax/place.ts'
import type { LocalBook } from '../tax/regimes/us-local/local-book.ts'
import type { Address } from '../tax/sale.ts'
import { currentLocalBook, heldLocalBook } from './current-local-book.ts'

/** The countries of a sale that may have local taxes. */
type PlacesOfSale = { customer: Pick<Address, 'country'> | null; supply: Pick<Address, 'country'> | null }

/** Whether a sale needs the local book: one of its places is in a country with local taxes. */
export function needsLocalBook(book: RateBook, { customer, supply }: PlacesOfSale): boolean {
  return [customer, supply].some((place) => {
    const jurisdiction = place === null ? undefined : book.jurisdictions.get(place.country)
    return jurisdiction !== undefined && lawOf(jurisdiction).localTax !== null
  })
}

/** The local book of a sale; null: it needs none, or there is none. */
export async function localBookFor(
  context: Context,
  book: RateBook,
  places: PlacesOfSale,
): Promise<LocalBook | null> {
  if (!needsLocalBook(book, places)) return null
  const held = heldLocalBook(context.now)
  return held === undefined ? currentLocalBook(context.env, context.now) : held
}
