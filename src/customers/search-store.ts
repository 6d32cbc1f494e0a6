import type { Context } from '../context.ts'
import { rowsOf } from '../database/results.ts'
import { CUSTOMER_KEYS } from '../database/tables/search-keys.ts'
import { keysOf } from '../keys-of.ts'

/** How many customers a search takes from each index that it looks at. */
export const CUSTOMERS_FOUND_MAX = 500

/** Texts from the first bound on, and before the second, begin with the text. */
export function boundsOfSearch(q: string): [from: string, before: string] {
  return [q, `${q}\u{10ffff}`]
}

/**
 * A text as the keys of searches have it. SQLite lowers only the letters of ASCII, so a text with others is
 * looked for as it is, in small letters, in capitals and with capital initials.
 */
export function writtenAs(q: string): string[] {
  const small = q.toLowerCase()
  const initials = small.replaceAll(/(?<=^|\s)\p{L}/gu, (letter) => letter.toUpperCase())
  return [...new Set([q, small, q.toUpperCase(), initials].map(lowerAscii))]
}

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** The ids of customers whose key begins with a text. ?1 the account, ?2 and ?3 the bounds of the text. */
export function customersBy<Index extends keyof typeof CUSTOMER_KEYS>(index: Index, limit: number) {
  const { key, where } = CUSTOMER_KEYS[index]
  return `SELECT id FROM customers INDEXED BY ${index}
    WHERE account_id = ?1 AND ${where} AND ${key} >= ?2 AND ${key} < ?3 LIMIT ${limit}` as const
}

const CUSTOMER_OF_ID = 'SELECT id FROM customers WHERE account_id = ?1 AND id = ?2' as const

/** The statements of a search of customers. Exported for the test of their plans. */
export function customerStatements(account_id: string, q: string) {
  return [
    { sql: CUSTOMER_OF_ID, values: [account_id, q] },
    ...keysOf(CUSTOMER_KEYS).flatMap((index) =>
      writtenAs(q).map((text) => ({
        sql: customersBy(index, CUSTOMERS_FOUND_MAX + 1),
        values: [account_id, ...boundsOfSearch(text)],
      })),
    ),
  ]
}

/**
 * The ids of customers found by their id or their own reference as they are written, or by a word of their
 * name or their e-mail address in any case; all but the id by their beginning. `complete` is false if an
 * index has more than 500.
 */
export async function searchCustomers(
  { books, principal }: Context,
  q: string,
): Promise<{ ids: string[]; complete: boolean }> {
  const { account_id } = principal
  const found = await books.batch<{ id: string }>([
    books
      .prepare(
        `SELECT id FROM customers INDEXED BY customers_by_external_id
         WHERE account_id = ?1 AND external_id IS NOT NULL AND external_id >= ?2 AND external_id < ?3
         LIMIT ${CUSTOMERS_FOUND_MAX + 1}`,
      )
      .bind(account_id, ...boundsOfSearch(q)),
    ...customerStatements(account_id, q).map(({ sql, values }) => books.prepare(sql).bind(...values)),
  ])
  return idsOfSearch(found, CUSTOMERS_FOUND_MAX)
}

/** The ids that several statements found. One that found more than `most` has the rest elsewhere. */
export function idsOfSearch(
  found: readonly D1Result<{ id: string }>[],
  most: number,
): { ids: string[]; complete: boolean } {
  const sources = found.map((result) => rowsOf<{ id: string }>(result))
  return {
    ids: [...new Set(sources.flatMap((rows) => rows.slice(0, most).map(({ id }) => id)))],
    complete: sources.every((rows) => rows.length <= most),
  }
}

/** The names of customers on file, by id. An erased customer has none. */
export async function readCustomerNames(
  { books, principal }: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (ids.length === 0) return new Map()
  const { results } = await books
    .prepare('SELECT id, name FROM customers WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))')
    .bind(principal.account_id, JSON.stringify(ids))
    .all<{ id: string; name: string | null }>()
  return new Map(results.map(({ id, name }) => [id, name]))
}
