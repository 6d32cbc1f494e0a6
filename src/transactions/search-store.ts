import type { Context } from '../context.ts'
import { boundsOfSearch, customersBy, idsOfSearch, writtenAs } from '../customers/search-store.ts'
import { CUSTOMER_KEYS, SALE_KEYS } from '../database/tables/search-keys.ts'
import { keysOf } from '../keys-of.ts'
import { amountsNamed } from './amounts-named.ts'

/** How many sales a search takes from each index that it looks at. */
export const FOUND_MAX = 500
/** How many customers a search takes from each index that it looks at. */
const CUSTOMERS_MAX = 50

/** Keys for the digits at the end of a text: only digits are looked for there. */
const OF_DIGITS: ReadonlySet<string> = new Set([
  'transactions_by_last_digits',
  'transactions_by_invoice_digits',
])
const DIGITS = /^\d{2,}$/

/**
 * The ids of sales that a text finds, in any case: by their id; by the beginning of a reference, of an
 * invoice number, of a word of the customer's name or of an e-mail address; by the digits at the end of a
 * reference or number; or by the amount that it names. Each index gives at most 500; `complete` is false if
 * one has more. Names are read where the customers are kept, so an erased customer is found no more.
 */
export async function searchSales(
  { books, principal }: Context,
  q: string,
): Promise<{ ids: string[]; complete: boolean }> {
  const statements = saleStatements(principal.account_id, q)
  const found = await books.batch<{ id: string }>(
    statements.map(({ sql, values }) => books.prepare(sql).bind(...values)),
  )
  return idsOfSearch(found, FOUND_MAX)
}

/** The statements of a search of sales. Exported for the test of their plans. */
export function saleStatements(account_id: string, q: string) {
  const texts = writtenAs(q).map((text) => [account_id, ...boundsOfSearch(text)])
  const keys = keysOf(SALE_KEYS).filter((index) => !OF_DIGITS.has(index) || DIGITS.test(q))
  return [
    { sql: SALE_OF_ID, values: [account_id, q] },
    ...keys.flatMap((index) => texts.map((values) => ({ sql: salesBy(index), values }))),
    ...keysOf(CUSTOMER_KEYS).flatMap((index) =>
      texts.map((values) => ({ sql: salesOfCustomers(index), values })),
    ),
    { sql: SALES_OF_AMOUNT, values: [account_id, JSON.stringify(amountsNamed(q))] },
  ]
}

const SALE_OF_ID = 'SELECT id FROM transactions WHERE account_id = ?1 AND id = ?2' as const

function salesBy(index: keyof typeof SALE_KEYS) {
  const { key, where } = SALE_KEYS[index]
  return `SELECT id FROM transactions INDEXED BY ${index}
    WHERE account_id = ?1 AND ${where} AND ${key} >= ?2 AND ${key} < ?3 LIMIT ${FOUND_MAX + 1}` as const
}

function salesOfCustomers(index: keyof typeof CUSTOMER_KEYS) {
  return `SELECT transactions.id FROM (SELECT id AS customer FROM (${customersBy(index, CUSTOMERS_MAX)}))
    CROSS JOIN transactions INDEXED BY transactions_of_customer
      ON account_id = ?1 AND customer_id = customer LIMIT ${FOUND_MAX + 1}` as const
}

const SALES_OF_AMOUNT = `SELECT transactions.id FROM json_each(?2) amount
  CROSS JOIN transactions INDEXED BY transactions_by_total
    ON account_id = ?1 AND total = amount.value ->> 'total'
  WHERE amount.value ->> 'currencies' IS NULL
    OR currency IN (SELECT value FROM json_each(amount.value ->> 'currencies'))
  LIMIT ${FOUND_MAX + 1}` as const
