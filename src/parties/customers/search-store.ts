import type { Context } from '../../platform/context.ts'
import { rowsOf } from '../../platform/database/results.ts'
import { CUSTOMER_KEYS, type KeyKind, LONG_NAME, NAME } from '../../platform/database/tables/search-keys.ts'
import { keysOf } from '../../platform/kit/keys-of.ts'
import { foldedName } from './folded-name.ts'

/** How many customers a search takes from each index that it looks at. */
export const CUSTOMERS_FOUND_MAX = 500
/** How many names of more than four words a search reads for their later words. */
const LONG_NAMES_MAX = 10_000
/** A VAT id of fewer characters, without its prefix, is not looked for. */
const VAT_NUMBER_MIN = 4
const DIGITS = /^\d{2,}$/

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

/** A name without accents, and as it is written, because an earlier release may have stored it so. */
function namesSought(q: string): string[] {
  return [...new Set([foldedName(q), ...writtenAs(q)])]
}

/** The values that a search of a text compares with a key: two bounds, and for a VAT id its first letters. */
export function soughtInKey(of: KeyKind, q: string): string[][] {
  if (of === 'text') return writtenAs(q).map(boundsOfSearch)
  if (of === 'name') return namesSought(q).map(boundsOfSearch)
  if (of === 'digits') return DIGITS.test(q) ? [boundsOfSearch(q)] : []
  const compact = q.toUpperCase().replaceAll(/[\s./-]/g, '')
  const number = compact.replace(/^[A-Z]+/, '')
  if (number.length < VAT_NUMBER_MIN) return []
  return [[...boundsOfSearch(number), compact.slice(0, compact.length - number.length)]]
}

/**
 * The ids of customers whose key begins with a text. ?1 is the account, ?2 and ?3 are the bounds of the text,
 * ?4 the first letters of a VAT id.
 */
function customersBy<Index extends keyof typeof CUSTOMER_KEYS>(index: Index, limit: number) {
  const { key, where, also } = CUSTOMER_KEYS[index]
  return `SELECT id FROM customers INDEXED BY ${index}
    WHERE account_id = ?1 AND ${where} AND ${key} >= ?2 AND ${key} < ?3 AND ${also} LIMIT ${limit}` as const
}

const LONG_NAMES = `FROM customers INDEXED BY customers_of_long_names
  WHERE account_id = ?1 AND ${LONG_NAME}` as const

/** The ids of customers by a word after the fourth. ?2 is a list of texts. */
function customersByLaterWord(limit: number) {
  return `SELECT id FROM (SELECT id, ${NAME} AS words ${LONG_NAMES} LIMIT ${LONG_NAMES_MAX})
    WHERE EXISTS (SELECT 1 FROM json_each(?2) WHERE instr(words, ' ' || value) > 0) LIMIT ${limit}` as const
}

/** Finds a customer if there are more long names than a search reads. */
const UNREAD_NAME = `SELECT id ${LONG_NAMES} LIMIT 1 OFFSET ${LONG_NAMES_MAX}` as const

export type CustomersSql = ReturnType<typeof customersBy | typeof customersByLaterWord>

/** The statements of a search by customer, UNREAD_NAME first. `by` completes the SQL that finds customers. */
export function searchesByCustomer<Sql>(account_id: string, q: string, by: (customers: CustomersSql) => Sql) {
  const limit = CUSTOMERS_FOUND_MAX + 1
  return [
    { sql: UNREAD_NAME, values: [account_id] },
    { sql: by(customersByLaterWord(limit)), values: [account_id, JSON.stringify(namesSought(q))] },
    ...keysOf(CUSTOMER_KEYS).flatMap((index) =>
      soughtInKey(CUSTOMER_KEYS[index].of, q).map((values) => ({
        sql: by(customersBy(index, limit)),
        values: [account_id, ...values],
      })),
    ),
  ]
}

/** The statements of a search of customers, UNREAD_NAME first. Exported for the test of their plans. */
export function customerStatements(account_id: string, q: string) {
  return [
    ...searchesByCustomer(account_id, q, (customers) => customers),
    { sql: CUSTOMER_OF_ID, values: [account_id, q] },
    { sql: CUSTOMERS_OF_REFERENCE, values: [account_id, ...boundsOfSearch(q)] },
  ]
}

const CUSTOMER_OF_ID = 'SELECT id FROM customers WHERE account_id = ?1 AND id = ?2' as const

const CUSTOMERS_OF_REFERENCE = `SELECT id FROM customers INDEXED BY customers_by_external_id
  WHERE account_id = ?1 AND external_id IS NOT NULL AND external_id >= ?2 AND external_id < ?3
  LIMIT ${CUSTOMERS_FOUND_MAX + 1}` as const

/**
 * The ids of customers found by their id or their own reference as they are written; or by a word of their
 * name, their e-mail address or their VAT id, however it is written; all but the id by their beginning.
 * `complete` is false if an index has more than 500, or if there are more than 10,000 names of more than four
 * words.
 */
export async function searchCustomers(
  { books, principal }: Context,
  q: string,
): Promise<{ ids: string[]; complete: boolean }> {
  const statements = customerStatements(principal.account_id, q)
  const [unread, ...found] = await books.batch<{ id: string }>(
    statements.map(({ sql, values }) => books.prepare(sql).bind(...values)),
  )
  const { ids, complete } = idsOfSearch(found, CUSTOMERS_FOUND_MAX)
  return { ids, complete: complete && rowsOf(unread).length === 0 }
}

/** The ids that several statements found. One that found more than `most` has the rest elsewhere. */
export function idsOfSearch(
  found: readonly D1Result<{ id: string | null }>[],
  most: number,
): { ids: string[]; complete: boolean } {
  const sources = found.map((result) => rowsOf<{ id: string | null }>(result))
  return {
    ids: [...new Set(sources.flatMap((rows) => rows.slice(0, most).flatMap(({ id }) => id ?? [])))],
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
