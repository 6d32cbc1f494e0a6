import type { Context } from '../../platform/context.ts'
import { sealedReturns } from '../../sales/sealed/with-sealed.ts'
import type { StoredTransaction } from '../../sales/transactions/sale/rows.ts'
import type { SubmissionRow } from './submissions-store.ts'
import type { ReturnRow } from './returns-store.ts'

/** A kept return that has lines of a sale. */
export type ReturnOfSale = Pick<
  ReturnRow,
  'id' | 'type' | 'jurisdiction_id' | 'period' | 'from_date' | 'to_date' | 'version'
> & {
  /** What became of it at the tax office; null: it was filed, and nothing more is known. */
  state: SubmissionRow['state'] | null
  number: string | null
  day: string | null
  /** Its refund whose lines the return has; '' for lines of the sale itself. */
  refund_id: string
}

/**
 * The kept returns that count and have lines of a sale, once for the sale and once for each refund. Throws
 * sealed_return_unreadable.
 */
export async function readReturnsOfSale(
  context: Context,
  { row, refunds }: StoredTransaction,
): Promise<ReturnOfSale[]> {
  // The books first: lines that are sealed after this are found in the bucket.
  const in_books = await readOfBooks(context, row.id, [])
  if (context.env.CHESTS === undefined) return in_books
  const { findInSealed } = await sealedReturns.load()
  const named = { transaction_id: row.id, day: row.day }
  const found = await findInSealed(context, [
    { ...named, refund_id: '', dated_at: row.transaction_date },
    ...refunds.map(({ id, refunded_at, day }) => ({ ...named, refund_id: id, dated_at: refunded_at, day })),
  ])
  const sealed = found.flatMap((each) =>
    each.found.map(({ refund_id }) => ({ return_id: each.return_id, refund_id })),
  )
  if (sealed.length === 0) return in_books
  const others = in_books.map(({ id, refund_id }) => ({ return_id: id, refund_id }))
  return readOfBooks(context, row.id, [...sealed, ...others])
}

/** `beside`: what returns have of the sale that the books may lack. */
async function readOfBooks(
  { books, principal }: Context,
  transaction_id: string,
  beside: readonly { return_id: string; refund_id: string }[],
): Promise<ReturnOfSale[]> {
  const { results } = await books
    .prepare(
      `SELECT DISTINCT returns.id, type, jurisdiction_id, period, from_date, to_date, version,
         return_submissions.state AS state, number, day, refund_id
       FROM (
         SELECT return_id, refund_id FROM filed_rows WHERE account_id = ?1 AND transaction_id = ?2
         UNION ALL SELECT value ->> 'return_id', value ->> 'refund_id' FROM json_each(?3)) found
       JOIN returns ON returns.id = found.return_id
       LEFT JOIN return_submissions ON return_submissions.return_id = returns.id
       WHERE returns.account_id = ?1 AND status = 'filed'
       ORDER BY from_date, returns.id, refund_id`,
    )
    .bind(principal.account_id, transaction_id, JSON.stringify(beside))
    .all<ReturnOfSale>()
  return results
}
