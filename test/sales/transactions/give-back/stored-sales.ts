import fc from 'fast-check'
import {
  type CreditAsked,
  creditedLines,
  creditsToKeep,
} from '../../../../src/sales/transactions/give-back/credited-lines.ts'
import { divideRefund } from '../../../../src/sales/transactions/give-back/refund-lines.ts'
import { withRefund } from '../../../../src/sales/transactions/give-back/refunded-sale.ts'
import type {
  LineRow,
  RefundRow,
  StoredTax,
  StoredTransaction,
} from '../../../../src/sales/transactions/sale/rows.ts'

export type Kind = { product_type: string; rates: readonly number[]; portions: boolean }

/** Lines with one tax, several, none, and with a part for each rate. */
export const KINDS: readonly Kind[] = [
  { product_type: 'saas', rates: [220_000], portions: false },
  { product_type: 'books', rates: [50_000, 99_750], portions: false },
  { product_type: 'clothing', rates: [62_500, 10_000, 7_500], portions: false },
  { product_type: 'groceries', rates: [0], portions: false },
  { product_type: 'shipping', rates: [200_000, 55_000], portions: true },
]

export function lineOf(
  { product_type, rates, portions }: Kind,
  net_amount: number,
  position: number,
): LineRow {
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

export function saleOf(
  lines: readonly LineRow[],
  references: Record<number, object> = {},
): StoredTransaction {
  const sum = (name: 'net_amount' | 'tax_amount') => lines.reduce((all, line) => all + line[name], 0)
  const [subtotal, tax_amount] = [sum('net_amount'), sum('tax_amount')]
  const amounts = { subtotal, tax_amount, total: subtotal + tax_amount, amount_refunded: 0, tax_refunded: 0 }
  const facts = JSON.stringify({ lines: references })
  const named = { id: 'txn_0', external_id: null, status: 'completed', currency: 'USD', day: '2026-01-01' }
  const row = { ...named, facts, ...amounts }
  return { row, lines, refunds: [], notes: [] } as unknown as StoredTransaction
}

/** Ids sort by time. */
const idAt = (prefix: string, time: number) => `${prefix}_${String(time).padStart(26, '0')}`

export const asked = (product_type: string, price: number, more: Partial<CreditAsked> = {}): CreditAsked => ({
  path: 'line_items[0]',
  price,
  inclusive: false,
  product_type,
  reference: null,
  tax_amount: null,
  ...more,
})

/** What the lines of a credit note credit, and the sale with it. */
export function credited(sale: StoredTransaction, lines: readonly CreditAsked[], time: number) {
  const credits = creditedLines(sale, lines)
  const mirrored = credits.map(({ mirrored: line }) => line)
  const sum = (name: 'net_amount' | 'tax_amount') =>
    mirrored.reduce((all, line) => all + (line?.[name] ?? 0), 0)
  const [subtotal, tax_amount] = [sum('net_amount'), sum('tax_amount')]
  const note = {
    id: idAt('txn', time),
    status: 'completed' as const,
    subtotal,
    tax_amount,
    total: subtotal + tax_amount,
    credits: JSON.stringify(creditsToKeep(credits.flatMap(({ parts }) => parts))),
  }
  return { mirrored, sale: { ...sale, notes: [...(sale.notes ?? []), note] } }
}

/** A sale after a refund at a time. */
export function refunded(sale: StoredTransaction, body: object, time: number): StoredTransaction {
  const divided = divideRefund(sale, { reason: 'returned', ...body })
  return withRefund(sale, {
    id: idAt('rfd', time),
    ...divided,
    parts: JSON.stringify(divided.parts),
  } as RefundRow)
}

export const sold = fc
  .array(fc.record({ kind: fc.constantFrom(...KINDS), net: fc.integer({ min: 1, max: 100_000 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((drawn) => drawn.map(({ kind, net }, position) => lineOf(kind, net, position)))
