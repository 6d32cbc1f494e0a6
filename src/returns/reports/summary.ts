import { daysBetween } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import { keysOf } from '../../platform/kit/keys-of.ts'
import type { Sums } from '../../sales/transactions/sums/sums.ts'
import { soldFor } from '../rows/sold-for.ts'
import { sumTransactions } from '../../sales/transactions/read/list-store.ts'
import { readSums } from '../../sales/transactions/sums/sums-store.ts'
import { type SummaryGrouping, type SummaryQuery, SummaryTotals } from './schemas.ts'

const COLUMNS = {
  jurisdiction_id: 'jurisdiction_id',
  month: 'substr(period, 1, 7) AS month',
  product_type: 'product_type',
} as const
type GroupKey = keyof typeof COLUMNS

const KEYS: Readonly<Record<SummaryGrouping, readonly GroupKey[]>> = {
  jurisdiction: ['jurisdiction_id'],
  month: ['month'],
  product_type: ['product_type'],
  jurisdiction_and_month: ['jurisdiction_id', 'month'],
}

/** Bounds the rows of a grouping by two keys. */
const DAYS_MAX_OF_TWO_KEYS = 400

/**
 * Sales and tax by group and currency, and by currency alone. Pending and voided transactions never count;
 * refunds count when they are made. Throws invalid_request if a grouping by two keys spans too many days.
 */
export async function summariseSales(context: Context, query: SummaryQuery) {
  const { from_date, to_date, group_by = 'jurisdiction' } = query
  const keys = KEYS[group_by]
  if (keys.length > 1 && daysBetween(from_date, to_date) > DAYS_MAX_OF_TWO_KEYS)
    throw fieldError(
      'invalid_request',
      'to_date',
      `must be at most ${DAYS_MAX_OF_TWO_KEYS} days after from_date for this grouping`,
    )
  const counted = group_by === 'product_type' ? 'product_transactions' : 'transactions'
  const [rows, totals, other_sellers] = await Promise.all([
    readSums<SummarySums & SummaryGroup & { own_rate: number }>(context, from_date, to_date, {
      columns: [...keys.map((key) => COLUMNS[key]), 'currency'],
      counted,
      found: ["max(reason = 'own_rate') AS own_rate", NO_SALES],
    }),
    readSums<SummarySums>(context, from_date, to_date, {
      columns: ['currency'],
      counted: 'transactions',
      found: [NO_SALES],
    }),
    sumTransactions(context, { from_date, to_date, of_other_seller: 'true' }),
  ])
  return {
    from_date,
    to_date,
    group_by,
    columns: [
      ...keys,
      ...keysOf(SummaryTotals.shape),
      ...(rows.some(({ own_rate }) => own_rate === 1) ? ['own_rate' as const] : []),
    ],
    rows: rows.map((row) => ({
      ...groupOf(row, keys),
      currency: row.currency,
      ...presentSums(row),
      ...(row.own_rate === 1 && { own_rate: true }),
    })),
    totals: totals.map(({ currency, ...sums }) => ({ currency, ...presentSums(sums) })),
    ...(other_sellers?.length !== 0 && { other_sellers }),
  }
}

type SummarySums = Sums & { currency: string; no_sales: number }

/** Money that is no sale of the account, so none of its exempt turnover. */
const NO_SALES =
  "sum(CASE WHEN reason IN ('not_a_supply', 'seller_accounts') THEN net_amount ELSE 0 END) AS no_sales"

type SummaryGroup = Partial<Record<GroupKey, string>>

function groupOf(row: SummaryGroup, keys: readonly GroupKey[]): SummaryGroup {
  return Object.fromEntries(keys.map((key) => [key, row[key]]))
}

function presentSums(sums: Omit<SummarySums, 'currency'>) {
  return {
    transactions: sums.transactions,
    refunds: sums.refunds,
    gross_sales: soldFor(sums),
    taxable_sales: sums.taxable_amount,
    exempt_sales: soldFor(sums) - sums.taxable_amount - sums.uncollected_amount - sums.no_sales,
    uncollected_sales: sums.uncollected_amount,
    refunded_sales: sums.refunded_net_amount,
    tax_collected: sums.tax_amount,
    tax_refunded: sums.refunded_tax_amount,
    net_tax: sums.tax_amount - sums.refunded_tax_amount,
  }
}
