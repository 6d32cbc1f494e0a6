import { TAXABILITY_REASONS } from '../../engine/found/assessment.ts'
import { at } from '../../engine/ground/invariant.ts'
import { proRata } from './refund-split.ts'
import { refundedTaxes } from './refund-taxes.ts'
import type { LineRow, RefundPart, StoredTax } from './rows.ts'

/** A recorded line but for what names it. */
export type MirroredLine = Omit<
  LineRow,
  'transaction_id' | 'position' | 'id' | 'amount' | 'quantity' | 'description' | 'opens_product'
>

/**
 * What takes off a part of an earlier line: the same law, with the opposite amounts. `earlier` are the parts
 * that were taken before. Taxes are differences of two states of the line, so all that is taken off is what
 * the line charged, in any number of steps.
 */
export function mirroredLine(line: LineRow, part: RefundPart, earlier: readonly RefundPart[]): MirroredLine {
  const before = { net_amount: 0, taxable_amount: 0, tax_amount: 0 }
  for (const each of earlier)
    if (each.position === part.position && each.portion === part.portion) {
      before.net_amount += each.net_amount
      before.taxable_amount += each.taxable_amount
      before.tax_amount += each.tax_amount
    }
  const uncollectedUpTo = (net: number) => proRata(line.uncollected_amount, net, line.net_amount)
  const uncollected =
    uncollectedUpTo(before.net_amount + part.net_amount) - uncollectedUpTo(before.net_amount)
  return {
    product_type: part.product_type,
    taxable: line.taxable,
    net_amount: negative(part.net_amount),
    taxable_amount: negative(part.taxable_amount),
    uncollected_amount: negative(uncollected),
    tax_rate: part.tax_rate,
    tax_amount: negative(part.tax_amount),
    provincial_tax_amount: negative(part.provincial_tax_amount),
    taxability_reason: line.portions === null ? line.taxability_reason : reasonOf(part),
    reason_detail: line.reason_detail,
    place_of_supply: part.place_of_supply,
    scheme: line.scheme,
    tax_breakdown: JSON.stringify(mirroredTaxes(line, part, before)),
    exemption: part.exemption,
    portions: null,
  }
}

function reasonOf({ reason }: RefundPart): LineRow['taxability_reason'] {
  return TAXABILITY_REASONS.find((known) => known === reason) ?? null
}

/** Each tax of the line with the opposite amounts. A part with a rate of its own has one of the taxes. */
function mirroredTaxes(
  line: LineRow,
  part: RefundPart,
  before: { taxable_amount: number; tax_amount: number },
): StoredTax[] {
  const listed: StoredTax[] = JSON.parse(line.tax_breakdown)
  if (line.portions !== null) {
    const own = listed[part.portion ?? 0]
    return own === undefined ? [] : [withAmounts(own, part)]
  }
  if (listed.length === 0) return []
  return refundedTaxes(line, listed, before, part).map((taken, index) =>
    withAmounts(at(listed, index), taken),
  )
}

function withAmounts(tax: StoredTax, taken: { taxable_amount: number; tax_amount: number }): StoredTax {
  return { ...tax, taxable_amount: negative(taken.taxable_amount), tax_amount: negative(taken.tax_amount) }
}

/** Without a negative zero. */
function negative(amount: number): number {
  return 0 - amount
}
