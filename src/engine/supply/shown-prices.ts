import type { TaxBehavior } from '../arithmetic/document-tax.ts'
import { type ProductTypeName, supplyKind } from '../book/product-types.ts'
import type { RateBook } from '../book/rate-book.ts'
import { countryLaw } from './place.ts'
import type { Address } from '../sale/sale.ts'

/** The counter where the customer fetches goods; left out or null: it fetches none. */
type PlacesOfPrice = { customer: Address; supply: Address | null; counter?: Address | null }

/**
 * How consumers see the price of a product: where it takes place if that is known, where goods are fetched,
 * else at the customer. Only the country counts, so an incomplete address is enough.
 */
export function shownPrice(
  book: RateBook,
  product_type: ProductTypeName,
  { customer, supply, counter = null }: PlacesOfPrice,
): TaxBehavior {
  const kind = supplyKind(product_type)
  if (counter !== null && (kind === 'goods' || kind === 'shipping'))
    return countryLaw(book, counter).shown_prices
  const tied = kind === 'on_site' || kind === 'property' || kind === 'performed'
  return countryLaw(book, tied && supply !== null ? supply : customer).shown_prices
}
