import { discountedAmount } from '../../engine/sale/lines.ts'
import { readSaleContext } from '../../sales/transactions/sale/sale-context.ts'
import type { StoredTransaction } from '../../sales/transactions/sale/rows.ts'
import type { RefundBody } from '../../sales/transactions/sale/schemas.ts'
import type { DocumentFields } from './document.ts'
import type { ReadTaxCode } from './tax-codes.ts'
import { type StatedSale, statedSale } from './sale-of-document.ts'

type RefundLine = NonNullable<RefundBody['line_items']>[number]

/** What our own route would be asked: the refund by lines if each is found in the sale, and as a whole. */
type AskedRefund = { by_line: RefundBody | null; whole: RefundBody }

/** A refund of a recorded sale in minor units, with the tax that the document states. */
export function refundOfSale(
  sale: StoredTransaction,
  fields: DocumentFields,
  readCode: ReadTaxCode,
  beside: Pick<RefundBody, 'reason' | 'refunded_at' | 'external_id'>,
): AskedRefund {
  const stated = statedSale(fields, sale.row.currency, readCode)
  const shipping = stated.shipping_cost ?? { amount: 0, tax_amount: 0 }
  let [amount, tax_amount] = [-shipping.amount - (shipping.tax_amount ?? 0), -(shipping.tax_amount ?? 0)]
  for (const line of stated.line_items) {
    amount -= discountedAmount(line) + line.tax_amount
    tax_amount -= line.tax_amount
  }
  const lines = fields.line_items.length === 0 ? null : linesOf(sale, fields, stated)
  return {
    by_line: lines === null || lines.length === 0 ? null : { ...beside, line_items: lines },
    whole: { ...beside, amount, tax_amount },
  }
}

/**
 * Each line of the refund with its line of the sale: the next one with the same product identifier, else the
 * one at the same place. Null: a line is not found.
 */
function linesOf(
  sale: StoredTransaction,
  fields: DocumentFields,
  { line_items, shipping_cost }: StatedSale,
): RefundLine[] | null {
  const { lines: facts } = readSaleContext(sale.row.facts)
  const taken = new Set<string>()
  const found: RefundLine[] = []
  const take = (line: { id: string } | undefined, net: number, tax: number): boolean => {
    if (line === undefined) return false
    taken.add(line.id)
    if (net + tax !== 0) found.push({ id: line.id, amount: -(net + tax), tax_amount: -tax })
    return true
  }
  for (const [index, line] of line_items.entries()) {
    // A line that only makes the sums agree is no line of the sale.
    const asked = fields.line_items[index]
    if (asked === undefined) return null
    const identifier = asked.product_identifier
    const match = sale.lines.find(({ id, position, product_type }) => {
      if (taken.has(id) || product_type === 'shipping') return false
      return identifier === null ? position === index : facts[position]?.reference === identifier
    })
    if (!take(match, discountedAmount(line), line.tax_amount)) return null
  }
  if (!shipping_cost) return found
  const shipped = sale.lines.find(({ product_type }) => product_type === 'shipping')
  return take(shipped, shipping_cost.amount, shipping_cost.tax_amount ?? 0) ? found : null
}
