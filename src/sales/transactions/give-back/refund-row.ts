import type { Context } from '../../../platform/context.ts'
import { newId } from '../../../platform/database/ids.ts'
import { fieldError } from '../../../platform/errors.ts'
import { dayIn, momentIn } from '../../../platform/kit/time-zone.ts'
import type { RefundRow, StoredTransaction } from '../sale/rows.ts'
import { readSaleContext } from '../sale/sale-context.ts'
import type { RefundBody } from '../sale/schemas.ts'
import { withLineIds } from './line-ids.ts'
import { divideRefund, refuseUnrefundable } from './refund-lines.ts'

/** Who refunds, and when. */
type Refunding = Pick<Context, 'principal' | 'now'>

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

/**
 * The row of a refund. Throws transaction_not_refundable, quota_exceeded, refund_exceeds_remaining,
 * not_found, and invalid_request.
 */
export function refundRow(context: Refunding, sale: StoredTransaction, asked: RefundBody): RefundRow {
  refuseUnrefundable(sale)
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
function dateOfRefund(context: Refunding, { row }: StoredTransaction, { refunded_at }: RefundBody) {
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
