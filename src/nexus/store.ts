import type { Context } from '../context.ts'
import { readSums, type Sums } from '../reports/sums.ts'
import type { SoldRow } from './counted-sales.ts'
import type { Window } from './measurement-period.ts'

const COLUMNS = ['jurisdiction_id', 'currency', 'product_type', 'reason', 'scheme'] as const

/** The account's sales in a window, by everything that a threshold can ask for. */
export async function readSold(context: Context, { from, to }: Window): Promise<SoldRow[]> {
  return readSums<Sums & SoldRow>(context, from, to, { columns: COLUMNS, counted: 'transactions' })
}

/** The same day by day, of some jurisdictions only. */
export async function readSoldByDay(
  context: Context,
  { from, to }: Window,
  jurisdiction_ids: readonly string[],
): Promise<(SoldRow & { day: string })[]> {
  const { results } = await context.env.DB.prepare(
    `SELECT period AS day, ${COLUMNS.join(', ')}, sum(transactions) AS transactions, sum(net_amount) AS net_amount, sum(taxable_amount) AS taxable_amount,
       sum(uncollected_amount) AS uncollected_amount
     FROM tax_totals INDEXED BY tax_totals_of_jurisdiction
     WHERE account_id = ? AND jurisdiction_id IN (SELECT value FROM json_each(?)) AND span = 'day' AND period BETWEEN ? AND ?
     GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1`,
  )
    .bind(context.principal.account_id, JSON.stringify(jurisdiction_ids), from, to)
    .all<SoldRow & { day: string }>()
  return results
}
