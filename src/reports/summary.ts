import type { Context } from '../context.ts'
import type { Sums } from '../transactions/sums.ts'
import { readSums } from '../transactions/sums-store.ts'
import type { SummaryQuery } from './schemas.ts'

const SHOWN = [
  'transactions',
  'refunds',
  'gross_sales',
  'taxable_sales',
  'exempt_sales',
  'uncollected_sales',
  'refunded_sales',
  'tax_collected',
  'tax_refunded',
  'net_tax',
] as const satisfies readonly (keyof ReturnType<typeof presentSums>)[]

const COLUMNS = {
  jurisdiction: 'jurisdiction_id',
  month: 'substr(period, 1, 7)',
  product_type: 'product_type',
} as const

/**
 * Sales and tax by group and currency, and by currency alone. Pending and voided transactions never count;
 * refunds count when they are made.
 */
export async function summariseSales(context: Context, query: SummaryQuery) {
  const { from_date, to_date, group_by = 'jurisdiction' } = query
  const counted = group_by === 'product_type' ? 'product_transactions' : 'transactions'
  const [rows, totals] = await Promise.all([
    readSums<Sums & { name: string; currency: string }>(context, from_date, to_date, {
      columns: [`${COLUMNS[group_by]} AS name`, 'currency'],
      counted,
    }),
    readSums<Sums & { currency: string }>(context, from_date, to_date, {
      columns: ['currency'],
      counted: 'transactions',
    }),
  ])
  const key = group_by === 'jurisdiction' ? 'jurisdiction_id' : group_by
  return {
    from_date,
    to_date,
    group_by,
    columns: [key, 'currency', ...SHOWN],
    rows: rows.map(({ name, currency, ...sums }) => ({ [key]: name, currency, ...presentSums(sums) })),
    totals: totals.map(({ currency, ...sums }) => ({ currency, ...presentSums(sums) })),
  }
}

function presentSums(sums: Sums) {
  return {
    transactions: sums.transactions,
    refunds: sums.refunds,
    gross_sales: sums.net_amount,
    taxable_sales: sums.taxable_amount,
    exempt_sales: sums.net_amount - sums.taxable_amount - sums.uncollected_amount,
    uncollected_sales: sums.uncollected_amount,
    refunded_sales: sums.refunded_net_amount,
    tax_collected: sums.tax_amount,
    tax_refunded: sums.refunded_tax_amount,
    net_tax: sums.tax_amount - sums.refunded_tax_amount,
  }
}
