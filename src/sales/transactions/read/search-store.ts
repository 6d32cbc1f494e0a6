import type { Context } from '../../../platform/context.ts'
import {
  boundsOfSearch,
  type CustomersSql,
  idsOfSearch,
  searchesByCustomer,
  soughtInKey,
} from '../../../parties/customers/search-store.ts'
import { rowsOf } from '../../../platform/database/results.ts'
import { SALE_KEYS, waitsFor } from '../../../platform/database/tables/search-keys.ts'
import { keysOf } from '../../../platform/kit/keys-of.ts'
import { sealed } from '../../sealed/with-sealed.ts'
import { amountsNamed } from './amounts-named.ts'

/** How many sales a search takes from each index that it looks at. */
const FOUND_MAX = 500
/** How many audit events since the last tick it reads for sales that are not in SALE_KEYS yet. */
const SINCE_TICK_MAX = 10_000

/**
 * The ids of sales that a text finds, in any case: by their id; by the beginning of a reference, of an
 * invoice number, of a word of the customer's name, of an e-mail address or of a VAT id; by the digits at the
 * end of a reference or number; or by the amount that it names. Each index gives at most 500; `complete` is
 * false if one has more, or if there are more long names, or audit events since the last tick, than are read.
 * Names are read where the customers are kept, so an erased customer is found no more. Until the next tick, a
 * new sale is not in SALE_KEYS, and is found by way of the audit event of its record.
 */
export async function searchSales(
  context: Context,
  q: string,
): Promise<{ ids: string[]; complete: boolean }> {
  const { books, principal } = context
  const statements = saleStatements(principal.account_id, q)
  const [unread_event, unread_name, ...found] = await books.batch<{ id: string | null }>(
    statements.map(({ sql, values }) => books.prepare(sql).bind(...values)),
  )
  const { ids, complete } = idsOfSearch(found, FOUND_MAX)
  const unread = rowsOf(unread_name).length + rowsOf(unread_event).length
  const whole = complete && unread === 0
  if (context.env.CHESTS === undefined) return { ids, complete: whole }
  const { findSealedIds } = await sealed.load()
  const old = await findSealedIds(context, q)
  return { ids: [...new Set([...ids, ...(old ?? [])])], complete: whole && old === null }
}

/** The statements of a search of sales. Exported for the test of their plans. */
export function saleStatements(account_id: string, q: string) {
  return [
    { sql: UNREAD_EVENT, values: [account_id] },
    ...searchesByCustomer(account_id, q, salesOf),
    { sql: SALES_SINCE_TICK, values: [account_id, ...soughtSinceTick(q)] },
    { sql: SALE_OF_ID, values: [account_id, q] },
    { sql: SALES_OF_REFERENCE, values: [account_id, ...boundsOfSearch(q)] },
    ...keysOf(SALE_KEYS).flatMap((index) =>
      soughtInKey(SALE_KEYS[index].of, q).map((values) => ({
        sql: salesBy(index),
        values: [account_id, ...values],
      })),
    ),
    { sql: SALES_OF_AMOUNT, values: [account_id, JSON.stringify(amountsNamed(q))] },
  ]
}

const SINCE_TICK = `FROM audit_events INDEXED BY audit_events_of_account WHERE account_id = ?1
  AND id >= coalesce((SELECT after FROM job_cursors WHERE name = 'sales_to_search'), '')` as const

/** Finds an event if there are more since the tick than a search reads. */
const UNREAD_EVENT = `SELECT id ${SINCE_TICK} LIMIT 1 OFFSET ${SINCE_TICK_MAX}` as const

/** The parameter that has what is sought in keys of a kind, a list of pairs of bounds. */
const SOUGHT = { text: '?2', digits: '?3', vat_id: '?5' } as const

const HAS_SOUGHT_KEY = Object.values(SALE_KEYS)
  .map(
    ({ of, key, where, also }) => `(${waitsFor(where)} AND ${also} AND EXISTS (
      SELECT 1 FROM json_each(${SOUGHT[of]}) WHERE ${key} >= value ->> 0 AND ${key} < value ->> 1))`,
  )
  .join(' OR ')

const SALES_SINCE_TICK = `SELECT id FROM transactions
  WHERE id IN (SELECT resource_id ${SINCE_TICK} LIMIT ${SINCE_TICK_MAX})
    AND +account_id = ?1 AND (${HAS_SOUGHT_KEY}) LIMIT ${FOUND_MAX + 1}` as const

/** The values ?2 to ?5 of SALES_SINCE_TICK; ?4 are the first letters of a VAT id. */
function soughtSinceTick(q: string): string[] {
  const [text, digits, vat_ids] = [soughtInKey('text', q), soughtInKey('digits', q), soughtInKey('vat_id', q)]
  return [JSON.stringify(text), JSON.stringify(digits), vat_ids[0]?.[2] ?? '', JSON.stringify(vat_ids)]
}

const SALE_OF_ID = 'SELECT id FROM transactions WHERE account_id = ?1 AND id = ?2' as const

const SALES_OF_REFERENCE = `SELECT id FROM transactions INDEXED BY transactions_by_external_id
  WHERE account_id = ?1 AND external_id >= ?2 AND external_id < ?3 LIMIT ${FOUND_MAX + 1}` as const

function salesBy(index: keyof typeof SALE_KEYS) {
  const { key, where, also } = SALE_KEYS[index]
  return `SELECT id FROM transactions INDEXED BY ${index}
    WHERE account_id = ?1 AND ${where} AND ${key} >= ?2 AND ${key} < ?3 AND ${also}
    LIMIT ${FOUND_MAX + 1}` as const
}

/** A customer without sales gives a row too, so more customers than are read are noticed. */
function salesOf(customers: CustomersSql) {
  return `SELECT transactions.id FROM (SELECT id AS customer FROM (${customers}))
    LEFT JOIN transactions INDEXED BY transactions_of_customer
      ON account_id = ?1 AND customer_id = customer LIMIT ${FOUND_MAX + 1}` as const
}

/** The index on amounts begins with the currency: one step in it finds the next currency of the account. */
const NEXT_CURRENCY = `SELECT min(currency) FROM transactions INDEXED BY transactions_by_amount
  WHERE account_id = ?1` as const

const SALES_OF_AMOUNT = `WITH RECURSIVE sold_in (code) AS (
    SELECT (${NEXT_CURRENCY})
    UNION ALL SELECT (${NEXT_CURRENCY} AND currency > code) FROM sold_in WHERE code IS NOT NULL)
  SELECT transactions.id FROM json_each(?2) amount CROSS JOIN sold_in
  CROSS JOIN transactions INDEXED BY transactions_by_amount
    ON account_id = ?1 AND currency = code AND total = amount.value ->> 'total'
  WHERE amount.value ->> 'currencies' IS NULL
    OR code IN (SELECT value FROM json_each(amount.value ->> 'currencies'))
  LIMIT ${FOUND_MAX + 1}` as const
