import { multiplyAndDivide } from '../tax/arithmetic/rounding.ts'
import { at } from '../tax/invariant.ts'
import type { LineRow } from './rows.ts'
import type { RefundPart } from './totals-store.ts'

type RefundedSale = { subtotal: number; tax_amount: number; total: number; amount_refunded: number }
type Money = 'net_amount' | 'taxable_amount' | 'tax_amount' | 'provincial_tax_amount'

/**
 * The split of one refund, in minor units: the tax in its amount, the tax refunded so far, and the parts by
 * group of lines.
 */
export type RefundSplit = { tax_amount: number; tax_refunded: number; parts: RefundPart[] }

/**
 * Splits a refund pro rata. Each refunded amount of a sale has one split, rounded half away from zero. A
 * refund is the difference of the splits after and before it. So the parts of a full refund add up to the
 * sale exactly, in any number of steps.
 */
export function splitRefund(sale: RefundedSale, lines: readonly LineRow[], amount: number): RefundSplit {
  const groups = groupLines(lines)
  const before = stateAt(sale, groups, sale.amount_refunded)
  const after = stateAt(sale, groups, sale.amount_refunded + amount)
  const parts = groups.map((group, index) =>
    subtract(group, at(after.shares, index), at(before.shares, index)),
  )
  return { tax_amount: after.tax - before.tax, tax_refunded: after.tax, parts }
}

/** The groups of lines that have one row in the totals. */
function groupLines(lines: readonly LineRow[]): RefundPart[] {
  const groups = new Map<string, RefundPart>()
  for (const line of lines) {
    const { place_of_supply, scheme, product_type, tax_rate, taxability_reason } = line
    const reason = taxability_reason ?? ''
    const key = [place_of_supply, scheme, product_type, tax_rate, reason].join(' ')
    const group = groups.get(key)
    groups.set(key, {
      place_of_supply,
      scheme,
      product_type,
      tax_rate,
      reason,
      opens_product: (group?.opens_product ?? 0) + line.opens_product,
      net_amount: (group?.net_amount ?? 0) + line.net_amount,
      taxable_amount: (group?.taxable_amount ?? 0) + line.taxable_amount,
      tax_amount: (group?.tax_amount ?? 0) + line.tax_amount,
      provincial_tax_amount: (group?.provincial_tax_amount ?? 0) + line.provincial_tax_amount,
    })
  }
  return [...groups.values()]
}

type Shares = Record<Money, number>

/** The split of a sale after `refunded` of its total was refunded. */
function stateAt(
  sale: RefundedSale,
  groups: readonly RefundPart[],
  refunded: number,
): { tax: number; shares: readonly Shares[] } {
  // All is refunded. Sums that cancel out to 0 cannot be divided by, so this needs no division.
  if (refunded === sale.total) return { tax: sale.tax_amount, shares: groups }
  const tax = portion(sale.tax_amount, refunded, sale.total)
  const net = refunded - tax
  const nets = spread(
    groups.map((group) => group.net_amount),
    net,
    sale.subtotal,
  )
  const taxes = spread(
    groups.map((group) => group.tax_amount),
    tax,
    sale.tax_amount,
  )
  const shares = groups.map((group, index) => {
    const net_amount = at(nets, index)
    const tax_amount = at(taxes, index)
    return {
      net_amount,
      taxable_amount: portion(group.taxable_amount, net_amount, group.net_amount),
      tax_amount,
      provincial_tax_amount: portion(group.provincial_tax_amount, tax_amount, group.tax_amount),
    }
  })
  return { tax, shares }
}

/**
 * Spreads a portion of a whole over its parts. It rounds running sums, not parts, so that the parts add up to
 * the portion.
 */
function spread(parts: readonly number[], part: number, whole: number): number[] {
  let running = 0
  let given = 0
  return parts.map((each) => {
    running += each
    const upTo = portion(running, part, whole)
    const share = upTo - given
    given = upTo
    return share
  })
}

/** `amount × part ÷ whole`, rounded half away from zero; 0 if the whole is 0. */
function portion(amount: number, part: number, whole: number): number {
  if (whole === 0 || part === 0) return 0
  const magnitude = multiplyAndDivide(amount, Math.abs(part), Math.abs(whole))
  return part < 0 === whole < 0 || magnitude === 0 ? magnitude : -magnitude
}

function subtract(group: RefundPart, after: Shares, before: Shares): RefundPart {
  const difference = (name: Money) => after[name] - before[name]
  return {
    ...group,
    net_amount: difference('net_amount'),
    taxable_amount: difference('taxable_amount'),
    tax_amount: difference('tax_amount'),
    provincial_tax_amount: difference('provincial_tax_amount'),
  }
}
