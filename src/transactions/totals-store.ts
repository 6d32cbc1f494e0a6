import type { Context } from '../context.ts'
import { conditionOf, piecesOf } from './pieces.ts'

/**
 * The part of a refund for one group of lines, with the columns of its row in tax_totals. Amounts in minor
 * units.
 */
export type RefundPart = {
  place_of_supply: string
  scheme: string
  product_type: string
  /** Millionths. */
  tax_rate: number
  /** The taxability reason, '' for none. */
  reason: string
  /** 1 for the group that counts the refund for its product type. */
  opens_product: number
  net_amount: number
  taxable_amount: number
  tax_amount: number
  provincial_tax_amount: number
}

export type CountChange = { day: string; jurisdiction_id: string; status: string; change: number }

const GROUP = 'place_of_supply, scheme, currency, product_type, tax_rate, reason'
const KEY = `account_id, span, period, sold_in, jurisdiction_id, exported_to, ${GROUP}`
const SPANS = "(SELECT 'day' AS span, 10 AS length UNION ALL SELECT 'month', 7)"

/**
 * Adds sales to the totals of their day and month. The statement sums the stored lines of completed sales, so
 * that totals and transactions always agree. Put it after the inserts, in the same batch.
 */
export function addSalesToTotals(
  db: D1Database,
  account_id: string,
  ids: readonly string[],
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO tax_totals (${KEY}, transactions, product_transactions,
         net_amount, taxable_amount, uncollected_amount, tax_amount, provincial_tax_amount)
       SELECT sale.account_id, span, substr(sale.transaction_date, 1, length),
         substr(sale.transaction_date, 1, 7), jurisdiction_id, exported_to, place_of_supply, scheme, currency,
         product_type, line.tax_rate, coalesce(taxability_reason, ''), sum(position = 0), sum(opens_product),
         sum(net_amount), sum(taxable_amount), sum(uncollected_amount), sum(line.tax_amount),
         sum(provincial_tax_amount)
       FROM transactions sale JOIN transaction_lines line ON line.transaction_id = sale.id, ${SPANS}
       WHERE sale.account_id = ?1 AND sale.id IN (SELECT value FROM json_each(?2))
         AND sale.status = 'completed'
       GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
       ON CONFLICT DO UPDATE SET
         transactions = transactions + excluded.transactions,
         product_transactions = product_transactions + excluded.product_transactions,
         net_amount = net_amount + excluded.net_amount,
         taxable_amount = taxable_amount + excluded.taxable_amount,
         uncollected_amount = uncollected_amount + excluded.uncollected_amount,
         tax_amount = tax_amount + excluded.tax_amount,
         provincial_tax_amount = provincial_tax_amount + excluded.provincial_tax_amount`,
    )
    .bind(account_id, JSON.stringify(ids))
}

/** Adds a stored refund to the totals of its day and month. Put it after the insert, in the same batch. */
export function addRefundToTotals(
  db: D1Database,
  account_id: string,
  refund_id: string,
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO tax_totals (${KEY}, refunds, product_refunds, refunded_net_amount, refunded_taxable_amount,
         refunded_tax_amount, refunded_provincial_tax_amount)
       SELECT refund.account_id, span, substr(refunded_at, 1, length), substr(transaction_date, 1, 7),
         jurisdiction_id, exported_to, part.value ->> 'place_of_supply', part.value ->> 'scheme', currency,
         part.value ->> 'product_type', part.value ->> 'tax_rate', part.value ->> 'reason', sum(part.key = 0),
         sum(part.value ->> 'opens_product'), sum(part.value ->> 'net_amount'),
         sum(part.value ->> 'taxable_amount'), sum(part.value ->> 'tax_amount'),
         sum(part.value ->> 'provincial_tax_amount')
       FROM refunds refund
         JOIN transactions sale ON sale.id = refund.transaction_id, json_each(refund.parts) part, ${SPANS}
       WHERE refund.account_id = ?1 AND refund.id = ?2
       GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
       ON CONFLICT DO UPDATE SET
         refunds = refunds + excluded.refunds,
         product_refunds = product_refunds + excluded.product_refunds,
         refunded_net_amount = refunded_net_amount + excluded.refunded_net_amount,
         refunded_taxable_amount = refunded_taxable_amount + excluded.refunded_taxable_amount,
         refunded_tax_amount = refunded_tax_amount + excluded.refunded_tax_amount,
         refunded_provincial_tax_amount =
           refunded_provincial_tax_amount + excluded.refunded_provincial_tax_amount`,
    )
    .bind(account_id, refund_id)
}

/** Changes the counts of transactions. A change of status is -1 for the old status and +1 for the new one. */
export function countTransactions(
  db: D1Database,
  account_id: string,
  changes: readonly CountChange[],
): D1PreparedStatement {
  return db
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

type CountFilter = {
  from_date?: string | undefined
  to_date?: string | undefined
  jurisdiction_id?: string | undefined
  status?: string | undefined
}

/** How many transactions match a filter, from the counts of whole months and of the days at both ends. */
export async function readTransactionCount(
  { env, principal }: Context,
  filter: CountFilter,
): Promise<number> {
  const { from_date = '0000-01-01', to_date = '9999-12-31', jurisdiction_id = null, status = null } = filter
  const within = conditionOf(piecesOf(from_date, to_date))
  const row = await env.DB.prepare(
    `SELECT coalesce(sum(transactions), 0) AS total FROM transaction_counts
     WHERE account_id = ?1 AND (?2 IS NULL OR jurisdiction_id = ?2) AND (?3 IS NULL OR status = ?3)
       AND ${within.sql}`,
  )
    .bind(principal.account_id, jurisdiction_id, status, ...within.values)
    .first<{ total: number }>()
  return row?.total ?? 0
}
