import type { Answer } from '../http/answers.ts'
import type { LineRow, RefundRow, StoredTransaction } from './rows.ts'
import type { Refund, Transaction, TransactionLine } from './schemas.ts'

/** A transaction as the API shows it. `refund` and `voided_at` exist only after a refund or a void. */
export function presentTransaction({ row, lines, refunds }: StoredTransaction): Answer<typeof Transaction> {
  const {
    customer_country,
    customer_region,
    customer_postal_code,
    customer_id,
    customer_vat_id,
    voided_at,
    exported_to: _,
    ...shown
  } = row
  const shownRefunds = refunds.map(presentRefund)
  const latest = shownRefunds.at(-1)
  return {
    ...shown,
    customer: {
      id: customer_id,
      vat_id: customer_vat_id,
      address: { country: customer_country, region: customer_region, postal_code: customer_postal_code },
    },
    tax_rate: row.tax_rate / 1_000_000,
    seller_registered: row.seller_registered === 1,
    reverse_charge: row.reverse_charge === 1,
    line_items: lines.map(presentLine),
    ...(latest !== undefined && { refund: latest }),
    refunds: shownRefunds,
    ...(voided_at !== null && { voided_at }),
  }
}

export function presentRefund(row: RefundRow): Answer<typeof Refund> {
  const { id, amount, tax_amount, reason, refunded_at } = row
  return { id, amount, tax_amount, reason, refunded_at }
}

function presentLine(line: LineRow): Answer<typeof TransactionLine> {
  return {
    id: line.id,
    amount: line.amount,
    quantity: line.quantity,
    product_type: line.product_type,
    description: line.description,
    taxable: line.taxable === 1,
    net_amount: line.net_amount,
    taxable_amount: line.taxable_amount,
    tax_rate: line.tax_rate / 1_000_000,
    tax_amount: line.tax_amount,
    taxability_reason: line.taxability_reason,
    reason_detail: line.reason_detail,
    tax_breakdown: JSON.parse(line.tax_breakdown),
  }
}
