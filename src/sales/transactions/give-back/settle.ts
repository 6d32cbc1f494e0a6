import { newId } from '../../../platform/database/ids.ts'
import { fieldError } from '../../../platform/errors.ts'
import { mirroredLine } from './mirrored-lines.ts'
import { divideSettlement } from './refund-lines.ts'
import { lineOf, type LinesLeft, remainderOf, takenOf } from './remainder.ts'
import type { LineRow, RefundPart, SettlementRow, WholeSale } from '../sale/rows.ts'
import type { TransactionBody } from '../sale/schemas.ts'

/** What a final sale takes off for an earlier one, and the lines that take it off. */
export type Settlement = {
  row: SettlementRow
  lines: readonly LineRow[]
  /** The earlier sale, as it was read. */
  settled: WholeSale
}

/** The final sale as far as settlements depend on it. `total` is the whole supply with tax. */
type FinalSale = {
  id: string
  body: TransactionBody
  day: string
  total: number
  lines: readonly LineRow[]
}

/** An invoice has at most so many lines, with those that take off what was charged before. */
const LINES_MAX = 500
/** Each answer of a sale lists its refunds, and settlements have the same bound. */
const SETTLEMENTS_MAX = 200

/**
 * Takes off what earlier sales charged for a supply: the tax of a deposit fell due when it was paid
 * (2006/112/EC art. 65), and so did that of a single-purpose voucher (art. 30b(1)). The lines mirror those of
 * the earlier sales, so both together are the supply, to the cent. Throws invalid_request and not_found.
 */
export function settle(final: FinalSale, earlier: readonly WholeSale[]): Settlement[] {
  const { settles = [], credit_note_for } = final.body
  if (settles.length > 0 && credit_note_for)
    throw fieldError('invalid_request', 'settles', 'does not go with credit_note_for')
  const settled: Settlement[] = []
  let rest = final.total
  let position = final.lines.length
  const seen = new Set(final.lines.map(({ product_type }) => product_type))
  for (const [index, asked] of settles.entries()) {
    const path = `settles[${index}]`
    const sale = findSettled(asked, earlier, path)
    if (settled.some(({ row }) => row.settled_id === sale.row.id))
      throw fieldError('invalid_request', path, 'names a sale twice')
    const next = settleOne(final, sale, { path, rest, amount: asked.amount, position, seen })
    settled.push(next)
    rest -= next.row.amount
    position += next.lines.length
  }
  if (position > LINES_MAX && settled.length > 0)
    throw fieldError('invalid_request', 'settles', `the sale would have more than ${LINES_MAX} lines`)
  return settled
}

function findSettled(
  { transaction_id, external_id }: NonNullable<TransactionBody['settles']>[number],
  earlier: readonly WholeSale[],
  path: string,
): WholeSale {
  const sale = earlier.find(({ row }) =>
    transaction_id === undefined ? row.external_id === external_id : row.id === transaction_id,
  )
  if (sale === undefined) throw fieldError('not_found', path, 'there is no such transaction')
  return sale
}

type SettlementAsked = {
  path: string
  /** What is left of the final sale, with tax. */
  rest: number
  amount: number | undefined
  /** The position of the first line that is added. */
  position: number
  /** The product types of the lines so far. */
  seen: Set<string>
}

function settleOne(final: FinalSale, sale: WholeSale, asked: SettlementAsked): Settlement {
  const { row } = sale
  const { path } = asked
  refuseUnsettleable(final, sale, path)
  // Taken off like a refund, after all that was taken before it.
  const remainder = remainderOf(sale)
  const { left } = remainder
  const amount = asked.amount ?? Math.min(left.total, asked.rest)
  if (amount > left.total || amount < 1)
    throw fieldError('invalid_request', path, `${Math.max(left.total, 0)} is left of that sale`)
  if (amount > asked.rest)
    throw fieldError('invalid_request', path, `must be at most ${asked.rest}, the rest of this sale`)
  const { parts, tax_amount } = divideSettlement(sale, amount, remainder)
  return {
    row: {
      transaction_id: final.id,
      settled_id: row.id,
      amount,
      tax_amount,
      parts: JSON.stringify(parts),
    },
    lines: parts.map((part, index) => lineOfSettlement(final.id, remainder.lines, { part, index, asked })),
    settled: sale,
  }
}

function refuseUnsettleable({ body, day }: FinalSale, { row, settlements }: WholeSale, path: string): void {
  if (row.status !== 'completed' && row.status !== 'refunded')
    throw fieldError('invalid_request', path, `only a completed sale is settled: this one is ${row.status}`)
  if (row.currency !== body.currency)
    throw fieldError('invalid_request', 'currency', `must be ${row.currency}, as in the sale that it settles`)
  if (row.day > day)
    throw fieldError('invalid_request', path, `is of ${row.day}, and this sale of ${day} cannot settle it`)
  if (settlements.length >= SETTLEMENTS_MAX)
    throw fieldError('invalid_request', path, `has ${SETTLEMENTS_MAX} settlements, and can have no more`)
}

type Mirrored = { part: RefundPart; index: number; asked: SettlementAsked }

/** The line of a final sale that takes off a part of an earlier line. */
function lineOfSettlement(
  transaction_id: string,
  lines: LinesLeft,
  { part, index, asked }: Mirrored,
): LineRow {
  const { line } = lineOf(lines, part)
  const opens_product = asked.seen.has(part.product_type) ? 0 : 1
  asked.seen.add(part.product_type)
  const mirrored = mirroredLine(line, part, takenOf(lines, part))
  return {
    ...mirrored,
    transaction_id,
    position: asked.position + index,
    id: newId('li'),
    amount: mirrored.net_amount,
    quantity: 1,
    description: line.description,
    opens_product,
  }
}
