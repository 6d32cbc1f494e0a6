import fc from 'fast-check'
import { expect, it } from 'vitest'
import { assessSale } from '../../../../src/engine/answer/assess.ts'
import type { AssessedLine } from '../../../../src/engine/found/assessment.ts'
import { withRecargo } from '../../../../src/engine/terms/es-recargo.ts'
import { partsToStore } from '../../../../src/sales/transactions/sale/line-parts.ts'
import type { LinePart } from '../../../../src/sales/transactions/sale/rows.ts'
import { book, saleOf } from '../../../engine/sale.ts'

const SPAIN = { country: 'ES', postal_code: '28001' }
const vat_scheme = { id: 'es_recargo', law: { treated: withRecargo } } as const
const GOODS = ['physical_goods', 'groceries', 'books', 'tobacco'] as const

const carts = fc.record({
  lines: fc.array(
    fc.record({
      amount: fc.integer({ min: 1, max: 5_000_000 }),
      product_type: fc.constantFrom(...GOODS, 'ebooks'),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  amount: fc.integer({ min: 1, max: 90_000 }),
  tax_behavior: fc.constantFrom('exclusive' as const, 'inclusive' as const),
})

function deliveryOf({ lines, amount, tax_behavior }: typeof carts extends fc.Arbitrary<infer C> ? C : never) {
  const customer = { address: SPAIN, type: 'business' as const, vat_id: null, vat_scheme }
  const words = { from: SPAIN, to: SPAIN, customer, lines, shipping: { amount, tax_behavior } }
  return assessSale(saleOf(words), book).shipping
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
const secondOf = ({ tax_breakdown }: AssessedLine) =>
  sumOf(tax_breakdown.flatMap((tax) => (tax.tax_type === 'VAT' ? [] : [tax.tax_amount])))

it('the parts of any delivery with recargo add up to it, each at the rates of one kind of goods', () => {
  let split = 0
  fc.assert(
    fc.property(carts, (cart) => {
      const line = deliveryOf(cart)
      const stored = line === null ? null : partsToStore(line)
      if (line === null || stored === null) return
      split += 1
      const parts: LinePart[] = JSON.parse(stored)
      expect(sumOf(parts.map((part) => part.net_amount))).toBe(line.net_amount)
      expect(sumOf(parts.map((part) => part.tax_amount))).toBe(line.tax_amount)
      expect(sumOf(parts.map((part) => part.provincial_tax_amount ?? 0))).toBe(secondOf(line))
      const rates = [262_000, 114_000, 45_000, 227_500, 210_000]
      expect(parts.map(({ tax_rate }) => tax_rate).filter((rate) => !rates.includes(rate))).toEqual([])
    }),
  )
  expect(split).toBeGreaterThan(20)
})
