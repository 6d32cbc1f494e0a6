import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ApiError } from '../../../../src/platform/errors.ts'
import { creditedLines } from '../../../../src/sales/transactions/give-back/credited-lines.ts'
import { isWithin, MONEY } from '../../../../src/sales/transactions/give-back/refund-split.ts'
import { withoutRefund, withRefund } from '../../../../src/sales/transactions/give-back/refunded-sale.ts'
import { remainderOf, withoutCredited } from '../../../../src/sales/transactions/give-back/remainder.ts'
import type {
  LineRow,
  RefundPart,
  SettlementTaken,
  StoredTransaction,
} from '../../../../src/sales/transactions/sale/rows.ts'
import { settle } from '../../../../src/sales/transactions/give-back/settle.ts'
import { asked, credited, KINDS, lineOf, refunded, saleOf } from './stored-sales.ts'

const TAKERS = ['given_back', 'credited', 'settled'] as const

/** Lines of both signs and without a price, that add up to a sale. */
const sales = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      net: fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: -900, max: 60 })),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((drawn) => saleOf(drawn.map(({ kind, net }, position) => lineOf(kind, net, position))))
  .filter(({ row }) => row.total > 0)

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'refund',
      'refund with its tax',
      'refund of lines',
      'refund of the rest',
      'credit note',
      'charge of what came back',
      'settlement',
      'refund of a final sale',
      'undo a refund',
      'void a note',
      'void a settlement',
    ),
    line: fc.nat(),
    share: fc.double({ min: 0, max: 1.1, noNaN: true }),
  }),
  { maxLength: 12 },
)

type Step = { kind: string; line: number; share: number }

/** The sale after a step. A step that is refused takes nothing. */
function after(sale: StoredTransaction, step: Step, time: number): StoredTransaction {
  try {
    return taken(sale, step, time)
  } catch (thrown) {
    if (thrown instanceof ApiError) return sale
    throw thrown
  }
}

function taken(sale: StoredTransaction, step: Step, time: number): StoredTransaction {
  const { kind, line: index, share } = step
  const { left: sums, lines } = remainderOf(sale)
  const amount = Math.max(0, Math.floor(sums.total * share))
  const line = sale.lines[index % sale.lines.length] as LineRow
  const left = (lines.get(line.position)?.parts ?? []).reduce((sum, part) => sum + part.left.net_amount, 0)
  const price = Math.trunc(left * share)
  if (kind === 'refund') return refunded(sale, { amount }, time)
  if (kind === 'refund with its tax') {
    const tax_amount = Math.floor((amount * sums.tax_amount) / Math.max(sums.total, 1))
    return refunded(sale, { amount, tax_amount }, time)
  }
  if (kind === 'refund of lines') {
    const line_items = [{ id: line.id, ...(share < 0.8 && { amount: price }) }]
    return refunded(sale, { line_items }, time)
  }
  if (kind === 'refund of the rest') return refunded(sale, { rest: true }, time)
  if (kind === 'credit note') {
    const credit = asked(line.product_type, 0 - price, { reference: line.id })
    return credited(sale, [credit], time).sale
  }
  if (kind === 'charge of what came back') {
    const charge = asked(line.product_type, Math.trunc((line.net_amount - left) * share), {
      reference: line.id,
    })
    return credited(sale, [charge], time).sale
  }
  return withoutSome(sale, step, time) ?? settled(sale, amount, time)
}

/** The sale after an earlier step was taken back, unless it would then have more than was sold, or less than 0. */
function withoutSome(
  sale: StoredTransaction,
  { kind, line, share }: Step,
  time: number,
): StoredTransaction | null {
  const { refunds, notes = [], settlements = [] } = sale
  const pick = <T>(list: readonly T[]) => list[line % Math.max(list.length, 1)]
  const found = { refund: pick(refunds), note: pick(notes), taken: pick(settlements) }
  const settlement = found.taken?.freed_from === undefined ? found.taken : undefined
  let back: StoredTransaction = sale
  if (kind === 'settlement') return null
  if (kind === 'undo a refund' && found.refund) back = withoutRefund(sale, found.refund.id)
  if (kind === 'void a note' && found.note)
    back = { ...sale, notes: notes.filter((each) => each !== found.note) }
  if (kind === 'void a settlement' && settlement) {
    const of = settlement.transaction_id
    const others = settlements.filter((each) => each.transaction_id !== of && each.freed_from !== of)
    back = { ...sale, settlements: others }
  }
  if (kind === 'refund of a final sale' && settlement)
    back = { ...sale, settlements: [...settlements, ...freedOf(settlements, settlement, share, time)] }
  const parts = [...remainderOf(back).lines.values()].flatMap((each) => each.parts)
  return parts.every(({ left, sold }) => isWithin(left.net_amount, sold.net_amount)) ? back : sale
}

/** A share of a settlement comes free, once. */
function freedOf(
  settlements: readonly SettlementTaken[],
  of: SettlementTaken,
  share: number,
  time: number,
): SettlementTaken[] {
  if (share > 1 || settlements.some(({ freed_from }) => freed_from === of.transaction_id)) return []
  const parts = (JSON.parse(of.parts) as RefundPart[]).map((part) => ({
    ...part,
    ...Object.fromEntries(MONEY.map((name) => [name, 0 - Math.trunc(part[name] * share)])),
  }))
  const sum = (name: 'net_amount' | 'tax_amount') => parts.reduce((all, part) => all + part[name], 0)
  const [tax_amount, amount] = [sum('tax_amount'), sum('net_amount') + sum('tax_amount')]
  const id = `rfd_${String(time).padStart(26, '0')}`
  const freed_from = of.transaction_id
  return [{ ...of, transaction_id: id, amount, tax_amount, parts: JSON.stringify(parts), freed_from }]
}

function settled(sale: StoredTransaction, amount: number, time: number): StoredTransaction {
  const { row, notes = [], settlements = [] } = sale
  const body = { currency: row.currency, line_items: [], settles: [{ transaction_id: row.id, amount }] }
  const id = `txn_${String(time).padStart(26, '0')}`
  const final = { id, body, day: '2026-02-01', total: 1e13, lines: [] }
  const rows = settle(final, [{ ...sale, notes, settlements }]).map((each) => each.row)
  return { ...sale, settlements: [...settlements, ...rows] }
}

/** The sale after each step. */
function history(sale: StoredTransaction, plan: readonly Step[]): StoredTransaction[] {
  const all = [sale]
  for (const [time, step] of plan.entries()) all.push(after(all.at(-1) as StoredTransaction, step, time + 1))
  return all
}

it('adds up to what was sold, for each part, whatever takes from a sale in whatever order', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(sales, steps, (sale, plan) => {
      for (const each of history(sale, plan)) {
        const { lines, left: sums } = remainderOf(each)
        const rest = { total: 0, tax_amount: 0 }
        for (const { parts } of lines.values())
          for (const part of parts) {
            rest.total += part.left.net_amount + part.left.tax_amount
            rest.tax_amount += part.left.tax_amount
            for (const name of MONEY) {
              for (const taker of TAKERS) if (part[taker][name] !== 0) seen.add(taker)
              const gone = part.given_back[name] + part.credited[name] + part.settled[name]
              // Of a negative price, a share may be -0.
              expect(gone + part.left[name]).toBe(0 + part.sold[name])
              expect(isWithin(0 + part.left.net_amount, part.sold.net_amount)).toBe(true)
            }
          }
        expect(rest).toEqual(sums)
      }
    }),
    { numRuns: 2_000 },
  )
  expect([...seen].toSorted()).toEqual(TAKERS.toSorted())
})

it('is as before after the latest refund is taken back', () => {
  fc.assert(
    fc.property(sales, steps, fc.double({ min: 0, max: 1, noNaN: true }), (sale, plan, share) => {
      const before = history(sale, plan).at(-1) as StoredTransaction
      const amount = Math.floor(remainderOf(before).left.total * share)
      if (amount < 1) return
      const later = after(before, { kind: 'refund', line: 0, share }, 1_000)
      if (later === before) return
      const { id } = later.refunds.at(-1) ?? { id: '' }
      expect(remainderOf(withoutRefund(later, id))).toEqual(remainderOf(before))
      expect(withRefund(before, later.refunds.at(-1) as never)).toEqual(later)
    }),
  )
})

it('is the same after each line of a credit note as when the note is read', () => {
  fc.assert(
    fc.property(sales, steps, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), (sale, plan, picks) => {
      const before = history(sale, plan).at(-1) as StoredTransaction
      const lines = picks.flatMap((pick) => before.lines[pick % before.lines.length] ?? [])
      const asks = lines.map(({ product_type, id, net_amount }) =>
        asked(product_type, 0 - Math.trunc(net_amount / 3), { reference: id }),
      )
      let { lines: left } = remainderOf(before)
      try {
        for (const { parts } of creditedLines(before, asks)) left = withoutCredited(left, parts)
      } catch (thrown) {
        if (thrown instanceof ApiError) return
        throw thrown
      }
      const read = remainderOf(credited(before, asks, 1_000).sale).lines
      const partsOf = (of: typeof left) => [...of.values()].flatMap(({ parts }) => parts)
      expect(partsOf(left)).toEqual(partsOf(read))
    }),
  )
})
