import type { Context } from '../../../platform/context.ts'
import { valuesOf } from '../../../platform/database/audit-values.ts'
import type { PartOfWrite } from '../../../platform/writes/join-writes.ts'
import { ApiError } from '../../../platform/errors.ts'
import { withoutLatestRefund } from './refunded-sale.ts'
import type { StoredTransaction } from '../sale/rows.ts'
import { markLateEntries } from '../sums/late-entries-store.ts'
import { deleteRefund } from '../sale/store.ts'
import { moveCount } from '../sums/counts-store.ts'
import { addRefundToTotals } from '../sums/totals-store.ts'

/**
 * The write that deletes the latest refund of a sale, and the sale as it is then. The audit event keeps the
 * values of the refund. Later refunds would depend on an earlier one. Throws refund_not_latest. The write
 * fails with period_already_filed and concurrent_change.
 */
export async function writeOfDeletedRefund(
  context: Context,
  sale: StoredTransaction,
  refund_id: string,
): Promise<{ sale: StoredTransaction; write: PartOfWrite }> {
  const { row } = sale
  const refund = sale.refunds.at(-1)
  // Another request deleted it after the caller learnt its id: the caller has to look again.
  if (!sale.refunds.some(({ id }) => id === refund_id)) throw new ApiError('concurrent_change')
  if (refund === undefined || refund.id !== refund_id) throw new ApiError('refund_not_latest')
  const { books, principal } = context
  const left = withoutLatestRefund(sale)
  const after = left.row
  const write: PartOfWrite = {
    changes: [
      addRefundToTotals(books, principal.account_id, refund.id, -1),
      ...markLateEntries(books, principal.account_id, [refund]),
      ...deleteRefund(context, row, refund, after),
      ...(after.status === 'completed'
        ? [moveCount(books, principal.account_id, row, 'refunded', 'completed')]
        : []),
    ],
    stores: { refunds: -1 },
    events: [],
    audit: [
      {
        action: 'transaction.refund_deleted',
        resource_id: row.id,
        changed: ['status', 'amount_refunded', 'tax_refunded', 'refund'],
        values: {
          ...(await valuesOf(row, after)),
          ...(await valuesOf({ refund: JSON.stringify(refund) }, null)),
        },
      },
    ],
  }
  return { sale: left, write }
}
