import type { Context } from '../../../platform/context.ts'
import { valuesOf } from '../../../platform/database/audit-values.ts'
import { readAgainOnChange } from '../../../platform/database/read-again.ts'
import { ownShard } from '../../../platform/database/shards.ts'
import { eventOfRefund } from '../../../notices/events/events.ts'
import { insertNamedEvents } from '../../../notices/events/named-events-store.ts'
import { commit } from '../../../platform/writes/commit.ts'
import type { PartOfWrite } from '../../../platform/writes/join-writes.ts'
import { ApiError, fieldError } from '../../../platform/errors.ts'
import type { Answer } from '../../../platform/http/answers.ts'
import type { Transaction } from '../sale/answers.ts'
import { presentTransaction } from '../sale/present.ts'
import { takenAsRead } from './credited-sales-store.ts'
import { withoutRefund } from './refunded-sale.ts'
import { remainderOf, takersOf } from './remainder.ts'
import { partsOfRefund } from '../sale/line-parts.ts'
import type { RefundRow, StoredTransaction } from '../sale/rows.ts'
import { readSaleContext } from '../sale/sale-context.ts'
import { markLateEntries } from '../sums/late-entries-store.ts'
import { deleteRefund, findTransaction, findTransactions } from '../sale/store.ts'
import { moveCount } from '../sums/counts-store.ts'
import { addRefundToTotals } from '../sums/totals-store.ts'

/**
 * Deletes a refund that failed, or a dispute that was won. The answer is the sale without it. Throws
 * not_found, refund_not_latest, period_already_filed, and refund_exceeds_remaining if the refund freed an
 * earlier sale that was used again.
 */
export async function deleteRefundOfSale(
  context: Context,
  id: string,
  refund_id: string,
): Promise<Answer<typeof Transaction>> {
  return readAgainOnChange(async () => {
    const sale = await findTransaction(context, { id })
    if (!sale.refunds.some((refund) => refund.id === refund_id)) throw new ApiError('not_found')
    const { sale: left, write } = await writeOfDeletedRefund(context, sale, refund_id)
    const answer = presentTransaction(left)
    await commit(context, { ...write, answer })
    return answer
  })
}

/**
 * The write that deletes a refund of a sale, and the sale as it is then. The audit event keeps the values of
 * the refund. Throws refund_not_latest if later refunds are of early releases, which kept no lines, and
 * refund_exceeds_remaining. The write fails with period_already_filed and concurrent_change.
 */
export async function writeOfDeletedRefund(
  context: Context,
  sale: StoredTransaction,
  refund_id: string,
): Promise<{ sale: StoredTransaction; write: PartOfWrite }> {
  const { row } = sale
  const refund = sale.refunds.find(({ id }) => id === refund_id)
  // Another request deleted it after the caller learnt its id: the caller has to look again.
  if (refund === undefined) throw new ApiError('concurrent_change')
  const later = sale.refunds.slice(sale.refunds.indexOf(refund) + 1)
  if (later.flatMap(partsOfRefund).some(({ position }) => position === undefined))
    throw new ApiError('refund_not_latest')
  const { books, principal } = context
  const left = withoutRefund(sale, refund_id)
  const after = left.row
  const settled = await settledAgain(context, sale, refund)
  if (partsOf(left).some(({ sold, left: rest }) => Math.abs(rest.net_amount) > Math.abs(sold.net_amount)))
    throw fieldError('refund_exceeds_remaining', 'refund_id', 'a credit note has charged it again already')
  const taken = [left, ...settled].map((each) => ({ id: each.row.id, takers: takersOf(each) }))
  const write: PartOfWrite = {
    changes: [
      addRefundToTotals(books, principal.account_id, refund.id, -1),
      ...markLateEntries(books, principal.account_id, [refund]),
      ...(await deleteRefund(context, row, refund, after)),
      takenAsRead(books, principal.account_id, taken),
      ...(after.status === 'completed'
        ? [moveCount(books, principal.account_id, row, 'refunded', 'completed')]
        : []),
    ],
    stores: { refunds: -1 },
    events: insertNamedEvents(
      context.env,
      ownShard(context),
      [eventOfRefund('transaction.refund_deleted', principal.account_id, row.currency, refund)],
      context.now,
    ),
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

/**
 * The earlier sales that the refund of a final sale freed, as they are without it. Throws
 * refund_exceeds_remaining if they were used again since.
 */
async function settledAgain(
  context: Context,
  { row }: StoredTransaction,
  refund: RefundRow,
): Promise<StoredTransaction[]> {
  const { lines } = readSaleContext(row.facts)
  const ids = partsOfRefund(refund).flatMap(({ position = -1 }) => lines[position]?.settles ?? [])
  if (ids.length === 0) return []
  const freed = await findTransactions(context, { ids: [...new Set(ids)], external_ids: [] })
  return freed.map(({ settlements, ...sale }) => {
    const left = {
      ...sale,
      settlements: settlements.filter(({ transaction_id }) => transaction_id !== refund.id),
    }
    if (partsOf(left).some(({ sold, left: rest }) => sold.net_amount * rest.net_amount < 0))
      throw fieldError(
        'refund_exceeds_remaining',
        'refund_id',
        `made ${sale.row.id} unused again, and that was settled or refunded since: refund that first`,
      )
    return left
  })
}

function partsOf(sale: StoredTransaction) {
  return [...remainderOf(sale).lines.values()].flatMap(({ parts }) => parts)
}
