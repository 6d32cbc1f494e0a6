import type { Context } from '../context.ts'
import { commit } from '../database/commit.ts'
import { newId } from '../database/ids.ts'
import { readAgainOnChange } from '../database/read-again.ts'
import { insertRows } from '../database/insert-rows.ts'
import { ApiError, fieldError } from '../errors.ts'
import { transactionRefunded } from '../events/events.ts'
import { insertNamedEvents } from '../events/named-events-store.ts'
import type { Answer } from '../http/answers.ts'
import { sendPendingEvents } from '../webhooks/sweep.ts'
import { presentRefund } from './present.ts'
import { type RefundSplit, splitRefund } from './refund-split.ts'
import type { RefundRow, StoredTransaction } from './rows.ts'
import type { RefundAnswer, RefundBody } from './schemas.ts'
import { findTransaction, takeFromRemaining } from './store.ts'
import { addRefundToTotals, countTransactions } from './totals-store.ts'

type Refunded = Answer<typeof RefundAnswer>

/**
 * Refunds up to the amount not refunded yet. Two refunds at once can never exceed the total: the guard
 * decides, not the read.
 */
export async function refundTransaction(context: Context, id: string, body: RefundBody): Promise<Refunded> {
  return readAgainOnChange(async () => {
    const sale = await findTransaction(context, { id })
    refuseRefund(sale, body)
    return writeRefund(context, sale, body)
  })
}

/** Each answer lists all refunds of the sale, so their number has a bound. */
const REFUNDS_OF_SALE_MAX = 200

function refuseRefund({ row, refunds }: StoredTransaction, { amount }: RefundBody): void {
  if (refunds.length >= REFUNDS_OF_SALE_MAX)
    throw new ApiError('quota_exceeded', {
      message: `A transaction has at most ${REFUNDS_OF_SALE_MAX} refunds`,
    })
  if (row.status !== 'completed' && row.status !== 'refunded') {
    throw new ApiError('transaction_not_refundable', {
      message: `Only a completed transaction can be refunded: this one is ${row.status}`,
    })
  }
  const left = Math.max(row.total - row.amount_refunded, 0)
  if (amount > left)
    throw fieldError('refund_exceeds_remaining', 'amount', `must be at most ${left}, the rest of the total`)
}

async function writeRefund(context: Context, sale: StoredTransaction, body: RefundBody): Promise<Refunded> {
  const { DB } = context.env
  const { account_id } = context.principal
  const { row } = sale
  const split = splitRefund(row, sale.lines, body.amount)
  const refund = refundRow(context, row.id, body, split)
  const amount_refunded = row.amount_refunded + body.amount
  const { tax_refunded } = split
  const answer: Refunded = {
    id: row.id,
    status: 'refunded',
    refund: presentRefund(refund),
    refunds: [...sale.refunds, refund].map(presentRefund),
    amount_refunded,
    tax_refunded,
  }
  const told = await commit(context, {
    changes: [
      ...takeFromRemaining(context, row, { amount_refunded, tax_refunded }),
      ...insertRows(DB, 'refunds', [{ account_id, ...refund, parts: JSON.stringify(split.parts) }]),
      addRefundToTotals(DB, account_id, refund.id),
      ...(row.status === 'completed' ? [countTransactions(DB, account_id, moveOfCount(sale))] : []),
    ],
    stores: { refunds: 1 },
    events: insertNamedEvents(DB, [transactionRefunded(account_id, row.currency, refund)], context.now),
    audit: {
      action: 'transaction.refunded',
      resource_id: row.id,
      changed: ['status', 'amount_refunded', 'tax_refunded'],
    },
    answer,
  })
  if (told) await sendPendingEvents(context.env, context.now)
  return answer
}

function refundRow(
  context: Context,
  transaction_id: string,
  { amount, reason }: RefundBody,
  { tax_amount }: RefundSplit,
): RefundRow {
  return {
    id: newId('rfd'),
    transaction_id,
    amount,
    tax_amount,
    reason,
    refunded_at: context.now.toISOString(),
  }
}

function moveOfCount({ row }: StoredTransaction) {
  const place = { day: row.transaction_date.slice(0, 10), jurisdiction_id: row.jurisdiction_id }
  return [
    { ...place, status: 'completed', change: -1 },
    { ...place, status: 'refunded', change: 1 },
  ]
}
