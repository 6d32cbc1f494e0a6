import type { Context } from '../../platform/context.ts'
import { conditionOfRanges, type TotalsRange } from '../transactions/totals-ranges.ts'
import type { Sums } from '../transactions/sums.ts'
import { orTooLarge, readSums, type TotalsOf } from '../transactions/sums-store.ts'
import type { SoldRow } from './counted-sales.ts'
import type { Window } from './measurement-period.ts'

const COLUMNS = [
  'jurisdiction_id',
  'exported_to',
  'currency',
  'product_type',
  'reason',
  'exemption',
  'scheme',
] as const

/** Sales of a group with all sums of it. */
export type SoldSums = Sums & SoldRow

/**
 * The account's sales in a window, grouped by the fields that thresholds depend on. A group that has only
 * refunds of older sales is left out.
 */
export async function readSold(account: TotalsOf, { from, to }: Window): Promise<SoldSums[]> {
  const rows = await readSums<SoldSums>(account, from, to, {
    columns: COLUMNS,
    counted: 'transactions',
  })
  return rows.filter((row) => row.transactions !== 0 || row.net_amount !== 0)
}

export type SoldInPeriod = SoldRow & { period: string }

/**
 * Like readSold, by period and for some jurisdictions. All requests together take one round trip. A whole
 * month is one period.
 */
export async function readSoldByPeriod(
  { books, principal }: Context,
  requests: readonly { ranges: readonly TotalsRange[]; jurisdiction_ids: readonly string[] }[],
): Promise<SoldInPeriod[][]> {
  if (requests.length === 0) return []
  const statements = requests.map(({ ranges, jurisdiction_ids }) => {
    const within = conditionOfRanges(ranges)
    return books
      .prepare(
        `SELECT period, ${COLUMNS.join(', ')}, sum(transactions) AS transactions,
           sum(net_amount) AS net_amount, sum(taxable_amount) AS taxable_amount,
           sum(uncollected_amount) AS uncollected_amount
         FROM tax_totals INDEXED BY tax_totals_of_jurisdiction
         WHERE account_id = ? AND jurisdiction_id IN (SELECT value FROM json_each(?)) AND ${within.sql}
         GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1`,
      )
      .bind(principal.account_id, JSON.stringify(jurisdiction_ids), ...within.values)
  })
  const results = await orTooLarge(books.batch<SoldInPeriod>(statements))
  return results.map((result) => result.results)
}
