import { GROUPED } from '../../sales/transactions/sums/sums.ts'

/**
 * A part of a sold line, or what a refund gave back of it. Amounts in minor units of its currency, negative
 * for a refund; rate in millionths; days are local days of the account.
 */
export type LineEntry = {
  id: string
  entry: 'sale' | 'refund'
  transaction_id: string
  external_id: string | null
  line_id: string | null
  refund_id: string | null
  dated_at: string
  day: string
  sold_in: string
  recorded_at: string
  jurisdiction_id: string
  place_of_supply: string
  scheme: string
  currency: string
  product_type: string
  description: string | null
  quantity: number | null
  tax_rate: number
  reason: string
  exemption: string
  exported_to: string
  net_amount: number
  taxable_amount: number
  uncollected_amount: number
  tax_amount: number
  provincial_tax_amount: number
  /**
   * JSON of the taxes by jurisdiction, positive for refunds too. `[]`: they are unknown. Null: the whole tax
   * belongs to the place of supply, or returns of the place do not list them.
   */
  taxes: string | null
  customer_id: string | null
  customer_country: string
  customer_region: string | null
  customer_postal_code: string | null
  customer_vat_id: string | null
  tax_source: string
  data_version: string | null
  facts: string
  audit_id: string | null
}

/** The fields that decide where a line is in a return. */
type GroupFields = Pick<LineEntry, (typeof GROUPED)[number]>

/** One text for all fields of a group. */
export function groupKeyOf(row: GroupFields): string {
  return GROUPED.map((name) => row[name]).join(' ')
}

/** 1 for the line that counts its sale or its refund: the first part of the first line. */
export function countedBy({ id, entry }: Pick<LineEntry, 'id' | 'entry'>): 0 | 1 {
  return id.endsWith(entry === 'sale' ? '/000/0' : '/000') ? 1 : 0
}
