import { ApiError, fieldError } from '../../../platform/errors.ts'
import { multiplyAndDivide } from '../../../engine/arithmetic/rounding.ts'
import { unitsInWords } from '../../../engine/book/money-in-words.ts'
import { FEE_LINE } from '../sale/fees.ts'
import { readSaleContext } from '../sale/sale-context.ts'
import { isWithin, MONEY, splitFitting, splitRefund, type SumsOfParts, sumsOfParts } from './refund-split.ts'
import { withJurisdictionTaxes } from './refund-taxes.ts'
import { leftOfLine, type Remainder, remainderOf, settledByInWords } from './remainder.ts'
import type { LineRow, RefundPart, StoredTransaction } from '../sale/rows.ts'
import type { RefundBody } from '../sale/schemas.ts'

/** A refund in minor units with tax, and its parts. */
type DividedRefund = { amount: number; tax_amount: number; by_line: 0 | 1; parts: RefundPart[] }

/**
 * Divides a refund of what is left of a sale: over the lines that it names, or pro rata over all. Throws
 * refund_exceeds_remaining and invalid_request.
 */
export function divideRefund(
  sale: StoredTransaction,
  body: RefundBody,
  remainder: Remainder = remainderOf(sale),
): DividedRefund {
  const divided = divideAmounts({ sale, remainder }, body)
  return { ...divided, parts: withJurisdictionTaxes(divided.parts, remainder.lines) }
}

/**
 * What a final sale takes of an earlier one, with its tax: a share of all its lines, charges and credits,
 * because they were paid as one sum.
 */
export function divideSettlement(
  { row }: StoredTransaction,
  amount: number,
  { left, lines, spread }: Remainder,
): Pick<DividedRefund, 'tax_amount' | 'parts'> {
  const { over, amount: refunded } = spread
  const divided =
    amount < left.total && over.some(isFee)
      ? spreadBesideFees(over, amount, row.currency)
      : splitRefund(over, refunded, amount)
  return { ...divided, parts: withJurisdictionTaxes(withoutZeros(divided.parts), lines) }
}

type SaleLeft = { sale: StoredTransaction; remainder: Remainder }

function divideAmounts({ sale, remainder }: SaleLeft, body: RefundBody): DividedRefund {
  const { currency } = sale.row
  const left = Math.max(remainder.left.total, 0)
  const amount = body.rest === true ? restOf({ sale, remainder }, body, left) : body.amount
  if (typeof amount === 'object') return amount
  if (amount !== undefined && amount > left)
    throw fieldError(
      'refund_exceeds_remaining',
      'amount',
      `at most ${unitsInWords(left, currency)} is left to refund${settledByInWords(sale)}`,
    )
  if (body.line_items !== undefined || body.shipping === true) return refundLines({ sale, remainder }, body)
  if (amount === 0)
    return refundLines({ sale, remainder }, { ...body, line_items: sale.lines.map(({ id }) => ({ id })) })
  if (amount === undefined)
    throw fieldError('invalid_request', 'amount', 'is required unless rest, line_items or shipping is given')
  const parts_left = sale.lines.flatMap((line) => leftOfLine(remainder.lines, line))
  const charged = parts_left.filter(isCharge)
  const isMixed =
    amount < left && charged.length < parts_left.filter(({ net_amount }) => net_amount !== 0).length
  if (body.tax_amount !== undefined) {
    const asked = { amount, tax_amount: body.tax_amount, path: 'tax_amount', currency }
    const stated = statedParts(isMixed ? charged : parts_left, asked)
    return { amount, tax_amount: body.tax_amount, by_line: 1, parts: withoutZeros(markProducts(stated)) }
  }
  const { over, amount: refunded } = remainder.spread
  if (isMixed) refuseSeveralRates(sale, parts_left)
  if (isMixed || (amount < left && over.some(isFee)))
    return spreadBesideFees(isMixed ? charged : over, amount, currency)
  const { tax_amount, parts } = splitRefund(over, refunded, amount)
  return { amount, tax_amount, by_line: 0, parts: withoutZeros(parts) }
}

/**
 * The amount of a refund of the rest. It is read with the sale, so it is right beside other refunds too. A
 * sale that came to 0 is cancelled once.
 */
function restOf(
  { sale, remainder }: SaleLeft,
  { amount, line_items, shipping }: RefundBody,
  left: number,
): number | DividedRefund {
  const { row, refunds, notes = [] } = sale
  if (amount !== undefined || line_items !== undefined || shipping !== undefined)
    throw fieldError('invalid_request', 'rest', 'give rest alone, without amount, line_items and shipping')
  const is_free = row.total === 0 && refunds.length + notes.length === 0
  if (left > 0 || is_free) return left
  const freed = settledRest({ sale, remainder })
  if (freed === null)
    throw fieldError(
      'refund_exceeds_remaining',
      'rest',
      `is 0: all is refunded or settled${settledByInWords(sale)}`,
    )
  return freed
}

/**
 * The rest of a sale of which all its own money was given back: what earlier sales paid of it. As much of
 * their settlement comes free. Null: nothing is left.
 */
function settledRest({ sale, remainder }: SaleLeft): DividedRefund | null {
  const { lines: contexts } = readSaleContext(sale.row.facts)
  const leftOf = (settles: boolean) =>
    sale.lines
      .filter(({ position }) => (contexts[position]?.settles !== undefined) === settles)
      .flatMap((line) => leftOfLine(remainder.lines, line))
  const [own, settled] = [leftOf(false), leftOf(true)]
  const { total } = sumsOfParts(own)
  if (total <= 0 || total > 0 - sumsOfParts(settled).total) return null
  const parts = [...own, ...splitRefund(settled, 0, 0 - total).parts]
  const { tax_amount } = sumsOfParts(parts)
  return { amount: 0, tax_amount, by_line: 1, parts: withoutZeros(markProducts(parts)) }
}

function isCharge({ net_amount }: RefundPart): boolean {
  return net_amount > 0
}

/**
 * A sum of lines of both signs says nothing of their tax if they bear different rates: it might be of another
 * sign, or more than the highest rate. Throws invalid_request with the lines to name.
 */
function refuseSeveralRates({ lines }: StoredTransaction, left: readonly RefundPart[]): void {
  const parts = left.filter(({ net_amount }) => net_amount !== 0)
  if (new Set(parts.map(({ tax_rate }) => tax_rate)).size < 2) return
  const positions = new Set(parts.filter(isCharge).map(({ position }) => position))
  const ids = lines.flatMap(({ id, position }) => (positions.has(position) ? [id] : []))
  const named = ids.length > IDS_NAMED_MAX ? `${ids.slice(0, IDS_NAMED_MAX).join(', ')}, …` : ids.join(', ')
  const detail =
    'cannot be spread: the sale has charges and credits at different rates. ' +
    `Give line_items with the lines that come back: ${named}`
  throw fieldError('invalid_request', 'amount', detail)
}

const IDS_NAMED_MAX = 10

/**
 * A retail delivery fee is given back with a sale that is cancelled, and not with goods that come back
 * (Colorado Department of Revenue, Retail Delivery Fee Refunds; Minn. Stat. 168E.03). So a refund of less
 * than the rest of the sale leaves it, unless it names the line of the fee.
 */
function spreadBesideFees(parts: readonly RefundPart[], amount: number, currency: string): DividedRefund {
  const others = parts.filter((part) => !isFee(part))
  const sums = sumsOfParts(others)
  if (amount > sums.total) {
    const [most, rest] = [sums.total, sumsOfParts(parts).total].map((units) => unitsInWords(units, currency))
    const detail = `must be at most ${most}, or the whole rest of ${rest} with the retail delivery fee`
    throw fieldError('refund_exceeds_remaining', 'amount', detail)
  }
  const { tax_amount, parts: given } = splitRefund(others, 0, amount)
  return { amount, tax_amount, by_line: 1, parts: withoutZeros(markProducts(given)) }
}

function isFee({ product_type, tax_amount }: RefundPart): boolean {
  return product_type === FEE_LINE && tax_amount !== 0
}

function refundLines({ sale, remainder }: SaleLeft, body: RefundBody): DividedRefund {
  const chosen = new Map<number, LineChoice>()
  for (const [index, asked] of (body.line_items ?? []).entries()) {
    const path = `line_items[${index}]`
    const line = sale.lines.find(({ id }) => id === asked.id)
    if (line === undefined) throw fieldError('not_found', `${path}.id`, 'is not a line of this transaction')
    if (chosen.has(line.position)) throw fieldError('invalid_request', `${path}.id`, 'is named twice')
    chosen.set(line.position, { path, line, ...asked })
  }
  if (body.shipping === true)
    for (const line of sale.lines)
      if (line.product_type === 'shipping' && !chosen.has(line.position))
        chosen.set(line.position, { path: 'shipping', line })
  if (chosen.size === 0) throw fieldError('invalid_request', 'shipping', 'the transaction has no shipping')
  const taken = [...chosen.values()].flatMap((choice) => takeFromLine({ sale, remainder }, choice))
  return checkedSum(markProducts(taken), body, sale)
}

type LineChoice = {
  path: string
  line: LineRow
  amount?: number | undefined
  quantity?: number | undefined
  tax_amount?: number | undefined
}

function checkedSum(parts: RefundPart[], body: RefundBody, { row }: StoredTransaction): DividedRefund {
  const sums = sumsOfParts(parts)
  const amount = sums.total
  if (body.amount !== undefined && body.amount !== amount)
    throw fieldError(
      'invalid_request',
      'amount',
      `must be ${unitsInWords(amount, row.currency)}, the sum of the lines, or be left out`,
    )
  if (body.tax_amount !== undefined && body.tax_amount !== sums.tax_amount)
    throw fieldError(
      'invalid_request',
      'tax_amount',
      `must be ${unitsInWords(sums.tax_amount, row.currency)}, the sum of the lines`,
    )
  if (amount < 0)
    throw fieldError('invalid_request', 'line_items', 'their sum is below 0, so nothing would be refunded')
  return { amount, tax_amount: sums.tax_amount, by_line: 1, parts }
}

/** A line is split as if it were a sale of its own. */
function takeFromLine({ sale, remainder }: SaleLeft, choice: LineChoice): RefundPart[] {
  const { line, path } = choice
  const { currency } = sale.row
  const own = leftOfLine(remainder.lines, line)
  const pieces = remainder.lines.get(line.position)?.pieces ?? null
  const sums = sumsOfParts(own)
  const amount = amountOfChoice(pieces ?? 0, sums, choice)
  if (amount === 0 && givesNothing(pieces, sums, choice))
    return counted(own.map(withoutMoney), { quantity: choice.quantity ?? line.quantity })
  const most =
    `must be at most ${unitsInWords(sums.total, currency)}, the rest of the line` + settledByInWords(sale)
  if (amount === 0 || Math.sign(amount) !== Math.sign(sums.total) || Math.abs(amount) > Math.abs(sums.total))
    throw fieldError('refund_exceeds_remaining', path, most)
  const parts =
    choice.tax_amount === undefined
      ? splitRefund(own, 0, amount).parts
      : statedParts(own, { amount, tax_amount: choice.tax_amount, path: `${path}.tax_amount`, currency })
  return counted(parts, choice)
}

/**
 * Whether a line comes back for which nothing was paid, or pieces whose share rounds to 0. A line without a
 * price comes back once, as others do: with all its pieces, unless the refund names their number.
 */
function givesNothing(
  earlier: number | null,
  left: SumsOfParts,
  { line, path, quantity }: LineChoice,
): boolean {
  if (left.total !== 0) return quantity !== undefined
  if (line.net_amount + line.tax_amount !== 0) return false
  if (quantity === undefined && earlier !== null)
    throw fieldError('refund_exceeds_remaining', path, 'came back in an earlier refund: leave it out')
  return true
}

function withoutMoney(part: RefundPart): RefundPart {
  const none = { ...part }
  for (const name of MONEY) none[name] = 0
  return none
}

/** The first part of a line has the number of its pieces. */
function counted(parts: readonly RefundPart[], { quantity }: Pick<LineChoice, 'quantity'>): RefundPart[] {
  return parts.map((part, index) => (index === 0 && quantity !== undefined ? { ...part, quantity } : part))
}

/** The parts of a refund whose tax is stated. Neither its tax nor its net amount exceeds the rest. */
function statedParts(
  left: readonly RefundPart[],
  {
    amount,
    tax_amount,
    path,
    currency,
  }: { amount: number; tax_amount: number; path: string; currency: string },
): RefundPart[] {
  const rest = sumsOfParts(left)
  const net_amount = amount - tax_amount
  const inWords = (units: number) => unitsInWords(units, currency)
  if (!isWithin(tax_amount, rest.tax_amount))
    throw fieldError(
      'refund_exceeds_remaining',
      path,
      `must be at most ${inWords(rest.tax_amount)}, the rest of the tax`,
    )
  if (!isWithin(net_amount, rest.subtotal))
    throw fieldError(
      'refund_exceeds_remaining',
      path,
      `leaves ${inWords(net_amount)} without tax, of which ${inWords(rest.subtotal)} is the rest`,
    )
  return splitFitting(left, { net_amount, tax_amount })
}

/** All pieces that are left give back all that is left, also if a refund of an amount came before. */
function amountOfChoice(
  earlier: number,
  left: SumsOfParts,
  { path, line, amount, quantity }: LineChoice,
): number {
  if (quantity === undefined) return amount ?? left.total
  const rest = line.quantity - earlier
  if (quantity > rest)
    throw fieldError('refund_exceeds_remaining', `${path}.quantity`, `must be at most ${rest}`)
  if (quantity === rest) return left.total
  const total = line.net_amount + line.tax_amount
  const upTo = (count: number) => multiplyAndDivide(total, count, line.quantity)
  return upTo(earlier + quantity) - upTo(earlier)
}

/** The first part of each type of product counts the refund for it. */
function markProducts(parts: readonly RefundPart[]): RefundPart[] {
  const seen = new Set<string>()
  return parts.map((part) => {
    const opens_product = seen.has(part.product_type) ? 0 : 1
    seen.add(part.product_type)
    return { ...part, opens_product }
  })
}

/** Without parts that nothing was taken from, except those that count the refund. */
function withoutZeros(parts: readonly RefundPart[]): RefundPart[] {
  return parts.filter(
    (part, index) => index === 0 || part.opens_product > 0 || MONEY.some((name) => part[name] !== 0),
  )
}

/** Each answer lists all refunds of the sale, so their number has a bound. */
const REFUNDS_OF_SALE_MAX = 200

/** Throws transaction_not_refundable unless the sale is completed or partly refunded, and quota_exceeded. */
export function refuseUnrefundable({ row, refunds }: StoredTransaction): void {
  if (refunds.length >= REFUNDS_OF_SALE_MAX)
    throw new ApiError('quota_exceeded', {
      message: `A transaction has at most ${REFUNDS_OF_SALE_MAX} refunds`,
    })
  if (row.status !== 'completed' && row.status !== 'refunded')
    throw new ApiError('transaction_not_refundable', {
      message: `Only a completed transaction can be refunded: this one is ${row.status}`,
    })
}
