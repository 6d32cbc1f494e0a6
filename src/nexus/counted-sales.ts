import type { Threshold } from '../tax/facts.ts'
import { convertIndicatively } from '../tax/consignment.ts'
import { refuseInexact } from '../reports/sums-store.ts'
import { supplyKind } from '../tax/product-types.ts'
import type { RateBook } from '../tax/rate-book.ts'
import type { Sales } from '../tax/thresholds.ts'

/** Recorded sales of a group, minor units, not lessened by refunds: thresholds look at what was sold. */
export type SoldRow = {
  jurisdiction_id: string
  /** The customer's jurisdiction where goods left that of the sale as an export, else ''. */
  exported_to: string
  currency: string
  product_type: string
  reason: string
  scheme: string
  transactions: number
  net_amount: number
  taxable_amount: number
  uncollected_amount: number
}

export type CountedSales = Sales & {
  /** Currencies that were compared at indicative rates. */
  converted: string[]
  /** Currencies for which there is no rate: their sales are not in the amount. */
  left_out: string[]
}

/**
 * What a threshold counts of the sales, in its own currency. Throws amount_out_of_range where the sum cannot
 * be told exactly.
 */
export function countSales(book: RateBook, threshold: Threshold, rows: readonly SoldRow[]): CountedSales {
  const counted: CountedSales = {
    amount: 0,
    currency: threshold.currency,
    transaction_count: 0,
    converted: [],
    left_out: [],
  }
  const amounts = new Map<string, number>()
  for (const row of rows) {
    counted.transaction_count += row.transactions
    amounts.set(row.currency, (amounts.get(row.currency) ?? 0) + amountOf(threshold.included_sales, row))
  }
  for (const [currency, amount] of amounts) {
    refuseInexact(amount)
    const own =
      currency === threshold.currency
        ? amount
        : convertIndicatively(book, amount, currency, threshold.currency)
    if (own === null) counted.left_out.push(currency)
    else counted.amount += own
    if (own !== null && currency !== threshold.currency) counted.converted.push(currency)
  }
  refuseInexact(counted.amount)
  return counted
}

/**
 * By the threshold's own basis. A sale on which the seller does not collect yet is as taxable as it would be
 * after registration.
 */
function amountOf(included_sales: string | null, row: SoldRow): number {
  const taxable = row.taxable_amount + row.uncollected_amount
  switch (included_sales) {
    case 'gross_tangible_personal_property':
      return isGoods(row.product_type) ? row.net_amount : 0
    // Sales for resale are no retail sales.
    case 'retail':
      return row.reason === 'customer_exempt' ? 0 : row.net_amount
    case 'taxable':
    case 'taxable_sales':
    case 'eligible_sales':
    case 'taxable_in_quebec_to_consumers':
    case 'any_taxable_sale_to_saskatchewan':
      return taxable
    case 'cross_border_b2c_goods_and_tbe_services':
      return row.scheme === 'oss_union' || row.scheme === 'below_eu_threshold' ? row.net_amount : 0
    default:
      return row.net_amount
  }
}

function isGoods(product_type: string): boolean {
  const kind = supplyKind(product_type)
  return kind === 'goods' || kind === 'shipping'
}
