import type { Answer } from '../../../platform/http/answers.ts'
import type { RefundAnswer } from '../sale/answers.ts'
import { presentRefund, sumOfRefunds } from '../sale/present.ts'
import type { RefundRow, StoredTransaction } from '../sale/rows.ts'

/** A sale as it is after a refund. */
export function withRefund(sale: StoredTransaction, refund: RefundRow): StoredTransaction {
  return withRefunds(sale, [...sale.refunds, refund])
}

/** A sale as it is without one of its refunds. */
export function withoutRefund(sale: StoredTransaction, refund_id: string): StoredTransaction {
  return withRefunds(
    sale,
    sale.refunds.filter(({ id }) => id !== refund_id),
  )
}

/**
 * If lines come back that an earlier sale paid, more is given back than the total. The books keep that in the
 * refunds alone.
 */
function withRefunds(
  { row, ...beside }: StoredTransaction,
  refunds: readonly RefundRow[],
): StoredTransaction {
  const after = {
    ...row,
    status: refunds.length > 0 ? ('refunded' as const) : ('completed' as const),
    amount_refunded: Math.min(sumOfRefunds(refunds), Math.max(row.total, 0)),
    tax_refunded: refunds.reduce((sum, { tax_amount }) => sum + tax_amount, 0),
  }
  return { ...beside, row: after, refunds }
}

/** The answer of a refund. The sale is as it is after the refund. */
export function answerOfRefund(
  { row, lines, refunds }: StoredTransaction,
  refund: RefundRow,
): Answer<typeof RefundAnswer> {
  return {
    id: row.id,
    status: 'refunded',
    refund: presentRefund(refund, lines),
    refunds: refunds.map((each) => presentRefund(each, lines)),
    amount_refunded: sumOfRefunds(refunds),
    tax_refunded: row.tax_refunded,
  }
}
