import type { Context } from '../../platform/context.ts'
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

/** The kept returns that count and have lines of a sale, once for the sale and once for each refund. */
export async function readReturnsOfSale(
  { books, principal }: Context,
  transaction_id: string,
): Promise<ReturnOfSale[]> {
  const { results } = await books
    .prepare(
      `SELECT DISTINCT returns.id, type, jurisdiction_id, period, from_date, to_date, version,
         return_submissions.state AS state, number, day, refund_id
       FROM filed_rows JOIN returns ON returns.id = filed_rows.return_id
       LEFT JOIN return_submissions ON return_submissions.return_id = returns.id
       WHERE filed_rows.account_id = ?1 AND transaction_id = ?2 AND returns.account_id = ?1
         AND status = 'filed'
       ORDER BY from_date, returns.id, refund_id`,
    )
    .bind(principal.account_id, transaction_id)
    .all<ReturnOfSale>()
  return results
}
