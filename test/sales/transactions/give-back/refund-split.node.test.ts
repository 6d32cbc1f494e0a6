import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitFitting, splitRefund } from '../../../../src/sales/transactions/give-back/refund-split.ts'
import { partsOfLines } from '../../../../src/sales/transactions/sale/line-parts.ts'
import type { LineRow } from '../../../../src/sales/transactions/sale/rows.ts'

const MONEY = ['net_amount', 'taxable_amount', 'tax_amount', 'provincial_tax_amount'] as const

const amount = fc.oneof(
  fc.integer({ min: -500, max: 5_000 }),
  fc.integer({ min: 0, max: 100_000_000_000_000 }),
)
const line = fc
  .record({
    net_amount: amount,
    tax_rate: fc.constantFrom(0, 50_000, 149_750, 190_000),
    product_type: fc.constantFrom('saas', 'books', 'shipping'),
    provincial: fc.constantFrom(0, 0.5),
  })
  .map(({ net_amount, tax_rate, product_type, provincial }): LineRow => {
    const tax_amount = Math.round((net_amount / 1_000_000) * tax_rate)
    return {
      transaction_id: 'txn_1',
      position: 0,
      id: 'li_1',
      amount: net_amount,
      quantity: 1,
      product_type,
      description: null,
      taxable: 1,
      net_amount,
      taxable_amount: tax_rate === 0 ? 0 : net_amount,
      uncollected_amount: 0,
      tax_rate,
      tax_amount,
      provincial_tax_amount: Math.trunc(tax_amount * provincial),
      taxability_reason: null,
      reason_detail: null,
      place_of_supply: 'DE',
      scheme: '',
      tax_breakdown: '[]',
      opens_product: 1,
      exemption: '',
      portions: null,
    }
  })

const sum = (rows: readonly Record<(typeof MONEY)[number], number>[], name: (typeof MONEY)[number]) =>
  rows.reduce((total, row) => total + row[name], 0)

const saleOf = (lines: readonly LineRow[]) => {
  const subtotal = sum(lines, 'net_amount')
  const tax_amount = sum(lines, 'tax_amount')
  return { subtotal, tax_amount, total: subtotal + tax_amount }
}

const sales = fc.array(line, { minLength: 1, maxLength: 6 }).filter((lines) => saleOf(lines).total > 0)

it('splits a full refund, in whatever steps, into exactly what was sold', () => {
  fc.assert(
    fc.property(
      sales,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
      (lines, cuts) => {
        const sale = saleOf(lines)
        const stops = [...new Set([...cuts.map((cut) => Math.floor(cut * sale.total)), sale.total])]
          .filter((stop) => stop > 0)
          .toSorted((a, b) => a - b)
        const parts = []
        let refunded = 0
        let tax = 0
        for (const stop of stops) {
          const split = splitRefund(partsOfLines(lines), refunded, stop - refunded)
          expect(sum(split.parts, 'net_amount') + sum(split.parts, 'tax_amount')).toBe(stop - refunded)
          expect(sum(split.parts, 'tax_amount')).toBe(split.tax_amount)
          tax += split.tax_amount
          expect(split.tax_refunded).toBe(tax)
          parts.push(...split.parts)
          refunded = stop
        }
        for (const name of MONEY) expect(sum(parts, name)).toBe(sum(lines, name))
      },
    ),
    { numRuns: 5_000 },
  )
})

it('takes the tax pro rata, rounded half away from zero', () => {
  fc.assert(
    fc.property(sales, fc.double({ min: 0.0001, max: 1, noNaN: true }), (lines, share) => {
      const sale = saleOf(lines)
      const amount = Math.max(1, Math.floor(share * sale.total))
      const exact =
        (BigInt(sale.tax_amount) * BigInt(amount) * 2n + BigInt(sale.total)) / (2n * BigInt(sale.total))
      if (sale.tax_amount >= 0)
        expect(splitRefund(partsOfLines(lines), 0, amount).tax_amount).toBe(Number(exact))
    }),
  )
})

it('splits a stated tax so that no part gives back more than it has, and what bears none takes the rest', () => {
  const charges = sales.filter((lines) => lines.every(({ net_amount }) => net_amount > 0))
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(charges, share, share, (lines, of_net, of_tax) => {
      const sold = partsOfLines(lines)
      const { subtotal, tax_amount } = saleOf(lines)
      const net = Math.floor(subtotal * of_net)
      const tax = Math.floor(tax_amount * of_tax)
      const parts = splitFitting(sold, { net_amount: net, tax_amount: tax })
      expect([sum(parts, 'net_amount'), sum(parts, 'tax_amount')]).toEqual([net, tax])
      parts.forEach((part, index) => {
        for (const name of MONEY) {
          expect(part[name]).toBeGreaterThanOrEqual(0)
          expect(part[name]).toBeLessThanOrEqual(sold[index]?.[name] ?? 0)
        }
      })
      const free = sold.filter((part) => part.tax_amount === 0)
      const back = parts.filter((_, index) => sold[index]?.tax_amount === 0)
      if (tax === 0)
        expect(sum(back, 'net_amount')).toBe(
          net === subtotal ? sum(free, 'net_amount') : Math.min(net, sum(free, 'net_amount')),
        )
    }),
  )
})
