import type { Refund, RefundRequest, Transaction, TransactionRequest } from '../schema.ts'
import type { ShopRefund } from './refund-by-line.ts'

/**
 * A sale with its number in the shop: the service records each number once, also after years. `shop_lines`:
 * the ids of its line items in the shop, in their order. Refunds name them, and `metadata` keeps them.
 */
export type RecordedSale = TransactionRequest & { external_id: string; shop_lines?: readonly string[] }

/** A refund with its own number in the shop: by what the shop knows of it, or as the service takes it. */
export type RecordedRefund = ShopRefund | (RefundRequest & { external_id: string; shop_lines?: never })

/** The number is of another sale or refund: two stores count alike, or it was used twice. */
export class NumberTakenError extends Error {
  override readonly name = 'NumberTakenError'

  constructor(number: string, what: string) {
    super(`The number ${number} is in the books with ${what}: nothing was recorded. Give it another number`)
  }
}

type Priced = { amount?: number; unit_amount?: number; quantity?: number }

/**
 * Throws a NumberTakenError unless this is the sale in the books: its currency and the prices of its lines,
 * in their order. Its day is not compared, because a repeat of the shop may have another one.
 */
export function holdSame(sale: RecordedSale, kept: Transaction): void {
  const given = sale.calculation ?? sale
  const taken = (what: string) => new NumberTakenError(sale.external_id, what)
  if (given.currency !== undefined && given.currency.toUpperCase() !== kept.currency)
    throw taken(`the currency ${kept.currency}`)
  const lines: Priced[] = [...(given.line_items ?? [])]
  if (given.shipping_cost) lines.push(given.shipping_cost)
  if (!lines.every((line, at) => isPriceOf(line, kept.line_items[at]))) throw taken('other lines or amounts')
}

function isPriceOf(line: Priced, kept: Transaction['line_items'][number] | undefined): boolean {
  if (kept === undefined) return false
  if (line.amount !== undefined) return line.amount === kept.amount + kept.discount
  return (
    line.unit_amount === kept.unit_amount && (line.quantity ?? 1) === (kept.unit_quantity ?? kept.quantity)
  )
}

/** Whether the sale in the books has this refund. Throws a NumberTakenError if it has another amount. */
export function hasRefund({ refunds }: { refunds: Refund[] }, refund: RecordedRefund): boolean {
  const kept = refunds.find(({ external_id }) => external_id === refund.external_id)
  if (kept === undefined) return false
  if (refund.amount !== undefined && refund.amount !== kept.amount)
    throw new NumberTakenError(refund.external_id, `the amount ${kept.amount}`)
  return true
}
