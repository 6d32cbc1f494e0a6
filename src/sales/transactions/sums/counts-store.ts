import type { BooksDb } from '../../../platform/database/databases.ts'
import type { Context } from '../../../platform/context.ts'
import { SHOWN_STATUS } from './status-store.ts'
import { conditionOfRanges, rangesOfPeriod } from './totals-ranges.ts'
import { minusIf, type Sign, SPANS } from './totals-store.ts'

type CountChange = { day: string; jurisdiction_id: string; status: string; change: number }

/** Counts a transaction under another status. */
export function moveCount(
  books: BooksDb,
  account_id: string,
  { day, jurisdiction_id }: Pick<CountChange, 'day' | 'jurisdiction_id'>,
  from: string,
  to: string,
): D1PreparedStatement {
  return countTransactions(books, account_id, [
    { day, jurisdiction_id, status: from, change: -1 },
    { day, jurisdiction_id, status: to, change: 1 },
  ])
}

/** Changes the counts of transactions. */
export function countTransactions(
  books: BooksDb,
  account_id: string,
  changes: readonly CountChange[],
): D1PreparedStatement {
  return books
    .prepare(
      `INSERT INTO transaction_counts (account_id, span, period, jurisdiction_id, status, transactions)
       SELECT ?1, span, substr(value ->> 'day', 1, length), value ->> 'jurisdiction_id', value ->> 'status',
         sum(value ->> 'change')
       FROM json_each(?2), ${SPANS} WHERE true
       GROUP BY 2, 3, 4, 5
       ON CONFLICT DO UPDATE SET transactions = transactions + excluded.transactions`,
    )
    .bind(account_id, JSON.stringify(changes))
}

/** Adds stored transactions to the counts of their day and month, or takes them away. */
export function countStored(
  books: BooksDb,
  account_id: string,
  ids: readonly string[],
  sign: Sign,
): D1PreparedStatement {
  return books
    .prepare(
      `INSERT INTO transaction_counts (account_id, span, period, jurisdiction_id, status, transactions)
       SELECT account_id, span, substr(day, 1, length), jurisdiction_id, ${SHOWN_STATUS},
         ${minusIf(sign)} count(*)
       FROM transactions, ${SPANS}
       WHERE +account_id = ?1 AND id IN (SELECT value FROM json_each(?2))
       GROUP BY 2, 3, 4, 5
       ON CONFLICT DO UPDATE SET transactions = transactions + excluded.transactions`,
    )
    .bind(account_id, JSON.stringify(ids))
}

type CountFilter = {
  from_date?: string | undefined
  to_date?: string | undefined
  jurisdiction_id?: string | undefined
  status?: string | undefined
}

/** How many transactions match a filter, from the counts of whole months and of the days at both ends. */
export async function readTransactionCount(
  { books, principal }: Context,
  filter: CountFilter,
): Promise<number> {
  const { from_date = '0000-01-01', to_date = '9999-12-31', jurisdiction_id = null, status = null } = filter
  const within = conditionOfRanges(rangesOfPeriod(from_date, to_date))
  const row = await books
    .prepare(
      `SELECT coalesce(sum(transactions), 0) AS total FROM transaction_counts
     WHERE account_id = ?1 AND (?2 IS NULL OR jurisdiction_id = ?2) AND (?3 IS NULL OR status = ?3)
       AND ${within.sql}`,
    )
    .bind(principal.account_id, jurisdiction_id, status, ...within.values)
    .first<{ total: number }>()
  return row?.total ?? 0
}
