import type { Context } from '../../platform/context.ts'
import { rowsOf } from '../../platform/database/results.ts'
import { orTooLarge } from '../../sales/transactions/sums/sums-store.ts'

/** How many sales the report may read. */
export const DIFFERING_MAX = 50_000

/** Sales whose tax differs from the calculated one, added up. Amounts in minor units. */
export type VarianceSums = { transactions: number; charged_tax: number; variance: number }

export type VarianceRow = VarianceSums & { month: string; jurisdiction_id: string; currency: string }
type VarianceTotal = VarianceSums & { currency: string }

/** `read` is more than DIFFERING_MAX if there are too many sales to add up. */
type ReadVariances = {
  read: number
  rows: VarianceRow[]
  groups: number
  totals: readonly VarianceTotal[]
}

/** Of a sale that has the calculated tax, the charged tax is that and the difference that the caller told. */
const SUMS = `count(*) AS transactions, sum(tax_variance) AS variance,
  sum(tax_amount + iif(tax_source = 'calculated', tax_variance, 0)) AS charged_tax`

type VarianceFilter = { from_date: string; to_date: string; jurisdiction_id?: string | undefined }

/**
 * A page of the sums by month, place and currency, the latest month first, and all sums by currency. Throws
 * amount_out_of_range.
 */
export async function readVariances(
  { books, principal }: Context,
  { from_date, to_date, jurisdiction_id }: VarianceFilter,
  limit: number,
  offset: number,
): Promise<ReadVariances> {
  const sales = `(SELECT day, jurisdiction_id, currency, tax_amount, tax_source, tax_variance
    FROM transactions INDEXED BY transactions_with_variance
    WHERE account_id = ?1 AND tax_variance <> 0 AND day BETWEEN ?2 AND ?3
      AND status IN ('completed', 'refunded') AND of_other_seller = 0 AND (?4 = '' OR jurisdiction_id = ?4)
    LIMIT ${DIFFERING_MAX + 1})` as const
  const bound = [principal.account_id, from_date, to_date, jurisdiction_id ?? '']
  const statements = [
    books
      .prepare(
        `SELECT substr(day, 1, 7) AS month, jurisdiction_id, currency, ${SUMS}
         FROM ${sales} GROUP BY month, jurisdiction_id, currency
         ORDER BY month DESC, jurisdiction_id, currency LIMIT ?5 OFFSET ?6`,
      )
      .bind(...bound, limit, offset),
    books
      .prepare(
        `SELECT currency, ${SUMS}, (SELECT count(*) FROM (
           SELECT 1 FROM ${sales} GROUP BY substr(day, 1, 7), jurisdiction_id, currency)) AS groups
         FROM ${sales} GROUP BY currency ORDER BY currency`,
      )
      .bind(...bound),
  ]
  const [rows, totals] = await orTooLarge(books.batch(statements))
  const found = rowsOf<VarianceTotal & { groups: number }>(totals)
  return {
    read: found.reduce((sum, { transactions }) => sum + transactions, 0),
    rows: rowsOf<VarianceRow>(rows),
    groups: found[0]?.groups ?? 0,
    totals: found,
  }
}
