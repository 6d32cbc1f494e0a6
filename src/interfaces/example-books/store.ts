import type { Context } from '../../platform/context.ts'
import type { BooksDb } from '../../platform/database/databases.ts'
import { required } from '../../platform/database/guard.ts'
import { rowsOf } from '../../platform/database/results.ts'
import { ApiError } from '../../platform/errors.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { countStored } from '../../sales/transactions/sums/counts-store.ts'
import {
  addRefundsOfSales,
  addSalesToTotals,
  REFUNDED_SUMS,
  SOLD_SUMS,
} from '../../sales/transactions/sums/totals-store.ts'
import type { ExampleIds } from './example-ids.ts'

/** How many example rows the books have now. */
type StoredExamples = { sales: number; lines: number; refunds: number; customers: readonly string[] }

const AMONG = 'IN (SELECT value FROM json_each(?2))'

/** Whether one of the example customers is there: the batch that adds them adds all. */
export async function hasExampleCustomer({ books, principal }: Context, ids: ExampleIds): Promise<boolean> {
  const found = await books
    .prepare(`SELECT 1 AS found FROM customers WHERE account_id = ?1 AND id ${AMONG} LIMIT 1`)
    .bind(principal.account_id, JSON.stringify(ids.customers))
    .first<number>('found')
  return found !== null
}

/** Fails its batch with books_not_empty if the account has customers or sales. */
export function requireEmptyBooks({ books, principal }: Context): D1PreparedStatement {
  return required(
    books,
    `NOT EXISTS (SELECT 1 FROM customers WHERE account_id = ?1)
     AND NOT EXISTS (SELECT 1 FROM transactions WHERE account_id = ?1)
     AND NOT EXISTS (SELECT 1 FROM sealed_accounts WHERE account_id = ?1)`,
    [principal.account_id],
    'books_not_empty',
  )
}

/** Lets a webhook have failed some times. */
export function letWebhookFail({ books, principal, now }: Context, id: string): D1PreparedStatement {
  return books
    .prepare(
      `UPDATE webhooks SET consecutive_failures = 4, last_failed_at = ?3, failure_counted_at = ?3
       WHERE account_id = ?1 AND id = ?2`,
    )
    .bind(principal.account_id, id, now.toISOString())
}

/** Deletes the obligations that were set aside with a reason. */
export function removeMarks({ books, principal }: Context, reason: string): D1PreparedStatement {
  return books
    .prepare(`DELETE FROM obligation_marks WHERE account_id = ?1 AND state = 'set_aside' AND reason = ?2`)
    .bind(principal.account_id, reason)
}

/** The filed returns that have a number at the tax office, the latest first. */
export async function readExampleReturns({ books, principal }: Context, number: string): Promise<string[]> {
  const { results } = await books
    .prepare(
      `SELECT id FROM returns JOIN return_submissions ON return_id = id
       WHERE returns.account_id = ?1 AND status = 'filed' AND number = ?2 ORDER BY id DESC`,
    )
    .bind(principal.account_id, number)
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/** Counts the example rows, to be compared in the batch that removes them. */
export async function readStoredExamples(
  { books, principal }: Context,
  ids: ExampleIds,
): Promise<StoredExamples> {
  const sales = JSON.stringify(ids.sales)
  const [counts, customers] = await books.batch([
    books
      .prepare(
        `SELECT (SELECT count(*) FROM transactions WHERE account_id = ?1 AND id ${AMONG}) AS sales,
           (SELECT count(*) FROM transaction_lines
             WHERE account_id = ?1 AND transaction_id ${AMONG}) AS lines,
           (SELECT count(*) FROM refunds WHERE account_id = ?1 AND transaction_id ${AMONG}) AS refunds`,
      )
      .bind(principal.account_id, sales),
    books
      .prepare(`SELECT id FROM customers WHERE account_id = ?1 AND id ${AMONG} ORDER BY id`)
      .bind(principal.account_id, JSON.stringify(ids.customers)),
  ])
  const [row] = rowsOf<Omit<StoredExamples, 'customers'>>(counts)
  return {
    ...invariant(row ?? null, 'a row of counts'),
    customers: rowsOf<{ id: string }>(customers).map(({ id }) => id),
  }
}

/**
 * Deletes the example sales with their lines and refunds, and takes them out of totals and counts. Its batch
 * fails with concurrent_change if there are other rows than were counted, with period_already_filed if a
 * filed return has one of them, and with transaction_not_replaceable if another sale credits or settles one.
 */
export function removeExampleSales(
  { books, principal }: Context,
  ids: ExampleIds,
  counted: StoredExamples,
): D1PreparedStatement[] {
  const { account_id } = principal
  const sales = JSON.stringify(ids.sales)
  const remove = (table: 'refunds' | 'settlements' | 'transaction_lines') =>
    books
      .prepare(`DELETE FROM ${table} WHERE account_id = ?1 AND transaction_id ${AMONG}`)
      .bind(account_id, sales)
  return [
    ...guardsOf(books, account_id, sales, counted),
    addRefundsOfSales(books, account_id, ids.sales, -1),
    addSalesToTotals(books, account_id, ids.sales, -1),
    countStored(books, account_id, ids.sales, -1),
    remove('refunds'),
    remove('settlements'),
    remove('transaction_lines'),
    books.prepare(`DELETE FROM transactions WHERE account_id = ?1 AND id ${AMONG}`).bind(account_id, sales),
    removeZeros(books, account_id),
    books
      .prepare('DELETE FROM transaction_counts WHERE account_id = ?1 AND transactions = 0')
      .bind(account_id),
  ]
}

function guardsOf(
  books: BooksDb,
  account_id: string,
  sales: string,
  { sales: of_sales, refunds }: StoredExamples,
): D1PreparedStatement[] {
  return [
    required(
      books,
      `(SELECT count(*) FROM transactions WHERE account_id = ?1 AND id ${AMONG}) = ?3
       AND (SELECT count(*) FROM refunds WHERE account_id = ?1 AND transaction_id ${AMONG}) = ?4`,
      [account_id, sales, of_sales, refunds],
      'concurrent_change',
    ),
    required(books, IN_NO_RETURN, [account_id, sales, ''], 'period_already_filed'),
    required(books, ALONE, [account_id, sales], 'transaction_not_replaceable'),
  ]
}

/** No filed return has one of the sales, apart from returns with this number at the tax office. */
const IN_NO_RETURN = `NOT EXISTS (SELECT 1 FROM returns JOIN filed_rows row ON row.return_id = returns.id
    WHERE returns.account_id = ?1 AND status IN ('filed', 'freezing') AND row.transaction_id ${AMONG}
      AND NOT EXISTS (SELECT 1 FROM return_submissions WHERE return_id = returns.id AND number = ?3))
  AND NOT EXISTS (SELECT 1 FROM sealed_returns lines JOIN returns ON returns.id = lines.return_id
    JOIN transactions sale ON sale.account_id = lines.account_id
    WHERE lines.account_id = ?1 AND returns.status = 'filed' AND sale.id ${AMONG}
      AND sale.day BETWEEN lines.from_day AND lines.to_day
      AND NOT EXISTS (SELECT 1 FROM return_submissions WHERE return_id = returns.id AND number = ?3))
  AND NOT EXISTS (SELECT 1 FROM returns JOIN transactions sale ON sale.account_id = returns.account_id
    WHERE returns.account_id = ?1 AND returns.status = 'freezing' AND sale.id ${AMONG}
      AND sale.day BETWEEN from_date AND to_date)` as const

/** No other sale credits or settles one of the sales, and no chest can have one, from which none goes. */
const ALONE = `NOT EXISTS (SELECT 1 FROM transactions WHERE account_id = ?1 AND credited_sale ${AMONG})
  AND NOT EXISTS (SELECT 1 FROM settlements WHERE account_id = ?1 AND settled_id ${AMONG})
  AND NOT EXISTS (SELECT 1 FROM sealed_accounts WHERE account_id = ?1)` as const

/**
 * Throws period_already_filed if a filed return has an example sale, unless it has this number at the tax
 * office, and transaction_not_replaceable if another sale credits or settles one.
 */
export async function refuseTiedExamples(
  { books, principal }: Context,
  ids: ExampleIds,
  number: string,
): Promise<void> {
  const found = await books
    .prepare(`SELECT (${IN_NO_RETURN}) AS in_no_return, (${ALONE}) AS alone`)
    .bind(principal.account_id, JSON.stringify(ids.sales), number)
    .first<{ in_no_return: number; alone: number }>()
  const { in_no_return, alone } = invariant(found, 'a row of conditions')
  if (in_no_return === 0) throw new ApiError('period_already_filed')
  if (alone === 0) throw new ApiError('transaction_not_replaceable')
}

/** Totals of nothing are as if there were none. */
function removeZeros(books: BooksDb, account_id: string): D1PreparedStatement {
  const zero = [...SOLD_SUMS, ...REFUNDED_SUMS].map((name) => `${name} = 0`).join(' AND ')
  return books.prepare(`DELETE FROM tax_totals WHERE account_id = ?1 AND ${zero}`).bind(account_id)
}
