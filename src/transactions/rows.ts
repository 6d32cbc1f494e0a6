/** A transaction as it is stored. Amounts in minor units, the rate in millionths, truth as 0 and 1. */
export type TransactionRow = {
  id: string
  external_id: string | null
  customer_id: string | null
  customer_country: string
  customer_region: string | null
  customer_postal_code: string | null
  customer_vat_id: string | null
  currency: string
  subtotal: number
  tax_amount: number
  total: number
  tax_rate: number
  tax_source: 'calculated' | 'given'
  tax_variance: number | null
  jurisdiction_id: string
  seller_registered: number
  reverse_charge: number
  status: 'pending' | 'completed' | 'refunded' | 'voided'
  amount_refunded: number
  tax_refunded: number
  data_version: string | null
  transaction_date: string
  completed_at: string | null
  voided_at: string | null
  created_at: string
  updated_at: string
}

/** A line as it is stored. */
export type LineRow = {
  transaction_id: string
  position: number
  id: string
  amount: number
  quantity: number
  product_type: string
  description: string | null
  taxable: number
  net_amount: number
  taxable_amount: number
  /** What would be taxable, were the seller registered. */
  uncollected_amount: number
  tax_rate: number
  tax_amount: number
  provincial_tax_amount: number
  taxability_reason: string | null
  reason_detail: string | null
  place_of_supply: string
  scheme: Scheme
  /** JSON of the entries as the API shows them. */
  tax_breakdown: string
  opens_product: number
}

/**
 * Under which one-stop shop the tax of a line is declared; '' by the seller's own registration. `below_eu_threshold` is by its own too, but counts
 * towards the threshold of 10,000 EUR for sales to consumers in other member states.
 */
export type Scheme = '' | 'oss_union' | 'oss_non_union' | 'ioss' | 'below_eu_threshold'

export type RefundRow = { id: string; transaction_id: string; amount: number; tax_amount: number; reason: string; refunded_at: string }

export type StoredTransaction = { row: TransactionRow; lines: readonly LineRow[]; refunds: readonly RefundRow[] }
