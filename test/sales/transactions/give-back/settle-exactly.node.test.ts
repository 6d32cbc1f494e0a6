import fc from 'fast-check'
import { expect, it } from 'vitest'
import { divideRefund } from '../../../../src/sales/transactions/give-back/refund-lines.ts'
import type {
  LineRow,
  RefundRow,
  StoredTax,
  WholeSale,
} from '../../../../src/sales/transactions/sale/rows.ts'
import { settle } from '../../../../src/sales/transactions/give-back/settle.ts'

const MONEY = ['net_amount', 'taxable_amount', 'tax_amount', 'provincial_tax_amount'] as const

const line = fc
  .record({
    net_amount: fc.integer({ min: 1, max: 1_000_000 }),
    rates: fc.constantFrom<number[]>([190_000], [50_000, 99_750], [62_500, 10_000, 7_500], [0]),
    product_type: fc.constantFrom('saas', 'books', 'shipping'),
  })
  .map(({ net_amount, rates, product_type }): Omit<LineRow, 'position'> => {
    const taxes = rates.map((rate, index): StoredTax => ({
      jurisdiction_id: `US-TX${'-1'.repeat(index)}`,
      tax_type: 'SALES_TAX',
      levied_as: null,
      rate: rate / 1_000_000,
      taxable_amount: net_amount,
      tax_amount: Math.round((net_amount * rate) / 1_000_000),
    }))
    const tax_amount = taxes.reduce((sum, tax) => sum + tax.tax_amount, 0)
    return {
      transaction_id: 'txn_1',
      id: 'li_1',
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
      portions: null,
    }
  })

const steps = fc.array(
  fc.record({ kind: fc.constantFrom('settle', 'refund'), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  { maxLength: 8 },
)

function saleOf(lines: readonly LineRow[]): WholeSale {
  const [subtotal, tax_amount] = (['net_amount', 'tax_amount'] as const).map((name) =>
    lines.reduce((sum, each) => sum + each[name], 0),
  )
  const total = (subtotal ?? 0) + (tax_amount ?? 0)
  const row = { id: 'txn_1', external_id: null, status: 'completed', currency: 'USD', day: '2026-01-01' }
  const amounts = { subtotal, tax_amount, total, amount_refunded: 0 }
  return {
    row: { ...row, ...amounts },
    lines,
    refunds: [],
    notes: [],
    settlements: [],
  } as unknown as WholeSale
}

it('takes off exactly what was charged less what was refunded, in whatever steps, tax by tax', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), steps, (drawn, done) => {
      const lines = drawn.map((each, position) => ({ ...each, position, id: `li_${position}` }))
      let sale = saleOf(lines)
      const mirrored: LineRow[] = []
      const takeOff = (amount: number | undefined) => {
        const body = { currency: 'USD', line_items: [], settles: [{ transaction_id: 'txn_1', amount }] }
        const final = {
          id: `txn_${sale.refunds.length + sale.settlements.length + 2}`,
          body,
          day: '2026-02-01',
          total: 1e13,
          lines: [],
        }
        const [taken] = settle(final, [sale])
        if (taken === undefined) throw new Error('it settles one sale')
        mirrored.push(...taken.lines)
        sale = { ...sale, settlements: [...sale.settlements, taken.row] }
        expect(-taken.lines.reduce((sum, each) => sum + each.net_amount + each.tax_amount, 0)).toBe(
          taken.row.amount,
        )
      }
      const left = () =>
        sale.row.total -
        sale.row.amount_refunded -
        sale.settlements.reduce((sum, { amount }) => sum + amount, 0)
      for (const { kind, share } of done) {
        const amount = Math.floor(left() * share)
        if (amount < 1) continue
        if (kind === 'settle') takeOff(amount)
        else sale = refunded(sale, amount)
      }
      if (left() > 0) takeOff(undefined)
      const parts = sale.refunds.flatMap((each) => JSON.parse(each.parts) as Record<string, number>[])
      for (const name of MONEY) {
        const sold = lines.reduce((sum, each) => sum + each[name], 0)
        const back = parts.reduce((sum, part) => sum + (part[name] ?? 0), 0)
        expect(mirrored.reduce((sum, each) => sum + each[name], sold - back)).toBe(0)
      }
      for (const each of mirrored) {
        const taxes: StoredTax[] = JSON.parse(each.tax_breakdown)
        expect(taxes.reduce((sum, tax) => sum + tax.tax_amount, 0)).toBe(each.tax_amount)
      }
    }),
    { numRuns: 2_000 },
  )
})

function refunded(sale: WholeSale, amount: number): WholeSale {
  const divided = divideRefund(sale, { amount, reason: 'returned' })
  const id = `rfd_${sale.refunds.length + sale.settlements.length + 2}`
  const row = { id, ...divided, parts: JSON.stringify(divided.parts) } as RefundRow
  const amount_refunded = sale.row.amount_refunded + amount
  return { ...sale, row: { ...sale.row, amount_refunded }, refunds: [...sale.refunds, row] }
}
