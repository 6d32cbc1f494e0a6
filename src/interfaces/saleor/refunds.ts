import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { readAgainOnChange } from '../../platform/database/read-again.ts'
import { ApiError } from '../../platform/errors.ts'
import { shareByWeight } from '../../engine/arithmetic/allocation.ts'
import { multiplyAndDivide } from '../../engine/arithmetic/rounding.ts'
import { minorUnits } from '../taxjar/amounts.ts'
import { writeOfRefund } from '../../sales/transactions/give-back/refund.ts'
import type { StoredTransaction } from '../../sales/transactions/sale/rows.ts'
import type { RefundBody } from '../../sales/transactions/sale/schemas.ts'
import { findTransaction } from '../../sales/transactions/sale/store.ts'
import type { SaleorOrder } from './order-payload.ts'

export function externalId({ id }: Pick<SaleorOrder, 'id'>): string {
  return `saleor:${id}`
}

/**
 * Refunds what the shop has given back in all and the books have not, or all that is left. The sum is that of
 * the shop, so the same refund is never recorded twice.
 */
export async function refundUpTo(context: Context, order: SaleorOrder, whole: boolean): Promise<boolean> {
  const given_back = minorUnits(order.totalRefunded.amount, order.total.currency)
  if (!whole && given_back === 0) return false
  return readAgainOnChange(async () => {
    const sale = await findTransaction(context, { external_id: externalId(order) })
    const { total, amount_refunded } = sale.row
    const amount = (whole ? total : Math.min(total, given_back)) - amount_refunded
    if (amount <= 0) return false
    const { write } = await writeOf(context, order, sale, amount)
    await commit(context, { ...write, answer: {} })
    return true
  })
}

/** The refund over the lines that the shop names, or over all lines, which its reason says. */
async function writeOf(context: Context, order: SaleorOrder, sale: StoredTransaction, amount: number) {
  const { total, amount_refunded } = sale.row
  const external_id = `${externalId(order)}:${amount_refunded + amount}`
  if (amount_refunded + amount === total) {
    const reason = `Order ${order.number} cancelled or refunded in the shop`
    return writeOfRefund(context, sale, { amount, reason, external_id })
  }
  const partly = `Order ${order.number} partly refunded in the shop`
  const named = namedLines(order, sale, amount)
  if (named !== null) {
    const { line_items, grants } = named
    const reason = `${partly}: ${grants.join(', ')}`.slice(0, 500).toWellFormed()
    try {
      return await writeOfRefund(context, sale, { line_items, reason, external_id })
    } catch (thrown) {
      // The lines have less left than the shop gave back for them: earlier refunds were shared over all.
      if (!(thrown instanceof ApiError) || thrown.reason !== 'refund_exceeds_remaining') throw thrown
    }
  }
  const reason = `${partly}: shared over all lines, because the shop names none for this amount`
  return writeOfRefund(context, sale, { amount, reason, external_id })
}

/** An amount that the shop gave back for lines. `shipping`: in minor units; null: that of the order. */
type Grant = {
  id: string
  amount: number
  lines: { id: string; quantity: number }[]
  shipping: number | null
}

type NamedLines = { line_items: NonNullable<RefundBody['line_items']>; grants: string[] }

/**
 * The lines of the grants that are this amount and that no refund in the books names. Null: no grant is, or
 * two with different lines are, or the order was edited after the sale was recorded.
 */
function namedLines(order: SaleorOrder, sale: StoredTransaction, amount: number): NamedLines | null {
  const open = grantsOf(order).filter(({ id }) => !sale.refunds.some(({ reason }) => reason.includes(id)))
  const equal = open.filter((grant) => grant.amount === amount)
  const [first] = equal
  const all = open.length > 1 && open.reduce((sum, grant) => sum + grant.amount, 0) === amount
  const chosen = first === undefined ? (all ? open : []) : equal.every(isSameAs(first)) ? [first] : []
  if (chosen.length === 0) return null
  const line_items = chosen.map((grant) => amountsOf(order, sale, grant))
  if (line_items.some((each) => each === null)) return null
  const merged = new Map<string, number>()
  for (const { id, amount: part } of line_items.flatMap((each) => each ?? []))
    merged.set(id, (merged.get(id) ?? 0) + part)
  return {
    line_items: [...merged].filter(([, part]) => part > 0).map(([id, part]) => ({ id, amount: part })),
    grants: chosen.map(({ id }) => id),
  }
}

function isSameAs(first: Grant): (other: Grant) => boolean {
  const text = ({ lines, shipping }: Grant) => JSON.stringify([lines, shipping])
  return (other) => text(other) === text(first)
}

/** Granted refunds come first: a fulfilment that was refunded says the same once more. */
function grantsOf({ grantedRefunds, fulfillments, total: { currency } }: SaleorOrder): Grant[] {
  const lines = (given: readonly { quantity: number; orderLine?: { id: string } | null | undefined }[]) =>
    given.flatMap(({ quantity, orderLine }) => (orderLine ? [{ id: orderLine.id, quantity }] : []))
  const granted = (grantedRefunds ?? [])
    .filter(({ status }) => status === 'SUCCESS' || status === 'NONE')
    .map((each): Grant => ({
      id: each.id,
      amount: minorUnits(each.amount.amount, currency),
      lines: lines(each.lines ?? []),
      shipping: each.shippingCostsIncluded ? null : 0,
    }))
  if (granted.length > 0) return granted
  return (fulfillments ?? [])
    .filter(({ status }) => status === 'REFUNDED' || status === 'REFUNDED_AND_RETURNED')
    .flatMap((each): Grant[] =>
      each.totalRefundedAmount
        ? [
            {
              id: each.id,
              amount: minorUnits(each.totalRefundedAmount.amount, currency),
              lines: lines(each.lines ?? []),
              shipping: each.shippingRefundedAmount
                ? minorUnits(each.shippingRefundedAmount.amount, currency)
                : 0,
            },
          ]
        : [],
    )
}

/** What a grant gives back of each line, in proportion to the prices of what came back. */
function amountsOf(
  order: SaleorOrder,
  { lines }: StoredTransaction,
  grant: Grant,
): { id: string; amount: number }[] | null {
  const { currency } = order.total
  const gross = ({ gross: { amount } }: SaleorOrder['shippingPrice']) => minorUnits(amount, currency)
  const weights: { id: string; weight: number }[] = []
  for (const { id, quantity } of grant.lines) {
    const position = order.lines.findIndex((each) => each.id === id)
    const [ordered, line] = [order.lines[position], lines.find((each) => each.position === position)]
    if (ordered === undefined || line === undefined) return null
    const price = gross(ordered.totalPrice)
    if (line.net_amount + line.tax_amount !== price || quantity > ordered.quantity) return null
    weights.push({ id: line.id, weight: multiplyAndDivide(price, quantity, ordered.quantity) })
  }
  const shipping = lines.find(({ product_type }) => product_type === 'shipping')
  const of_shipping = grant.shipping ?? gross(order.shippingPrice)
  if (of_shipping > 0) {
    if (shipping === undefined) return null
    weights.push({ id: shipping.id, weight: of_shipping })
  }
  if (weights.every(({ weight }) => weight === 0)) return null
  const shares = shareByWeight(
    grant.amount,
    weights.map(({ weight }) => weight),
  )
  return weights.map(({ id }, index) => ({ id, amount: shares[index] ?? 0 }))
}
