import { multiplyAndDivide } from '../../../engine/arithmetic/rounding.ts'
import { at } from '../../../engine/ground/invariant.ts'
import type { RefundPart } from '../sale/rows.ts'

/** The amounts of a part. */
export const MONEY = ['net_amount', 'taxable_amount', 'tax_amount', 'provincial_tax_amount'] as const
type Money = (typeof MONEY)[number]
export type PartAmounts = Readonly<Record<Money, number>>

/** The sums of parts, `total` with tax. */
export type SumsOfParts = Readonly<{ subtotal: number; tax_amount: number; total: number }>

export function sumsOfParts(parts: readonly RefundPart[]): SumsOfParts {
  let [subtotal, tax_amount] = [0, 0]
  for (const part of parts) {
    subtotal += part.net_amount
    tax_amount += part.tax_amount
  }
  return { subtotal, tax_amount, total: subtotal + tax_amount }
}

/**
 * The split of one refund, in minor units: the tax in its amount, the tax refunded so far, and the parts by
 * group of lines.
 */
type RefundSplit = { tax_amount: number; tax_refunded: number; parts: RefundPart[] }

/**
 * Splits a refund pro rata over parts of lines, of which `refunded` was given back so before. Each refunded
 * amount has one split, rounded half away from zero. A refund is the difference of the splits after and
 * before it. So the parts of a full refund add up to the sale exactly, in any number of steps. Groups of
 * equal parts are split first, then the parts of each group.
 */
export function splitRefund(all: readonly RefundPart[], refunded: number, amount: number): RefundSplit {
  const groups = groupParts(all)
  const sums = groups.map(sumOfGroup)
  const whole = sumsOfParts(all)
  const before = stateAt(whole, sums, refunded)
  const after = stateAt(whole, sums, refunded + amount)
  const parts = groups.flatMap((members, index) => {
    const group = at(sums, index)
    const earlier = shareOut(members, group, at(before.shares, index))
    const later = shareOut(members, group, at(after.shares, index))
    return members.map((part, member) => subtract(part, at(later, member), at(earlier, member)))
  })
  return { tax_amount: after.tax - before.tax, tax_refunded: after.tax, parts }
}

/**
 * Splits a refund whose tax is stated: its net amount by the net amounts of the parts, and its tax by their
 * taxes. Both must be within the sums of the parts.
 */
export function splitStated(
  parts: readonly RefundPart[],
  { net_amount, tax_amount }: { net_amount: number; tax_amount: number },
): RefundPart[] {
  const sum = (name: Money) => parts.reduce((total, part) => total + part[name], 0)
  const of = (name: Money) => parts.map((part) => part[name])
  const nets = spread(of('net_amount'), net_amount, sum('net_amount'))
  const taxes = spread(of('tax_amount'), tax_amount, sum('tax_amount'))
  return parts.map((part, index) => {
    const [net, tax] = [at(nets, index), at(taxes, index)]
    return {
      ...part,
      net_amount: net,
      taxable_amount: proRata(part.taxable_amount, net, part.net_amount),
      tax_amount: tax,
      provincial_tax_amount: proRata(part.provincial_tax_amount, tax, part.tax_amount),
    }
  })
}

/**
 * The same, so that the net amount fits the stated tax: parts without tax take what bears none. So money for
 * no supply comes back with a stated tax of 0, and not a share of the goods.
 */
export function splitFitting(
  parts: readonly RefundPart[],
  { net_amount, tax_amount }: { net_amount: number; tax_amount: number },
): RefundPart[] {
  const bearing = parts.filter((part) => part.tax_amount !== 0)
  const free = parts.filter((part) => part.tax_amount === 0)
  const [most, of_free] = [sumsOfParts(bearing), sumsOfParts(free).subtotal]
  // All that is left has one split, also if amounts of both signs cancel out.
  if (net_amount === most.subtotal + of_free) return splitStated(parts, { net_amount, tax_amount })
  const borne = proRata(most.subtotal, tax_amount, most.tax_amount)
  const wanted = isWithin(borne, net_amount) ? borne : net_amount
  const taxed = isWithin(net_amount - wanted, of_free) ? wanted : net_amount - of_free
  const split = [
    ...splitStated(bearing, { net_amount: taxed, tax_amount }),
    ...splitStated(free, { net_amount: net_amount - taxed, tax_amount: 0 }),
  ]
  const places = new Map([...bearing, ...free].map((part, index) => [part, index]))
  return parts.map((part) => at(split, places.get(part) ?? 0))
}

/** The groups of parts that have one row in the totals. */
function groupParts(parts: readonly RefundPart[]): RefundPart[][] {
  const groups = Map.groupBy(parts, (part) =>
    [part.place_of_supply, part.scheme, part.product_type, part.tax_rate, part.reason, part.exemption].join(
      ' ',
    ),
  )
  return [...groups.values()]
}

function sumOfGroup(members: readonly RefundPart[]): RefundPart {
  const group = { ...at(members, 0) }
  for (const part of members.slice(1)) for (const name of MONEY) group[name] += part[name]
  return group
}

/** The shares of the parts of a group. They add up to the share of the group. */
function shareOut(members: readonly RefundPart[], group: RefundPart, share: PartAmounts): PartAmounts[] {
  if (MONEY.every((name) => share[name] === group[name])) return [...members]
  const [net, taxable, tax, provincial] = MONEY.map((name) =>
    spread(
      members.map((part) => part[name]),
      share[name],
      group[name],
    ),
  )
  return members.map((_, index) => ({
    net_amount: at(net ?? [], index),
    taxable_amount: at(taxable ?? [], index),
    tax_amount: at(tax ?? [], index),
    provincial_tax_amount: at(provincial ?? [], index),
  }))
}

/** The split of a sale after `refunded` of its total was refunded. */
function stateAt(
  sale: SumsOfParts,
  groups: readonly RefundPart[],
  refunded: number,
): { tax: number; shares: readonly PartAmounts[] } {
  // All is refunded. Sums that cancel out to 0 cannot be divided by, so this needs no division.
  if (refunded === sale.total) return { tax: sale.tax_amount, shares: groups }
  const tax = proRata(sale.tax_amount, refunded, sale.total)
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
      taxable_amount: proRata(group.taxable_amount, net_amount, group.net_amount),
      tax_amount,
      provincial_tax_amount: proRata(group.provincial_tax_amount, tax_amount, group.tax_amount),
    }
  })
  return { tax, shares }
}

/**
 * Spreads a part of a whole over the parts of the whole. It rounds running sums, so that the shares add up to
 * the part.
 */
export function spread(parts: readonly number[], part: number, whole: number): number[] {
  let running = 0
  let given = 0
  return parts.map((each) => {
    running += each
    const upTo = proRata(running, part, whole)
    const share = upTo - given
    given = upTo
    return share
  })
}

/** `amount × part ÷ whole`, rounded half away from zero; 0 if the whole is 0. */
export function proRata(amount: number, part: number, whole: number): number {
  if (whole === 0 || part === 0) return 0
  const magnitude = multiplyAndDivide(amount, Math.abs(part), Math.abs(whole))
  return part < 0 === whole < 0 || magnitude === 0 ? magnitude : -magnitude
}

/** Whether a part has the sign of the whole, and is no larger. */
export function isWithin(part: number, whole: number): boolean {
  return part === 0 || (Math.sign(part) === Math.sign(whole) && Math.abs(part) <= Math.abs(whole))
}

function subtract(group: RefundPart, after: PartAmounts, before: PartAmounts): RefundPart {
  const difference = (name: Money) => after[name] - before[name]
  return {
    ...group,
    net_amount: difference('net_amount'),
    taxable_amount: difference('taxable_amount'),
    tax_amount: difference('tax_amount'),
    provincial_tax_amount: difference('provincial_tax_amount'),
  }
}
