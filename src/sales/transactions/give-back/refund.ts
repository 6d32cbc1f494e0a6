import type { Context } from '../../../platform/context.ts'
import { valuesOf } from '../../../platform/database/audit-values.ts'
import { commit } from '../../../platform/writes/commit.ts'
import type { PartOfWrite } from '../../../platform/writes/join-writes.ts'
import { readAgainOnChange } from '../../../platform/database/read-again.ts'
import { insertRows } from '../../../platform/database/insert-rows.ts'
import { ownShard } from '../../../platform/database/shards.ts'
import { eventOfRefund } from '../../../notices/events/events.ts'
import { insertNamedEvents } from '../../../notices/events/named-events-store.ts'
import type { Answer } from '../../../platform/http/answers.ts'
import { takenAsRead } from './credited-sales-store.ts'
import { takersOf } from './remainder.ts'
import { markLateEntries } from '../sums/late-entries-store.ts'
import { refundRow } from './refund-row.ts'
import { answerOfRefund, withRefund } from './refunded-sale.ts'
import type { RefundRow, StoredTransaction } from '../sale/rows.ts'
import type { RefundAnswer } from '../sale/answers.ts'
import type { RefundBody } from '../sale/schemas.ts'
import { findTransaction, takeFromRemaining } from '../sale/store.ts'
import { moveCount } from '../sums/counts-store.ts'
import { addRefundToTotals } from '../sums/totals-store.ts'

type Refunded = Answer<typeof RefundAnswer>

/**
 * Refunds up to the amount not refunded yet. Two refunds at once can never exceed the total: the guard
 * decides, not the read.
 */
export async function refundTransaction(context: Context, id: string, body: RefundBody): Promise<Refunded> {
  return readAgainOnChange(async () => {
    const sale = await findTransaction(context, { id })
    return writeRefund(context, sale, body)
  })
}

async function writeRefund(context: Context, sale: StoredTransaction, body: RefundBody): Promise<Refunded> {
  const { refund, write } = await writeOfRefund(context, sale, body)
  const answer = answerOfRefund(withRefund(sale, refund), refund)
  await commit(context, { ...write, answer })
  return answer
}

/** A refund of a sale, and its write. The write fails with concurrent_change if the sale changed. */
export async function writeOfRefund(
  context: Context,
  sale: StoredTransaction,
  body: RefundBody,
): Promise<{ refund: RefundRow; write: PartOfWrite }> {
  const { books } = context
  const { account_id } = context.principal
  const { row } = sale
  const refund = refundRow(context, sale, body)
  const given_back = withRefund(sale, refund)
  const { row: after } = given_back
  const write: PartOfWrite = {
    changes: [
      ...takeFromRemaining(context, row, after),
      ...insertRows(books, 'refunds', [{ account_id, ...refund }]),
      takenAsRead(books, account_id, [{ id: row.id, takers: takersOf(given_back) }]),
      addRefundToTotals(books, account_id, refund.id),
      ...markLateEntries(books, account_id, [refund]),
      ...(row.status === 'completed' ? [moveCount(books, account_id, row, 'completed', 'refunded')] : []),
    ],
    stores: { refunds: 1 },
    events: insertNamedEvents(
      context.env,
      ownShard(context),
      [eventOfRefund('transaction.refunded', account_id, row.currency, refund)],
      context.now,
    ),
    audit: [
      {
        action: 'transaction.refunded',
        resource_id: row.id,
        changed: ['status', 'amount_refunded', 'tax_refunded'],
        values: await valuesOf(row, after),
      },
    ],
  }
  return { refund, write }
}
