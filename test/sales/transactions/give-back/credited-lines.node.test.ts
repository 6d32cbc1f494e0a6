import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CreditAsked,
  creditedLines,
} from '../../../../src/sales/transactions/give-back/credited-lines.ts'
import { remainderOf } from '../../../../src/sales/transactions/give-back/remainder.ts'
import type { LineRow, StoredTax, StoredTransaction } from '../../../../src/sales/transactions/sale/rows.ts'
import { asked, credited, type Kind, KINDS, lineOf, refunded, saleOf, sold } from './stored-sales.ts'

const MONEY = ['net_amount', 'taxable_amount', 'tax_amount', 'provincial_tax_amount'] as const
const SUMS = [...MONEY, 'uncollected_amount'] as const

const step = fc.record({
  kind: fc.constantFrom('net', 'gross', 'refund', 'refund of a line'),
  line: fc.nat(),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
})

const partsLeft = (sale: StoredTransaction) =>
  [...remainderOf(sale).lines.values()].flatMap(({ parts }) => parts.map(({ left }) => left))

const leftOf = (sale: StoredTransaction, position: number, names: readonly (typeof MONEY)[number][]) =>
  partsLeft(sale)
    .filter((part) => part.position === position)
    .reduce((sum, part) => names.reduce((all, name) => all + part[name], sum), 0)

describe('credit notes in parts, between refunds', () => {
  it('give back exactly what was sold, each part at the rates of its line', () => {
    fc.assert(
      fc.property(sold, fc.array(step, { maxLength: 8 }), (lines, steps) => {
        let sale = saleOf(lines)
        const notes: { line: LineRow; mirrored: Pick<LineRow, (typeof SUMS)[number] | 'tax_breakdown'> }[] =
          []
        const credit = (line: LineRow, price: number, inclusive: boolean, time: number) => {
          const note = credited(
            sale,
            [asked(line.product_type, -price, { inclusive, reference: line.id })],
            time,
          )
          sale = note.sale
          const [mirrored] = note.mirrored
          if (!mirrored) throw new Error('the line is mirrored')
          notes.push({ line, mirrored })
          expect(mirrored.tax_rate).toBe(line.tax_rate)
          expect(0 - mirrored.net_amount - (inclusive ? mirrored.tax_amount : 0)).toBe(price)
        }
        steps.forEach(({ kind, line: index, share }, time) => {
          const line = lines[index % lines.length]
          if (line === undefined) return
          const names = kind === 'net' ? (['net_amount'] as const) : (['net_amount', 'tax_amount'] as const)
          const amount = Math.floor(leftOf(sale, line.position, names) * share)
          const whole = Math.floor(
            partsLeft(sale).reduce((sum, p) => sum + p.net_amount + p.tax_amount, 0) * share,
          )
          if (kind === 'refund' && whole > 0) sale = refunded(sale, { amount: whole }, time)
          else if (kind === 'refund of a line' && amount > 0)
            sale = refunded(sale, { line_items: [{ id: line.id, amount }] }, time)
          else if (amount > 0 && (kind === 'net' || kind === 'gross'))
            credit(line, amount, kind === 'gross', time)
        })
        for (const line of lines) {
          const rest = leftOf(sale, line.position, ['net_amount'])
          if (leftOf(sale, line.position, MONEY) !== 0) credit(line, rest, false, 100 + line.position)
        }
        for (const name of MONEY)
          expect(partsLeft(sale).map((part) => part[name])).toEqual(partsLeft(sale).map(() => 0))
        const back = sale.refunds.flatMap((each) => JSON.parse(each.parts) as Record<string, number>[])
        for (const name of MONEY) {
          const all = lines.reduce((sum, each) => sum + each[name], 0)
          const taken = back.reduce((sum, part) => sum + (part[name] ?? 0), 0)
          expect(notes.reduce((sum, { mirrored }) => sum + mirrored[name], all - taken)).toBe(0)
        }
        for (const { mirrored } of notes) {
          const taxes: StoredTax[] = JSON.parse(mirrored.tax_breakdown)
          expect(taxes.reduce((sum, tax) => sum + tax.tax_amount, 0)).toBe(mirrored.tax_amount)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('a line of a credit note', () => {
  const [SAAS, , CLOTHING] = KINDS as [Kind, Kind, Kind]
  const coat = lineOf(CLOTHING, 12_000, 0)
  const shirt = {
    ...lineOf({ ...CLOTHING, rates: [0] }, 5_000, 1),
    taxability_reason: 'product_exempt' as const,
  }
  const sale = saleOf([coat, shirt], { 1: { reference: 'SHIRT' } })
  const taken = (line: CreditAsked) => creditedLines(sale, [line])[0]?.parts.map(({ position }) => position)

  it('is found by its reference, by the id of the line, by its exact amount', () => {
    expect(taken(asked('clothing', -100, { reference: 'SHIRT' }))).toEqual([1])
    expect(taken(asked('clothing', -100, { reference: 'li_0' }))).toEqual([0])
    expect(taken(asked('clothing', -5_000))).toEqual([1])
  })

  it('is refused if lines of its type bear different taxes, and with a type that was not sold', () => {
    expect(() => taken(asked('clothing', -100))).toThrow(
      /line_items\[0\]\.reference: .* have different taxes/,
    )
    expect(() => taken(asked('saas', -100))).toThrow(/line_items\[0\]\.product_type: .* no line of saas/)
  })

  it('may take from several lines that bear the same taxes, and no more than they have', () => {
    const two = saleOf([lineOf(SAAS, 60, 0), lineOf(SAAS, 40, 1)])
    const [line] = creditedLines(two, [asked('saas', -90)])
    expect(line?.mirrored).toMatchObject({ net_amount: -90, tax_amount: -20, tax_rate: 220_000 })
    expect(() => creditedLines(two, [asked('saas', -60), asked('saas', -41)])).toThrow(/at most/)
    const all = creditedLines(two, [asked('saas', -70), asked('saas', -30)])
    expect(all.reduce((sum, each) => sum + (each.mirrored?.tax_amount ?? 0), 0)).toBe(-22)
  })

  it('gives back a negative line with a positive one, and charges nothing new', () => {
    const coupon = { ...lineOf(SAAS, 1_000, 1), net_amount: -1_000, taxable_amount: -1_000, tax_amount: -220 }
    const withCoupon = saleOf([lineOf(SAAS, 6_000, 0), { ...coupon, tax_breakdown: '[]' }])
    const lines = creditedLines(withCoupon, [asked('saas', -6_000), asked('saas', 1_000)])
    expect(lines.map((line) => line.mirrored?.tax_amount)).toEqual([-1_320, 220])
    expect(() => creditedLines(sale, [asked('clothing', 100)])).toThrow(/is a charge/)
  })

  it('that states its tax mirrors its line if that is its tax, to a unit', () => {
    const one = saleOf([lineOf(SAAS, 10_000, 0)])
    const stated = (tax_amount: number) => creditedLines(one, [asked('saas', -3_333, { tax_amount })])[0]
    expect(stated(-733)?.mirrored).toMatchObject({ net_amount: -3_333, tax_amount: -733, tax_rate: 220_000 })
    expect(stated(-734)?.mirrored).toMatchObject({ tax_amount: -734, tax_rate: 220_000 })
    expect(stated(-800)).toMatchObject({ mirrored: null, parts: [{ net_amount: 3_333, tax_amount: 800 }] })
  })

  it('that states its tax may have rounded each of the lines that it credits', () => {
    const three = saleOf([0, 1, 2].map((position) => lineOf(SAAS, 333, position)))
    const stated = (tax_amount: number) => creditedLines(three, [asked('saas', -990, { tax_amount })])[0]
    expect(stated(-217)?.mirrored).toMatchObject({ net_amount: -990, tax_amount: -217, tax_rate: 220_000 })
    expect(stated(-216)?.mirrored).toMatchObject({ net_amount: -990, tax_amount: -216, tax_rate: 220_000 })
    expect(stated(-200)?.mirrored).toBeNull()
  })

  it('that states another tax has the place and the taxes of what it credits, which add up to it', () => {
    const line = fc.record({ kind: fc.constantFrom(...KINDS), net: fc.integer({ min: 1, max: 9_999 }) })
    const sales = fc.array(line, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(sales, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(4_000), (sold, share, tax) => {
        const lines = sold.map(({ kind, net }, position) => lineOf(kind, net, position))
        const [first] = lines
        const price = Math.floor((first?.net_amount ?? 0) * share)
        const more = { tax_amount: 0 - tax }
        const [credit] = creditedLines(saleOf(lines), [asked(first?.product_type ?? '', 0 - price, more)])
        if (credit?.mirrored) return
        expect(credit?.placed).toMatchObject({ place_of_supply: 'US-TX', scheme: '' })
        const taxes: StoredTax[] = JSON.parse(credit?.placed?.tax_breakdown ?? '')
        expect(taxes.reduce((sum, each) => sum + each.tax_amount, 0)).toBe(0 - tax)
      }),
    )
  })
})
