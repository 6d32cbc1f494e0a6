import type { Context } from '../../../platform/context.ts'
import { valuesOf } from '../../../platform/database/audit-values.ts'
import { commit } from '../../../platform/writes/commit.ts'
import type { PartOfWrite } from '../../../platform/writes/join-writes.ts'
import { newId } from '../../../platform/database/ids.ts'
import { readAgainOnChange } from '../../../platform/database/read-again.ts'
import { insertRows } from '../../../platform/database/insert-rows.ts'
import { ownShard } from '../../../platform/database/shards.ts'
import { fieldError } from '../../../platform/errors.ts'
import { eventOfRefund } from '../../../notices/events/events.ts'
import { insertNamedEvents } from '../../../notices/events/named-events-store.ts'
import { dayIn, momentIn } from '../../../platform/kit/time-zone.ts'
import type { Answer } from '../../../platform/http/answers.ts'
import { takenAsRead } from './credited-sales-store.ts'
import { withLineIds } from './line-ids.ts'
import { takersOf } from './remainder.ts'
import { markLateEntries } from '../sums/late-entries-store.ts'
import { presentRefund, sumOfRefunds } from '../sale/present.ts'
import { divideRefund, refuseUnrefundable } from './refund-lines.ts'
import { withRefund } from './refunded-sale.ts'
import type { RefundRow, StoredTransaction } from '../sale/rows.ts'
import { readSaleContext } from '../sale/sale-context.ts'
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
  const { row, lines, refunds } = withRefund(sale, refund)
  const answer: Refunded = {
    id: row.id,
    status: 'refunded',
    refund: presentRefund(refund, lines),
    refunds: refunds.map((each) => presentRefund(each, lines)),
    amount_refunded: sumOfRefunds(refunds),
    tax_refunded: row.tax_refunded,
  }
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
  refuseUnrefundable(sale)
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

/** A line of 1.5 kg counts as one piece, so a quantity of 1 could mean a kilogram or all of it. */
function refuseUncountable({ row, lines }: StoredTransaction, { line_items = [] }: RefundBody): void {
  const { lines: ofLines } = readSaleContext(row.facts)
  for (const [index, { id, quantity }] of line_items.entries()) {
    const line = lines.find((each) => each.id === id)
    const { unit_quantity = 1 } = (line && ofLines[line.position]) ?? {}
    if (quantity === undefined || Number.isInteger(unit_quantity)) continue
    const detail = `the line was sold with a quantity of ${unit_quantity}: give amount`
    throw fieldError('invalid_request', `line_items[${index}].quantity`, detail)
  }
}

function refundRow(context: Context, sale: StoredTransaction, asked: RefundBody): RefundRow {
  const body = withLineIds(sale, asked)
  refuseUncountable(sale, body)
  const { parts, ...divided } = divideRefund(sale, body)
  return {
    id: newId('rfd'),
    transaction_id: sale.row.id,
    ...divided,
    reason: body.reason,
    parts: JSON.stringify(parts),
    ...dateOfRefund(context, sale, body),
    recorded_at: context.now.toISOString(),
    external_id: body.external_id ?? null,
    credit_note_number: body.credit_note_number ?? null,
  }
}

/** A date means its first moment, or the moment of the sale on the day of the sale. */
function dateOfRefund(context: Context, { row }: StoredTransaction, { refunded_at }: RefundBody) {
  const { now, principal } = context
  const given = refunded_at ? momentIn(principal.time_zone, refunded_at) : now.toISOString()
  const day = dayIn(principal.time_zone, new Date(given))
  const first = row.day === day && refunded_at?.length === 10 ? row.transaction_date : given
  if (given > now.toISOString())
    throw fieldError('invalid_request', 'refunded_at', 'must not be in the future')
  if (refunded_at && first < row.transaction_date)
    throw fieldError('invalid_request', 'refunded_at', 'must not be before the sale')
  return { refunded_at: first, day }
}
