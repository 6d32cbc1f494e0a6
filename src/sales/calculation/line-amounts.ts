import { type ApiError, fieldError } from '../../platform/errors.ts'
import { MONEY_MAX } from '../../platform/http/field-rules.ts'
import { MILLION, multiplyAndDivide } from '../../engine/arithmetic/rounding.ts'

/** A line as it was requested: its amount, or the price of one unit. Minor units. */
type PricedRequest = {
  amount?: number | undefined
  unit_amount?: number | undefined
  quantity?: number | undefined
}

/** A line whose amount is known. */
export type WithAmount<Line extends PricedRequest> = Line & { amount: number }

/**
 * Lines with the amounts that their unit prices make: unit_amount times quantity, rounded once, half away
 * from zero. Lines that state their amounts are returned as they are. Throws invalid_request and
 * amount_out_of_range.
 */
export function withAmounts<Line extends PricedRequest>(lines: readonly Line[]): readonly WithAmount<Line>[] {
  return lines.every(isPlain) ? lines : lines.map(withAmount)
}

/** The usual line: its amount, and a number of pieces. None have no price. */
function isPlain<Line extends PricedRequest>(line: Line): line is WithAmount<Line> {
  const { amount, unit_amount, quantity } = line
  if (amount === undefined || unit_amount !== undefined) return false
  return quantity === 0 ? amount === 0 : Number.isInteger(quantity ?? 1)
}

function withAmount<Line extends PricedRequest>(line: Line, index: number): WithAmount<Line> {
  if (isPlain(line)) return line
  const { amount, unit_amount, quantity = 1 } = line
  const refusal = (field: string, detail: string): ApiError =>
    fieldError('invalid_request', `line_items[${index}].${field}`, detail)
  if (unit_amount === undefined)
    throw amount === undefined
      ? refusal('amount', 'is required, unless unit_amount is given')
      : refusal('quantity', quantity === 0 ? NONE_COST_NOTHING : WHOLE_PIECES)
  if (amount !== undefined) throw refusal('unit_amount', 'give amount or unit_amount, not both')
  const millionths = Math.round(quantity * MILLION)
  if (millionths / MILLION !== quantity) throw refusal('quantity', 'must have at most 6 decimals')
  const product = multiplyAndDivide(unit_amount, millionths, MILLION)
  if (Math.abs(product) > MONEY_MAX) {
    const detail = 'unit_amount times quantity is above 1e15'
    throw fieldError('amount_out_of_range', `line_items[${index}].unit_amount`, detail)
  }
  return { ...line, amount: product }
}

const NONE_COST_NOTHING = 'must be more than 0, unless the amount is 0'
const WHOLE_PIECES = 'must be a whole number, unless unit_amount is given in place of amount'

/** The pieces that an answer and the books count: a quantity such as 1.5 kg counts as one. */
export function wholePieces(quantity: number): number {
  return Number.isInteger(quantity) ? quantity : 1
}
