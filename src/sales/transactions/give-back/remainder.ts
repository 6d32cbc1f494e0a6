import { at, invariant } from '../../../engine/ground/invariant.ts'
import { partsOfLines, partsOfRefund } from '../sale/line-parts.ts'
import {
  MONEY,
  type PartAmounts,
  splitRefund,
  splitStated,
  type SumsOfParts,
  sumsOfParts,
} from './refund-split.ts'
import type { KeptCredit, LineRow, RefundPart, StoredTransaction } from '../sale/rows.ts'

/**
 * What takes from a sale: its refunds, the credit notes that name it, the final sales that settle it. A final
 * sale that is given back takes less than nothing: that much of its settlement is free again.
 */
type Taker = 'given_back' | 'credited' | 'settled'

/** What was sold with a part of a line, what was taken from it, and what is left. */
type PartLeft = Readonly<Record<Taker, PartAmounts> & Record<'sold' | 'left', RefundPart>>

/** A line with its parts. `pieces`: how many came back; null: nothing has named the line. */
type LineLeft = Readonly<{ line: LineRow; parts: readonly PartLeft[]; pieces: number | null }>

/** By position. */
export type LinesLeft = ReadonlyMap<number, LineLeft>

/** What is left of a whole sale, `total` with tax. */
type SumsLeft = Pick<SumsOfParts, 'total' | 'tax_amount'>

/**
 * Refunds that name no line are spread over what was left after the last that does. Each is the difference
 * of two splits of that, so that all of them add up to it. `amount` is the sum of those so far.
 */
type Spread = Readonly<{ over: readonly RefundPart[]; amount: number }>

/**
 * What is left of a sale: one view for refunds, credit notes and settlements. What was sold with a part is
 * what was given back, credited and settled of it, and what is left.
 */
export type Remainder = Readonly<{ left: SumsLeft; lines: LinesLeft; spread: Spread }>

/** What is left of a sale after its refunds, credit notes and settlements. */
export function remainderOf(sale: StoredTransaction): Remainder {
  const sold = partsOfLines(sale.lines)
  const taken: Record<Taker, RefundPart[]> = { given_back: [], credited: [], settled: [] }
  const pieces = new Map<number | undefined, number>()
  let left: readonly RefundPart[] = sold
  let spread: Spread = { over: sold, amount: 0 }
  for (const taking of takingsOf(sale, sold)) {
    const parts = partsOfTaking(taking, left, spread)
    taken[taking.by].push(...parts)
    left = without(left, parts)
    if (taking.spread !== undefined) {
      spread = { ...spread, amount: spread.amount + taking.spread }
      continue
    }
    spread = { over: left, amount: 0 }
    for (const { position, quantity = 0 } of parts)
      pieces.set(position, (pieces.get(position) ?? 0) + quantity)
  }
  // If an earlier taking is voided or deleted, the refunds that were spread after it keep their parts.
  if (!areSame(afterSpread(spread), left)) spread = { over: left, amount: 0 }
  const [given_back, credited, settled] = [
    sumsByPart(taken.given_back),
    sumsByPart(taken.credited),
    sumsByPart(taken.settled),
  ]
  const parts = sold.map((part, index): PartLeft => ({
    sold: part,
    given_back: given_back(part),
    credited: credited(part),
    settled: settled(part),
    left: at(left, index),
  }))
  const byLine = Map.groupBy(parts, (part) => part.sold.position)
  const lines = sale.lines.map((line): [number, LineLeft] => {
    const { position } = line
    return [position, { line, parts: byLine.get(position) ?? [], pieces: pieces.get(position) ?? null }]
  })
  return { left: sumsLeft(sale), lines: new Map(lines), spread }
}

/** The ids of all that takes from a sale or frees what was settled of it, as `takenAsRead` compares them. */
export function takersOf({ refunds, notes = [], settlements = [] }: StoredTransaction): string[] {
  const ids = settlements.map(({ transaction_id }) => transaction_id)
  return [...refunds.map(({ id }) => id), ...notes.map(({ id }) => id), ...ids].toSorted()
}

/** The final sales that settle more of a sale than came free again, as an error names them. */
export function settledByInWords({ settlements = [] }: StoredTransaction): string {
  const sums = new Map<string, number>()
  for (const { transaction_id, freed_from = transaction_id, amount } of settlements)
    sums.set(freed_from, (sums.get(freed_from) ?? 0) + amount)
  const ids = [...sums].flatMap(([id, sum]) => (sum > 0 ? [id] : []))
  if (ids.length === 0) return ''
  return (
    `: ${ids.slice(0, 3).join(', ')} ${ids.length > 3 ? 'and others settle' : 'settles'} the rest. ` +
    'Give that sale back first'
  )
}

/** The lines after a line of a credit note took these parts. */
export function withoutCredited(lines: LinesLeft, taken: readonly RefundPart[]): LinesLeft {
  const after = new Map(lines)
  for (const own of Map.groupBy(taken, ({ position }) => position).values()) {
    const before = lineOf(lines, at(own, 0))
    const sumOf = sumsByPart(own)
    const parts = before.parts.map((part): PartLeft => {
      const sum = sumOf(part.sold)
      const left = { ...part.left, ...plus(part.left, sum, -1) }
      return { ...part, credited: plus(part.credited, sum), left }
    })
    after.set(before.line.position, { ...before, parts })
  }
  return after
}

/** What is left of a line, by part. */
export function leftOfLine(lines: LinesLeft, line: Pick<LineRow, 'position'>): RefundPart[] {
  return lineOf(lines, line).parts.map(({ left }) => left)
}

/** What came back of each line stands as what is left of it, negative: a charge takes it away again. */
export function cameBack(lines: LinesLeft): LinesLeft {
  const back = [...lines].map(([position, { parts, ...of }]): [number, LineLeft] => [
    position,
    {
      ...of,
      parts: parts.map((part) => ({
        ...part,
        left: { ...part.left, ...plus(NOTHING, plus(part.given_back, part.credited), -1) },
      })),
    },
  ])
  return new Map(back)
}

/** What was taken so far of the part of a line that `part` takes from. */
export function takenOf(lines: LinesLeft, part: RefundPart): PartAmounts {
  const found = lineOf(lines, part).parts.find(({ sold }) => sold.portion === part.portion)
  const { given_back, credited, settled } = invariant(found, 'a part is one of its line')
  return plus(plus(given_back, credited), settled)
}

/** The line that a part is of. */
export function lineOf(lines: LinesLeft, { position }: Pick<RefundPart, 'position'>): LineLeft {
  return invariant(lines.get(invariant(position, 'a part names its line')), 'it is a line of the sale')
}

/** What is left of the lines with more than nothing: what their credit may take, with and without tax. */
export function mostOfLines(lines: LinesLeft): SumsLeft {
  const most = { total: 0, tax_amount: 0 }
  for (const { parts } of lines.values()) {
    const { total, tax_amount } = sumsOfParts(parts.map(({ left }) => left))
    most.total += Math.max(total, 0)
    most.tax_amount += Math.max(tax_amount, 0)
  }
  return most
}

function sumsLeft({ row, refunds, notes = [], settlements = [] }: StoredTransaction): SumsLeft {
  const left = { total: row.total, tax_amount: row.tax_amount }
  for (const { amount, tax_amount } of [...refunds, ...settlements]) {
    left.total -= amount
    left.tax_amount -= tax_amount
  }
  for (const { total, tax_amount } of notes) {
    left.total += total
    left.tax_amount += tax_amount
  }
  return left
}

/**
 * What takes from a sale, in its order. It takes `parts` of named lines, or all that is `stated` from all
 * lines, or `spread` over all lines, of which `parts` then tells the outcome.
 */
type Taking = {
  by: Taker
  parts?: readonly RefundPart[]
  stated?: { net_amount: number; tax_amount: number }
  spread?: number
}

/** Ids sort by time, so each of them stands where it was made. */
function takingsOf(
  { refunds, notes = [], settlements = [] }: StoredTransaction,
  sold: readonly RefundPart[],
): Taking[] {
  const refunded = refunds.map((refund): [string, Taking] => {
    const taking: Taking = { by: 'given_back', parts: partsOfRefund(refund) }
    return [refund.id, refund.by_line === 1 ? taking : { ...taking, spread: refund.amount }]
  })
  const credited = notes.map(({ id, subtotal, tax_amount, credits }): [string, Taking] => {
    if (credits !== null) return [id, { by: 'credited', parts: partsOfCredits(sold, JSON.parse(credits)) }]
    // A note of earlier releases does not say what it credits: it takes from all lines.
    return [id, { by: 'credited', stated: { net_amount: 0 - subtotal, tax_amount: 0 - tax_amount } }]
  })
  const settled = settlements.flatMap((each): [string, Taking][] => {
    const parts = partsOfRefund(each)
    return parts.length === 0 ? [] : [[each.transaction_id, { by: 'settled', parts }]]
  })
  return [...refunded, ...credited, ...settled].toSorted(byTime).map(([, taking]) => taking)
}

/** Refunds of early releases have parts of groups of lines. */
function partsOfTaking(
  { parts, ...taking }: Taking,
  left: readonly RefundPart[],
  { over, amount }: Spread,
): readonly RefundPart[] {
  if (parts === undefined) return splitStated(left, invariant(taking.stated, 'it takes parts or a sum'))
  if (taking.spread === undefined || parts.every(({ position }) => position !== undefined)) return parts
  return splitRefund(over, amount, taking.spread).parts
}

function areSame(some: readonly RefundPart[], others: readonly RefundPart[]): boolean {
  return some.every((part, index) => MONEY.every((name) => part[name] === at(others, index)[name]))
}

const PREFIX = 'txn_'.length

function byTime([one]: [string, Taking], [other]: [string, Taking]): number {
  return one.slice(PREFIX) < other.slice(PREFIX) ? -1 : 1
}

/** The parts of the lines of a sale that a credit note takes from. */
function partsOfCredits(sold: readonly RefundPart[], credits: readonly KeptCredit[]): RefundPart[] {
  return credits.map(([position, portion, net_amount, taxable_amount, tax_amount, provincial_tax_amount]) => {
    const part = sold.find((each) => each.position === position && each.portion === portion)
    const money = { net_amount, taxable_amount, tax_amount, provincial_tax_amount }
    return { ...invariant(part, 'a credit note takes from a line of its sale'), ...money }
  })
}

/** What is left of the parts after refunds were spread over them. */
function afterSpread({ over, amount }: Spread): readonly RefundPart[] {
  return amount === 0 ? over : without(over, splitRefund(over, 0, amount).parts)
}

/** The parts, less what was taken from them. */
function without(parts: readonly RefundPart[], taken: readonly RefundPart[]): RefundPart[] {
  const sumOf = sumsByPart(taken)
  return parts.map((part) => ({ ...part, ...plus(part, sumOf(part), -1) }))
}

const NOTHING = { net_amount: 0, taxable_amount: 0, tax_amount: 0, provincial_tax_amount: 0 }

function keyOf({ position, portion }: RefundPart): string {
  return `${position} ${portion}`
}

/** What was taken of a part. */
function sumsByPart(taken: readonly RefundPart[]): (part: RefundPart) => PartAmounts {
  const sums = new Map<string, PartAmounts>()
  const sumOf = (part: RefundPart) => sums.get(keyOf(part)) ?? NOTHING
  for (const part of taken) sums.set(keyOf(part), plus(sumOf(part), part))
  return sumOf
}

function plus(one: PartAmounts, other: PartAmounts, sign: 1 | -1 = 1): PartAmounts {
  const sum = { ...NOTHING }
  for (const name of MONEY) sum[name] = one[name] + sign * other[name]
  return sum
}
