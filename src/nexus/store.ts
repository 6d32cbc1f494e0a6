import type { Context } from '../context.ts'
import { conditionOf, type Piece } from '../reports/period.ts'
import { readSums, type Sums } from '../reports/sums.ts'
import type { SoldRow } from './counted-sales.ts'
import type { Window } from './measurement-period.ts'

const COLUMNS = ['jurisdiction_id', 'currency', 'product_type', 'reason', 'scheme'] as const

/** The account's sales in a window, by everything that a threshold can ask for. */
export async function readSold(context: Context, { from, to }: Window): Promise<SoldRow[]> {
  return readSums<Sums & SoldRow>(context, from, to, { columns: COLUMNS, counted: 'transactions' })
}

export type SoldInPeriod = SoldRow & { period: string }

/** The same period by period, of some jurisdictions, for each request: one round trip however many. Whole months come as months. */
export async function readSoldByPeriod(
  { env, principal }: Context,
  requests: readonly { pieces: readonly Piece[]; jurisdiction_ids: readonly string[] }[],
): Promise<SoldInPeriod[][]> {
  if (requests.length === 0) return []
  const results = await env.DB.batch<SoldInPeriod>(
    requests.map(({ pieces, jurisdiction_ids }) => {
      const within = conditionOf(pieces)
      return env.DB.prepare(
        `SELECT period, ${COLUMNS.join(', ')}, sum(transactions) AS transactions, sum(net_amount) AS net_amount, sum(taxable_amount) AS taxable_amount,
           sum(uncollected_amount) AS uncollected_amount
         FROM tax_totals INDEXED BY tax_totals_of_jurisdiction
         WHERE account_id = ? AND jurisdiction_id IN (SELECT value FROM json_each(?)) AND ${within.sql}
         GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1`,
      ).bind(principal.account_id, JSON.stringify(jurisdiction_ids), ...within.values)
    }),
  )
  return results.map((result) => result.results)
}
