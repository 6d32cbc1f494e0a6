import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CreditAsked,
  creditedLines,
  creditsToKeep,
} from '../../../src/sales/transactions/credited-lines.ts'
import { divideRefund, partsLeft } from '../../../src/sales/transactions/refund-lines.ts'
import type {
  LineRow,
  RefundRow,
  StoredTax,
  StoredTransaction,
} from '../../../src/sales/transactions/rows.ts'

const MONEY = ['net_amount', 'taxable_amount', 'tax_amount', 'provincial_tax_amount'] as const
const SUMS = [...MONEY, 'uncollected_amount'] as const

type Kind = { product_type: string; rates: readonly number[]; portions: boolean }

const KINDS: readonly Kind[] = [
  { product_type: 'saas', rates: [220_000], portions: false },
  { product_type: 'books', rates: [50_000, 99_750], portions: false },
  { product_type: 'clothing', rates: [62_500, 10_000, 7_500], portions: false },
  { product_type: 'groceries', rates: [0], portions: false },
  { product_type: 'shipping', rates: [200_000, 55_000], portions: true },
]

function lineOf({ product_type, rates, portions }: Kind, net_amount: number, position: number): LineRow {
  const half = Math.trunc(net_amount / 2)
  const bases = portions ? [half, net_amount - half] : rates.map(() => net_amount)
  const taxes = rates.map((rate, index): StoredTax => ({
    jurisdiction_id: portions ? 'FR' : `US-TX${'-1'.repeat(index)}`,
    tax_type: 'VAT',
    levied_as: null,
    rate: rate / 1_000_000,
    taxable_amount: bases[index] ?? 0,
    tax_amount: Math.round(((bases[index] ?? 0) * rate) / 1_000_000),
  }))
  const tax_amount = taxes.reduce((sum, tax) => sum + tax.tax_amount, 0)
  const parts = taxes.map((tax, index) => ({
    tax_rate: rates[index] ?? 0,
    reason: '',
    net_amount: tax.taxable_amount,
    taxable_amount: tax.taxable_amount,
    tax_amount: tax.tax_amount,
  }))
  return {
    transaction_id: 'txn_0',
    position,
    id: `li_${position}`,
    amount: net_amount,
    quantity: 1,
    product_type,
    description: null,
    taxable: 1,
    net_amount,
    taxable_amount: net_amount,
    uncollected_amount: net_amount % 7,
    tax_rate: rates.reduce((sum, rate) => sum + rate, 0),
    tax_amount,
    provincial_tax_amount: Math.trunc(tax_amount / 3),
    taxability_reason: null,
    reason_detail: null,
    place_of_supply: 'US-TX',
    scheme: '',
    tax_breakdown: JSON.stringify(taxes),
    opens_product: 1,
    exemption: '',
    portions: portions ? JSON.stringify(parts) : null,
  }
}

function saleOf(lines: readonly LineRow[], references: Record<number, object> = {}): StoredTransaction {
  const sum = (name: 'net_amount' | 'tax_amount') => lines.reduce((all, line) => all + line[name], 0)
  const [subtotal, tax_amount] = [sum('net_amount'), sum('tax_amount')]
  const amounts = { subtotal, tax_amount, total: subtotal + tax_amount, amount_refunded: 0, tax_refunded: 0 }
  const row = { id: 'txn_0', currency: 'USD', facts: JSON.stringify({ lines: references }), ...amounts }
  return { row, lines, refunds: [], notes: [] } as unknown as StoredTransaction
}

/** Ids sort by time. */
const idAt = (prefix: string, time: number) => `${prefix}_${String(time).padStart(26, '0')}`

const asked = (product_type: string, price: number, more: Partial<CreditAsked> = {}): CreditAsked => ({
  path: 'line_items[0]',
  price,
  inclusive: false,
  product_type,
  reference: null,
  tax_amount: null,
  ...more,
})

function credited(sale: StoredTransaction, lines: readonly CreditAsked[], time: number) {
  const credits = creditedLines(sale, lines)
  const mirrored = credits.map(({ mirrored: line }) => line)
  const sum = (name: 'net_amount' | 'tax_amount') =>
    mirrored.reduce((all, line) => all + (line?.[name] ?? 0), 0)
  const [subtotal, tax_amount] = [sum('net_amount'), sum('tax_amount')]
  const note = {
    id: idAt('txn', time),
    subtotal,
    tax_amount,
    total: subtotal + tax_amount,
    credits: JSON.stringify(creditsToKeep(credits.flatMap(({ parts }) => parts))),
  }
  return { mirrored, sale: { ...sale, notes: [...(sale.notes ?? []), note] } }
}

function refunded(sale: StoredTransaction, body: object, time: number): StoredTransaction {
  const divided = divideRefund(sale, { reason: 'returned', ...body })
  const row = { id: idAt('rfd', time), ...divided, parts: JSON.stringify(divided.parts) } as RefundRow
  const amount_refunded = sale.row.amount_refunded + divided.amount
  return { ...sale, row: { ...sale.row, amount_refunded }, refunds: [...sale.refunds, row] }
}

const step = fc.record({
  kind: fc.constantFrom('net', 'gross', 'refund', 'refund of a line'),
  line: fc.nat(),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
})

const sold = fc
  .array(fc.record({ kind: fc.constantFrom(...KINDS), net: fc.integer({ min: 1, max: 100_000 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((drawn) => drawn.map(({ kind, net }, position) => lineOf(kind, net, position)))

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
