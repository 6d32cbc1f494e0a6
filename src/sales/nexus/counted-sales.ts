import type { Threshold, SalesBasis } from '../../engine/book/facts.ts'
import { convertIndicatively, type RateBook } from '../../engine/book/rate-book.ts'
import { memberStateOf } from '../../engine/regimes/eu-member-states.ts'
import { supplyKind } from '../../engine/book/product-types.ts'
import { refuseInexact } from '../transactions/sums/sums.ts'
import type { TaxabilityReason } from '../../engine/found/assessment.ts'
import type { Sales } from '../../engine/terms/thresholds.ts'

/** Recorded sales of a group, in minor units. Refunds are not subtracted, because thresholds count sales. */
export type SoldRow = {
  jurisdiction_id: string
  place_of_supply: string
  /** The other end of an export: where it arrives, or what it leaves; else ''. */
  exported_to: string
  currency: string
  product_type: string
  reason: string
  /** The type of the certificate that covers the sale, '' for none. */
  exemption: string
  scheme: string
  transactions: number
  net_amount: number
  taxable_amount: number
  uncollected_amount: number
}

type CountedSales = Sales & {
  /** Currencies that were compared at indicative rates. */
  converted: string[]
  /** Currencies without an exchange rate. The amount does not contain their sales. */
  left_out: string[]
}

/**
 * The part of the sales that a threshold counts, in its currency. Throws amount_out_of_range if the sum is
 * too large to be exact.
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
    if (NO_SALES.has(row.reason) || isLeftToMarketplace(threshold, row)) continue
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

const BY_MARKETPLACE = 'marketplace_collects'
/** The sale of a voucher for several kinds of supply, and what the seller on a marketplace sells itself. */
const NO_SALES: ReadonlySet<string> = new Set<TaxabilityReason>(['not_a_supply', 'seller_accounts'])

/** Some thresholds do not count sales for which a marketplace accounts; a record that does not say counts. */
function isLeftToMarketplace({ marketplace_sales_counted }: Threshold, { reason }: SoldRow): boolean {
  return reason === BY_MARKETPLACE && marketplace_sales_counted === false
}

/**
 * The amount that the threshold's basis counts. A sale on which the seller does not collect yet is taxable as
 * it would be after registration.
 */
function amountOf(basis: SalesBasis | null, row: SoldRow): number {
  return AMOUNTS[basis ?? 'gross'](row)
}

const gross = (row: SoldRow) => row.net_amount
const taxable = (row: SoldRow) =>
  row.reason === BY_MARKETPLACE ? row.net_amount : row.taxable_amount + row.uncollected_amount

const AMOUNTS: Readonly<Record<SalesBasis, (row: SoldRow) => number>> = {
  gross,
  taxable,
  gross_tangible_personal_property: (row) => (isGoods(row.product_type) ? row.net_amount : 0),
  retail: (row) => (isForResale(row) ? 0 : row.net_amount),
  cross_border_b2c_goods_and_tbe_services: (row) => (isDistanceSale(row, null) ? row.net_amount : 0),
  goods_from_ni_to_eu_consumers: gross,
  domestic_taxable_turnover: gross,
  gst_turnover: gross,
  worldwide_taxable_incl_zero_rated: gross,
  gross_revenue_from_bc_customers: gross,
  eligible_sales: taxable,
  taxable_sales: taxable,
  taxable_in_quebec_to_consumers: taxable,
  any_taxable_sale_to_saskatchewan: taxable,
}

/**
 * A sale for resale is not a retail sale, whether or not the seller is registered. Sales to governments and
 * nonprofits are. Sales from before the type was recorded count as for resale if the customer was exempt.
 */
function isForResale({ exemption, reason }: SoldRow): boolean {
  return exemption === 'resale' || (exemption === '' && reason === 'customer_exempt')
}

/**
 * All sales of goods and electronic services to consumers in other member states count together (Directive
 * 2006/112/EC, art. 59c(1)(b), (c)). The one-stop shop has more: other services, and goods from stock
 * elsewhere into the seller's own state, `home`. Goods from there into other states count by the letter of
 * the Directive.
 */
export function isDistanceSale(
  { scheme, product_type, place_of_supply }: Pick<SoldRow, 'scheme' | 'product_type' | 'place_of_supply'>,
  home: string | null,
): boolean {
  if (scheme !== 'oss_union') return scheme === 'below_eu_threshold'
  return countsInUnion(product_type) && memberStateOf(place_of_supply) !== home
}

/** Directive 2006/112/EC, art. 59c, as far as a product tells. */
export function countsInUnion(product_type: string): boolean {
  return isGoods(product_type) || supplyKind(product_type) === 'digital'
}

export function isGoods(product_type: string): boolean {
  const kind = supplyKind(product_type)
  return kind === 'goods' || kind === 'shipping'
}
