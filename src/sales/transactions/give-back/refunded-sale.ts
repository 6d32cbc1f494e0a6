import { at } from '../../../engine/ground/invariant.ts'
import type { RefundRow, StoredTransaction } from '../sale/rows.ts'

/** A sale as it is after a refund. */
export function withRefund(sale: StoredTransaction, refund: RefundRow): StoredTransaction {
  return withRefunds(sale, [...sale.refunds, refund], refund, 1)
}

/** A sale as it is without its latest refund: a later one would depend on an earlier one. */
export function withoutLatestRefund(sale: StoredTransaction): StoredTransaction {
  return withRefunds(sale, sale.refunds.slice(0, -1), at(sale.refunds, sale.refunds.length - 1), -1)
}

function withRefunds(
  { row, ...beside }: StoredTransaction,
  refunds: readonly RefundRow[],
  { amount, tax_amount }: RefundRow,
  sign: 1 | -1,
): StoredTransaction {
  const after = {
    ...row,
    status: refunds.length > 0 ? ('refunded' as const) : ('completed' as const),
    amount_refunded: row.amount_refunded + sign * amount,
    tax_refunded: row.tax_refunded + sign * tax_amount,
  }
  return { ...beside, row: after, refunds }
}
