import { at, invariant } from '../../../engine/ground/invariant.ts'
import { partsOfLines, partsOfRefund } from '../sale/line-parts.ts'
import { MONEY, type PartAmounts, splitRefund, splitStated } from './refund-split.ts'
import type { KeptCredit, LineRow, RefundPart, StoredTransaction } from '../sale/rows.ts'

/** What takes from a sale: its refunds, the credit notes that name it, the final sales that settle it. */
type Taker = 'given_back' | 'credited' | 'settled'

/** What was sold with a part of a line, what was taken from it, and what is left. */
type PartLeft = Readonly<Record<Taker, PartAmounts> & Record<'sold' | 'left', RefundPart>>

/** A line with its parts. `pieces`: how many came back; null: nothing has named the line. */
type LineLeft = Readonly<{ line: LineRow; parts: readonly PartLeft[]; pieces: number | null }>

/** By position. */
export type LinesLeft = ReadonlyMap<number, LineLeft>

/** What is left of a whole sale, `total` with tax, and what settlements have taken of it with tax. */
type SumsLeft = Readonly<{ left: Readonly<{ total: number; tax_amount: number }>; settled: number }>

/**
 * Refunds that name no line are spread over what was left after the last that does. Each is the difference
 * of two splits of that, so that all of them add up to it. `amount` is the sum of those so far.
 */
type Spread = Readonly<{ over: readonly RefundPart[]; amount: number }>

/**
 * What is left of a sale: one view for refunds, credit notes and settlements. What was sold with a part is
 * what was given back, credited and settled of it, and what is left. There is one exception: if a credit note
 * is voided, the refunds that were spread after it keep the parts that they had.
 */
export type Remainder = Readonly<{ whole: SumsLeft; lines: LinesLeft; spread: Spread }>

/**
 * What is left of a sale after its refunds, and after the credit notes and settlements that were read with
 * it. Refunds and credit notes read no settlements, and no sale with credit notes is settled.
 */
export function remainderOf(sale: StoredTransaction): Remainder {
  const sold = partsOfLines(sale.lines)
  const taken: Record<Taker, RefundPart[]> = { given_back: [], credited: [], settled: [] }
  const pieces = new Map<number | undefined, number>()
  let spread: Spread = { over: sold, amount: 0 }
  for (const taking of takingsOf(sale, sold)) {
    const parts = taking.parts ?? splitStated(afterSpread(spread), taking.stated)
    taken[taking.by].push(...parts)
    if (taking.spread !== undefined) {
      spread = { ...spread, amount: spread.amount + taking.spread }
      continue
    }
    spread = { over: without(afterSpread(spread), parts), amount: 0 }
    for (const { position, quantity = 0 } of parts)
      pieces.set(position, (pieces.get(position) ?? 0) + quantity)
  }
  const left = afterSpread(spread)
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
  return { whole: sumsLeft(sale), lines: new Map(lines), spread }
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

/** The sums of a sale by its row, its credit notes and its settlements. */
export function sumsLeft({ row, notes = [], settlements = [] }: StoredTransaction): SumsLeft {
  const left = { total: row.total - row.amount_refunded, tax_amount: row.tax_amount - row.tax_refunded }
  let settled = 0
  for (const { total, tax_amount } of notes) {
    left.total += total
    left.tax_amount += tax_amount
  }
  for (const { amount, tax_amount } of settlements) {
    settled += amount
    left.total -= amount
    left.tax_amount -= tax_amount
  }
  return { left, settled }
}

/**
 * What takes from a sale, in its order. It takes `parts` of named lines, or all that is `stated` from all
 * lines, or `spread` over all lines, of which `parts` then tells the outcome.
 */
type Taking = { by: Taker } & (
  | { parts: readonly RefundPart[]; spread?: number }
  | { parts?: undefined; stated: { net_amount: number; tax_amount: number }; spread?: undefined }
)

/** Ids sort by time, so each refund and credit note stands where it was made. Settlements come last. */
function takingsOf(
  { refunds, notes = [], settlements = [] }: StoredTransaction,
  sold: readonly RefundPart[],
): Taking[] {
  const refunded = refunds.map((refund): [string, Taking] => {
    const taking = { by: 'given_back', parts: partsOfRefund(refund) } as const
    return [refund.id, refund.by_line === 1 ? taking : { ...taking, spread: refund.amount }]
  })
  const credited = notes.map(({ id, subtotal, tax_amount, credits }): [string, Taking] => {
    if (credits !== null) return [id, { by: 'credited', parts: partsOfCredits(sold, JSON.parse(credits)) }]
    // A note of earlier releases does not say what it credits: it takes from all lines.
    return [id, { by: 'credited', stated: { net_amount: 0 - subtotal, tax_amount: 0 - tax_amount } }]
  })
  return [
    ...[...refunded, ...credited].toSorted(byTime).map(([, taking]) => taking),
    ...settlements.map((each): Taking => ({ by: 'settled', parts: partsOfRefund(each) })),
  ]
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
