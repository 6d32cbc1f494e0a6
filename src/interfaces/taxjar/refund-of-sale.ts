import { discountedAmount } from '../../engine/sale/lines.ts'
import { isWithin, proRata, sumsOfParts } from '../../sales/transactions/give-back/refund-split.ts'
import { leftOfLine, type LinesLeft, remainderOf } from '../../sales/transactions/give-back/remainder.ts'
import { readSaleContext, type SaleContext } from '../../sales/transactions/sale/sale-context.ts'
import type { LineRow, StoredTransaction } from '../../sales/transactions/sale/rows.ts'
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

/** A line of the refund, in minor units. `net` and `tax` are what comes back, positive. */
type LineBack = {
  index: number
  asked: DocumentFields['line_items'][number]
  product: Pick<StatedSale['line_items'][number], 'product_type' | 'supply'>
  net: number
  tax: number
}

/** Each line of the refund with its line of the sale. Null: a line is not found. */
function linesOf(
  sale: StoredTransaction,
  fields: DocumentFields,
  { line_items, shipping_cost }: StatedSale,
): RefundLine[] | null {
  const backs: LineBack[] = []
  for (const [index, line] of line_items.entries()) {
    // A line that only makes the sums agree is no line of the sale.
    const asked = fields.line_items[index]
    if (asked === undefined) return null
    backs.push({ index, asked, product: line, net: -discountedAmount(line), tax: -line.tax_amount })
  }
  const free = sale.lines.filter(({ product_type }) => product_type !== 'shipping')
  const isWhole = free.length === backs.length
  const books: SaleBooks = { ...readSaleContext(sale.row.facts), left: remainderOf(sale).lines }
  const found: RefundLine[] = []
  const isNamed = ({ asked }: LineBack) => asked.product_identifier !== null
  for (const back of [...backs.filter(isNamed), ...backs.filter((each) => !isNamed(each))]) {
    const { net, tax } = back
    if (net === 0 && tax === 0) continue
    const match = lineOf(books, free, back, isWhole)
    if (match === undefined) return null
    free.splice(free.indexOf(match), 1)
    if (net + tax !== 0) found.push({ id: match.id, amount: net + tax, tax_amount: tax })
  }
  if (!shipping_cost) return found
  const shipped = sale.lines.find(({ product_type }) => product_type === 'shipping')
  if (shipped === undefined) return null
  const [net, tax] = [-shipping_cost.amount, -(shipping_cost.tax_amount ?? 0)]
  if (net + tax !== 0) found.push({ id: shipped.id, amount: net + tax, tax_amount: tax })
  return found
}

type SaleBooks = Pick<SaleContext, 'lines'> & { left: LinesLeft }

/**
 * The line of the sale that a line of the refund says: by its product identifier, else by its tax code. Of
 * several it is one that bears the tax at its rate. A refund with all lines may name them by their order.
 */
function lineOf(
  { lines: facts, left }: SaleBooks,
  free: readonly LineRow[],
  { index, asked, product, net, tax }: LineBack,
  isWhole: boolean,
): LineRow | undefined {
  const { product_identifier, product_tax_code } = asked
  const said = free.filter((line) => {
    if (product_identifier !== null) return facts[line.position]?.reference === product_identifier
    if (!product_tax_code) return true
    const is_supply = facts[line.position]?.supply_reason === undefined
    return line.product_type === product.product_type && is_supply === (product.supply !== false)
  })
  const fitting = said.filter((line) => {
    const bears = proRata(line.tax_amount, net, line.net_amount)
    return isWithin(net, sumsOfParts(leftOfLine(left, line)).subtotal) && Math.abs(bears - tax) <= 1
  })
  const isNamed = product_identifier !== null || product_tax_code
  const atPlace = isWhole ? free.find(({ position }) => position === index) : undefined
  if (atPlace !== undefined && fitting.includes(atPlace)) return atPlace
  const exact = fitting.find((line) => line.net_amount === net && line.tax_amount === tax)
  return exact ?? fitting[0] ?? (isNamed ? said[0] : undefined) ?? (product_identifier ? undefined : atPlace)
}
