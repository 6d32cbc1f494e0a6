import type { Transaction } from '../../client/src/schema.ts'
import { proRata } from '../../src/transactions/refund-split.ts'

/**
 * What a refund would give back, in minor units with tax. `exact` is false if earlier refunds or fees were
 * spread in a way that only the service counts.
 */
export type Split = { amount: number; tax_amount: number; exact: boolean }

/** What is left of a line, in minor units, and what refunds gave back of it. */
export type LineLeft = {
  line: Transaction['line_items'][number]
  amount: number
  tax_amount: number
  refunded: number
}

/** What is left of each line of a sale after its refunds. */
export function leftOfLines({ line_items, refunds, subtotal, tax_amount: tax }: Transaction): LineLeft[] {
  return line_items.map((line) => {
    let [net_back, tax_back] = [0, 0]
    for (const refund of refunds) {
      const own = refund.line_items?.find(({ id }) => id === line.id)
      const spread = refund.line_items === null
      net_back += spread
        ? proRata(line.net_amount, refund.amount - refund.tax_amount, subtotal)
        : (own?.net_amount ?? 0)
      tax_back += spread ? proRata(line.tax_amount, refund.tax_amount, tax) : (own?.tax_amount ?? 0)
    }
    const refunded = net_back + tax_back
    const amount = line.net_amount + line.tax_amount - refunded
    return { line, amount, tax_amount: line.tax_amount - tax_back, refunded }
  })
}

/** The split of an amount over the whole sale. */
export function splitOfAmount(sale: Transaction, amount: number): Split {
  const { total, tax_amount, amount_refunded, tax_refunded, refunds, line_items } = sale
  const rest = amount === total - amount_refunded
  const tax = rest ? tax_amount : proRata(tax_amount, amount_refunded + amount, total)
  const by_line = refunds.some((each) => each.line_items !== null)
  const fees = line_items.some(({ product_type }) => product_type === 'retail_delivery_fee')
  return { amount, tax_amount: tax - tax_refunded, exact: rest || (!by_line && !fees) }
}

/** The split of amounts of single lines; a null amount is all that is left of the line. */
export function splitOfLines(
  sale: Transaction,
  chosen: readonly { left: LineLeft; amount: number | null }[],
): Split {
  const parts = chosen.map(({ left, amount }) => ({
    amount: amount ?? left.amount,
    tax_amount: amount === null ? left.tax_amount : proRata(left.tax_amount, amount, left.amount),
  }))
  const sum = (name: 'amount' | 'tax_amount') => parts.reduce((total, part) => total + part[name], 0)
  const exact = sale.refunds.every((each) => each.line_items !== null)
  return { amount: sum('amount'), tax_amount: sum('tax_amount'), exact }
}
