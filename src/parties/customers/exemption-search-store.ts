import type { Context } from '../../platform/context.ts'
import {
  boundsOfSearch,
  CUSTOMERS_FOUND_MAX,
  idsOfSearch,
  searchCustomers,
  writtenAs,
} from './search-store.ts'
import { bookFor } from '../../tax-data/records/book-for.ts'

/** How many exemptions a search takes from each index that it looks at. */
const EXEMPTIONS_FOUND_MAX = 1_000

const NEWEST = `ORDER BY id DESC LIMIT ${EXEMPTIONS_FOUND_MAX + 1}` as const

/**
 * Bind the account, then the bounds of a number, or a list of places or customers. Exported for the test of
 * their plans.
 */
export const EXEMPTIONS_BY = {
  number: `SELECT id FROM exemptions INDEXED BY exemptions_by_lower_number
    WHERE account_id = ?1 AND lower("certificate_number") >= ?2 AND lower("certificate_number") < ?3
    LIMIT ${EXEMPTIONS_FOUND_MAX + 1}`,
  places: `SELECT id FROM exemptions INDEXED BY exemptions_of_place
    WHERE account_id = ?1 AND jurisdiction_id IN (SELECT value FROM json_each(?2)) ${NEWEST}`,
  customers: `SELECT id FROM exemptions INDEXED BY exemptions_of_customer
    WHERE account_id = ?1 AND customer_id IN (SELECT value FROM json_each(?2)) ${NEWEST}`,
} as const

/**
 * The ids of exemptions by the beginning of their certificate number or of a word of the name of their place,
 * or by their customer. `complete` is false if an index has more than 1,000, or customers than 500.
 */
export async function searchExemptions(
  context: Context,
  q: string,
): Promise<{ ids: string[]; complete: boolean }> {
  const { books, principal } = context
  const [customers, places] = await Promise.all([searchCustomers(context, q), placesNamed(context, q)])
  const found = await books.batch<{ id: string }>([
    ...writtenAs(q).map((text) =>
      books.prepare(EXEMPTIONS_BY.number).bind(principal.account_id, ...boundsOfSearch(text)),
    ),
    books.prepare(EXEMPTIONS_BY.places).bind(principal.account_id, JSON.stringify(places)),
    books
      .prepare(EXEMPTIONS_BY.customers)
      .bind(principal.account_id, JSON.stringify(customers.ids.slice(0, CUSTOMERS_FOUND_MAX))),
  ])
  const { ids, complete } = idsOfSearch(found, EXEMPTIONS_FOUND_MAX)
  const all_customers = customers.complete && customers.ids.length <= CUSTOMERS_FOUND_MAX
  return { ids, complete: complete && all_customers }
}

/** The places with this id, or with a word of their name that begins with the text, in any case. */
async function placesNamed(context: Context, q: string): Promise<string[]> {
  const sought = q.toLowerCase()
  const { facts } = await bookFor(context)
  return facts.jurisdictions.flatMap(({ id, name }) =>
    id.toLowerCase() === sought || ` ${name.toLowerCase()}`.includes(` ${sought}`) ? [id] : [],
  )
}
