/** One flat row a transaction. Amounts in minor units, the rate as a fraction. */
export type ReportRow = {
  id: string
  external_id: string | null
  transaction_date: string
  status: string
  jurisdiction_id: string
  customer_id: string | null
  customer_country: string
  customer_region: string | null
  customer_postal_code: string | null
  currency: string
  subtotal: number
  taxable_amount: number
  tax_rate: number
  tax_amount: number
  total: number
  amount_refunded: number
  tax_refunded: number
  reverse_charge: boolean
  seller_registered: boolean
}

/** Its columns, in the order of the file. */
export const COLUMNS = [
  'id',
  'external_id',
  'transaction_date',
  'status',
  'jurisdiction_id',
  'customer_id',
  'customer_country',
  'customer_region',
  'customer_postal_code',
  'currency',
  'subtotal',
  'taxable_amount',
  'tax_rate',
  'tax_amount',
  'total',
  'amount_refunded',
  'tax_refunded',
  'reverse_charge',
  'seller_registered',
] as const satisfies readonly (keyof ReportRow)[]
