import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ApiError } from '../../../../src/platform/errors.ts'
import { creditedLines } from '../../../../src/sales/transactions/give-back/credited-lines.ts'
import { MONEY } from '../../../../src/sales/transactions/give-back/refund-split.ts'
import {
  withoutLatestRefund,
  withRefund,
} from '../../../../src/sales/transactions/give-back/refunded-sale.ts'
import { remainderOf, withoutCredited } from '../../../../src/sales/transactions/give-back/remainder.ts'
import type {
  LineRow,
  SettlementRow,
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
      'settlement',
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

/** A sale that may be credited is not settled, so it has its settlements beside it. */
type Books = { sale: StoredTransaction; settlements: readonly SettlementRow[] }

const whole = ({ sale, settlements }: Books): StoredTransaction => ({ ...sale, settlements })

/** The books after a step. A step that is refused takes nothing. */
function after(books: Books, step: Step, time: number): Books {
  try {
    return taken(books, step, time)
  } catch (thrown) {
    if (thrown instanceof ApiError) return books
    throw thrown
  }
}

function taken(books: Books, { kind, line: index, share }: Step, time: number): Books {
  const { sale, settlements } = books
  const { whole: sums, lines } = remainderOf(whole(books))
  // A settled sale can be given back whole, so that less than nothing is left. No request asks for less than 0.
  const amount = Math.max(0, Math.floor(sums.left.total * share))
  const line = sale.lines[index % sale.lines.length] as LineRow
  const left = (lines.get(line.position)?.parts ?? []).reduce((sum, part) => sum + part.left.net_amount, 0)
  const price = Math.trunc(left * share)
  if (kind === 'refund') return { ...books, sale: refunded(sale, { amount }, time) }
  if (kind === 'refund with its tax') {
    const tax_amount = Math.floor((amount * sums.left.tax_amount) / sums.left.total)
    return { ...books, sale: refunded(sale, { amount, tax_amount }, time) }
  }
  if (kind === 'refund of lines') {
    const line_items = [{ id: line.id, ...(share < 0.8 && { amount: price }) }]
    return { ...books, sale: refunded(sale, { line_items }, time) }
  }
  if (kind === 'refund of the rest') return { ...books, sale: refunded(sale, { rest: true }, time) }
  if (kind === 'credit note') {
    const credit = asked(line.product_type, 0 - price, { reference: line.id })
    return { ...books, sale: credited(sale, [credit], time).sale }
  }
  if (kind === 'undo a refund')
    return sale.refunds.length === 0 ? books : { ...books, sale: withoutLatestRefund(sale) }
  if (kind === 'void a note') return { ...books, sale: withoutLatestNote(sale) }
  if (kind === 'void a settlement')
    return { ...books, settlements: settlements.toSpliced(index % Math.max(settlements.length, 1), 1) }
  return { ...books, settlements: [...settlements, ...settled(books, amount, time)] }
}

/** Refunds that were spread after a note keep the parts that they had, so a note goes before them only. */
function withoutLatestNote(sale: StoredTransaction): StoredTransaction {
  const { notes = [], refunds } = sale
  const time = (id = '') => id.slice('txn_'.length)
  return time(notes.at(-1)?.id) > time(refunds.at(-1)?.id) ? { ...sale, notes: notes.slice(0, -1) } : sale
}

function settled({ sale, settlements }: Books, amount: number, time: number): SettlementRow[] {
  const { row, lines, refunds } = sale
  const body = { currency: row.currency, line_items: [], settles: [{ transaction_id: row.id, amount }] }
  const final = { id: `txn_${1_000 + time}`, body, day: '2026-02-01', total: 1e13, lines: [] }
  return settle(final, [{ row, lines, refunds, settlements, is_credited: false }]).map((each) => each.row)
}

/** The books after each step. */
function history(sale: StoredTransaction, plan: readonly Step[]): Books[] {
  const all: Books[] = [{ sale, settlements: [] }]
  for (const [time, step] of plan.entries()) all.push(after(all.at(-1) as Books, step, time + 1))
  return all
}

it('adds up to what was sold, for each part, whatever takes from a sale in whatever order', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(sales, steps, (sale, plan) => {
      for (const books of history(sale, plan)) {
        const { lines, whole: sums } = remainderOf(whole(books))
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
            }
          }
        expect(rest).toEqual(sums.left)
      }
    }),
    { numRuns: 2_000 },
  )
  expect([...seen].toSorted()).toEqual(TAKERS.toSorted())
})

it('is as before after the latest refund is taken back', () => {
  fc.assert(
    fc.property(sales, steps, fc.double({ min: 0, max: 1, noNaN: true }), (sale, plan, share) => {
      const { sale: before } = history(sale, plan).at(-1) as Books
      const amount = Math.floor(remainderOf(before).whole.left.total * share)
      if (amount < 1) return
      const later = refunded(before, { amount }, 1_000)
      expect(remainderOf(withoutLatestRefund(later))).toEqual(remainderOf(before))
      expect(withRefund(before, later.refunds.at(-1) as never)).toEqual(later)
    }),
  )
})

it('is the same after each line of a credit note as when the note is read', () => {
  fc.assert(
    fc.property(sales, steps, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), (sale, plan, picks) => {
      const { sale: before } = history(sale, plan).at(-1) as Books
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
