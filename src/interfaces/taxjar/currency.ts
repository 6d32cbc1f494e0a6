import type { Context } from '../../platform/context.ts'
import { heldRateBook } from '../../tax-data/records/current-rate-book.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { DEFAULT_COUNTRY } from './countries.ts'

/**
 * The currency of an order, which TaxJar does not name: that of the account, else of the country that the
 * goods leave, else of the account's country.
 */
export function currencyOf(
  context: Context,
  from_country: string | null | undefined,
): string | Promise<string> {
  const { taxjar, seller } = context.principal
  if (taxjar?.currency) return taxjar.currency
  const country = from_country ?? seller?.country ?? DEFAULT_COUNTRY
  const book = heldRateBook(context)
  return book === null
    ? bookFor(context).then((loaded) => currencyOfCountry(loaded, country))
    : currencyOfCountry(book, country)
}

/** The currency of a country in the data; without data, the dollar. */
export function currencyOfCountry(book: RateBook, country: string): string {
  return book.jurisdictions.get(country)?.currency ?? 'USD'
}
