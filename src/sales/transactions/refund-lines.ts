import { ApiError, fieldError } from '../../platform/errors.ts'
import { multiplyAndDivide } from '../../engine/arithmetic/rounding.ts'
import { unitsInWords } from '../../engine/book/money-in-words.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { FEE_LINE } from './fees.ts'
import { partsOfLine } from './line-parts.ts'
import { MONEY, type RefundedSale, splitRefund, splitStated } from './refund-split.ts'
import { withJurisdictionTaxes } from './refund-taxes.ts'
import type { KeptCredit, LineRow, RefundPart, RefundRow, StoredTransaction } from './rows.ts'
import type { RefundBody } from './schemas.ts'

/** A refund in minor units with tax, and its parts. */
type DividedRefund = { amount: number; tax_amount: number; by_line: 0 | 1; parts: RefundPart[] }

/**
 * Divides a refund: over the lines that it names, or pro rata over all. Throws refund_exceeds_remaining and
 * invalid_request.
 */
export function divideRefund(recorded: StoredTransaction, body: RefundBody): DividedRefund {
  const sale = withNotesAsRefunds(recorded)
  const divided = divideAmounts(sale, body)
  return {
    ...divided,
    parts: withJurisdictionTaxes(divided.parts, sale.lines, sale.refunds.flatMap(partsOfRefund)),
  }
}

function divideAmounts(sale: StoredTransaction, body: RefundBody): DividedRefund {
  const { currency } = sale.row
  const left = Math.max(sale.row.total - sale.row.amount_refunded, 0)
  const amount = body.rest === true ? restOf(sale, body, left) : body.amount
  if (amount !== undefined && amount > left)
    throw fieldError(
      'refund_exceeds_remaining',
      'amount',
      `at most ${unitsInWords(left, currency)} is left to refund`,
    )
  if (body.line_items !== undefined || body.shipping === true) return refundLines(sale, body)
  if (amount === 0) return refundLines(sale, { ...body, line_items: sale.lines.map(({ id }) => ({ id })) })
  if (amount === undefined)
    throw fieldError('invalid_request', 'amount', 'is required unless rest, line_items or shipping is given')
  const { rest, parts } = remainderOfSale(sale)
  if (body.tax_amount !== undefined) {
    const left = afterSpread(rest, parts)
    const stated = statedParts(left, { amount, tax_amount: body.tax_amount, path: 'tax_amount', currency })
    return { amount, tax_amount: body.tax_amount, by_line: 1, parts: withoutZeros(markProducts(stated)) }
  }
  if (amount < left && parts.some(isFee)) return spreadBesideFees(parts, amount, currency)
  const split = splitRefund(rest, parts, amount)
  return { amount, tax_amount: split.tax_amount, by_line: 0, parts: withoutZeros(split.parts) }
}

/**
 * The amount of a refund of the rest. It is read with the sale, so it is right beside other refunds too. A
 * sale that came to 0 is cancelled once.
 */
function restOf(
  { row, refunds }: StoredTransaction,
  { amount, line_items, shipping }: RefundBody,
  left: number,
): number {
  if (amount !== undefined || line_items !== undefined || shipping !== undefined)
    throw fieldError('invalid_request', 'rest', 'give rest alone, without amount, line_items and shipping')
  const is_free = row.total === 0 && refunds.length === 0
  if (left === 0 && !is_free) throw fieldError('refund_exceeds_remaining', 'rest', 'is 0: all is refunded')
  return left
}

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
  const split = splitRefund({ ...sums, amount_refunded: 0 }, others, amount)
  return { amount, tax_amount: split.tax_amount, by_line: 1, parts: withoutZeros(markProducts(split.parts)) }
}

function isFee({ product_type, tax_amount }: RefundPart): boolean {
  return product_type === FEE_LINE && tax_amount !== 0
}

/** The stored parts of a refund. */
export function partsOfRefund(refund: RefundRow): RefundPart[] {
  return JSON.parse(refund.parts)
}

function refundLines(sale: StoredTransaction, body: RefundBody): DividedRefund {
  const { rest, parts } = remainderOfSale(sale)
  const left = afterSpread(rest, parts)
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
  const taken = [...chosen.values()].flatMap((choice) => takeFromLine(sale, left, choice))
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
  if (amount > row.total - row.amount_refunded)
    throw fieldError(
      'refund_exceeds_remaining',
      'line_items',
      'their sum is more than what is left to refund',
    )
  return { amount, tax_amount: sums.tax_amount, by_line: 1, parts }
}

/** A line is split as if it were a sale of its own. */
function takeFromLine(
  sale: StoredTransaction,
  left: readonly RefundPart[],
  choice: LineChoice,
): RefundPart[] {
  const { line, path } = choice
  const { currency } = sale.row
  const own = left.filter(({ position }) => position === line.position)
  const sums = sumsOfParts(own)
  const amount = amountOfChoice(sale, sums, choice)
  if (amount === 0 && givesNothing(sale, sums, choice))
    return counted(own.map(withoutMoney), { quantity: choice.quantity ?? line.quantity })
  const most = `must be at most ${unitsInWords(sums.total, currency)}, the rest of the line`
  if (amount === 0 || Math.sign(amount) !== Math.sign(sums.total) || Math.abs(amount) > Math.abs(sums.total))
    throw fieldError('refund_exceeds_remaining', path, most)
  const parts =
    choice.tax_amount === undefined
      ? splitRefund({ ...sums, amount_refunded: 0 }, own, amount).parts
      : statedParts(own, { amount, tax_amount: choice.tax_amount, path: `${path}.tax_amount`, currency })
  return counted(parts, choice)
}

/**
 * Whether a line comes back for which nothing was paid, or pieces whose share rounds to 0. A line without a
 * price comes back once, as others do: with all its pieces, unless the refund names their number.
 */
function givesNothing(
  { refunds }: StoredTransaction,
  left: Omit<RefundedSale, 'amount_refunded'>,
  { line, path, quantity }: LineChoice,
): boolean {
  if (left.total !== 0) return quantity !== undefined
  if (line.net_amount + line.tax_amount !== 0) return false
  if (quantity === undefined && partsByLine(refunds, line).length > 0)
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
  return splitStated(left, { net_amount, tax_amount })
}

/** Whether a part has the sign of the whole, and is no larger. */
export function isWithin(part: number, whole: number): boolean {
  return part === 0 || (Math.sign(part) === Math.sign(whole) && Math.abs(part) <= Math.abs(whole))
}

/** All pieces that are left give back all that is left, also if a refund of an amount came before. */
function amountOfChoice(
  { refunds }: StoredTransaction,
  left: Omit<RefundedSale, 'amount_refunded'>,
  { path, line, amount, quantity }: LineChoice,
): number {
  if (quantity === undefined) return amount ?? left.total
  const earlier = partsByLine(refunds, line).reduce((sum, part) => sum + (part.quantity ?? 0), 0)
  const rest = line.quantity - earlier
  if (quantity > rest)
    throw fieldError('refund_exceeds_remaining', `${path}.quantity`, `must be at most ${rest}`)
  if (quantity === rest) return left.total
  const total = line.net_amount + line.tax_amount
  const upTo = (count: number) => multiplyAndDivide(total, count, line.quantity)
  return upTo(earlier + quantity) - upTo(earlier)
}

/** What refunds by line gave back of a line. */
function partsByLine(refunds: readonly RefundRow[], { position }: LineRow): RefundPart[] {
  return refunds
    .flatMap((refund) => (refund.by_line === 1 ? partsOfRefund(refund) : []))
    .filter((part) => part.position === position)
}

/** What refunds and credit notes leave of each part of a sale. */
export function partsLeft(sale: StoredTransaction): RefundPart[] {
  const { rest, parts } = remainderOfSale(withNotesAsRefunds(sale))
  return afterSpread(rest, parts)
}

/**
 * A sale whose credit notes are refunds of the lines that they credit. Ids sort by time, so each stands where
 * it was made. A note of earlier releases does not say what it credits: it takes from all lines, its net
 * amount and its tax each pro rata.
 */
export function withNotesAsRefunds(sale: StoredTransaction): StoredTransaction {
  const { row, lines, refunds, notes = [] } = sale
  if (notes.length === 0) return sale
  const sold = partsOfLines(lines)
  const taken: RefundRow[] = []
  for (const each of [...refunds, ...notes].toSorted(byTime)) {
    if ('parts' in each) {
      taken.push(each)
      continue
    }
    const { id: transaction_id, subtotal, tax_amount, credits } = each
    const parts =
      credits === null
        ? splitStated(partsLeft({ row, lines, refunds: taken }), {
            net_amount: 0 - subtotal,
            tax_amount: 0 - tax_amount,
          })
        : creditedParts(sold, JSON.parse(credits))
    taken.push(
      asRefund({
        transaction_id,
        amount: 0 - each.total,
        tax_amount: 0 - tax_amount,
        parts: JSON.stringify(parts),
      }),
    )
  }
  const credited = notes.reduce((sum, { total }) => sum - total, 0)
  return { row: { ...row, amount_refunded: row.amount_refunded + credited }, lines, refunds: taken }
}

const PREFIX = 'txn_'.length

function byTime(one: { id: string }, other: { id: string }): number {
  return one.id.slice(PREFIX) < other.id.slice(PREFIX) ? -1 : 1
}

/** The parts of the lines of a sale that a credit note takes from. */
function creditedParts(sold: readonly RefundPart[], credits: readonly KeptCredit[]): RefundPart[] {
  return credits.map(([position, portion, net_amount, taxable_amount, tax_amount, provincial_tax_amount]) => {
    const part = sold.find((each) => each.position === position && each.portion === portion)
    const money = { net_amount, taxable_amount, tax_amount, provincial_tax_amount }
    return { ...invariant(part, 'a credit note takes from a line of its sale'), ...money }
  })
}

/** What takes its exact parts from what is left of a sale, as a refund of named lines does. */
export function asRefund({
  transaction_id,
  amount,
  tax_amount,
  parts,
}: Pick<RefundRow, 'transaction_id' | 'amount' | 'tax_amount' | 'parts'>): RefundRow {
  return {
    id: transaction_id,
    transaction_id,
    amount,
    tax_amount,
    parts,
    reason: '',
    refunded_at: '',
    day: '',
    recorded_at: '',
    by_line: 1,
    external_id: null,
    credit_note_number: null,
  }
}

/**
 * The rest of a sale after the last refund of named lines. `amount_refunded` of the rest is what later
 * refunds have spread over it.
 */
function remainderOfSale({ lines, refunds }: StoredTransaction): { rest: RefundedSale; parts: RefundPart[] } {
  let parts = partsOfLines(lines)
  let rest: RefundedSale = { ...sumsOfParts(parts), amount_refunded: 0 }
  for (const refund of refunds) {
    if (refund.by_line === 0) {
      rest = { ...rest, amount_refunded: rest.amount_refunded + refund.amount }
      continue
    }
    parts = without(afterSpread(rest, parts), partsOfRefund(refund))
    rest = { ...sumsOfParts(parts), amount_refunded: 0 }
  }
  return { rest, parts }
}

/** The parts without what was spread over them. */
function afterSpread(rest: RefundedSale, parts: RefundPart[]): RefundPart[] {
  if (rest.amount_refunded === 0) return parts
  return without(parts, splitRefund({ ...rest, amount_refunded: 0 }, parts, rest.amount_refunded).parts)
}

/** The parts of the lines of a sale, in their order. */
export function partsOfLines(lines: readonly LineRow[]): RefundPart[] {
  return lines.flatMap((line) =>
    partsOfLine(line).map((part, index) => ({
      position: line.position,
      portion: index,
      place_of_supply: line.place_of_supply,
      scheme: line.scheme,
      product_type: line.product_type,
      tax_rate: part.tax_rate,
      reason: part.reason,
      exemption: line.exemption,
      opens_product: index === 0 ? line.opens_product : 0,
      net_amount: part.net_amount,
      taxable_amount: part.taxable_amount,
      tax_amount: part.tax_amount,
      provincial_tax_amount: index === 0 ? line.provincial_tax_amount : 0,
    })),
  )
}

/** The parts, less what was taken from them. */
export function without(parts: readonly RefundPart[], taken: readonly RefundPart[]): RefundPart[] {
  const keyOfPart = ({ position, portion }: RefundPart) => `${position} ${portion}`
  const byKey = Map.groupBy(taken, keyOfPart)
  return parts.map((part) => {
    const left = { ...part }
    for (const each of byKey.get(keyOfPart(part)) ?? []) for (const name of MONEY) left[name] -= each[name]
    return left
  })
}

export function sumsOfParts(parts: readonly RefundPart[]): Omit<RefundedSale, 'amount_refunded'> {
  let [subtotal, tax_amount] = [0, 0]
  for (const part of parts) {
    subtotal += part.net_amount
    tax_amount += part.tax_amount
  }
  return { subtotal, tax_amount, total: subtotal + tax_amount }
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
