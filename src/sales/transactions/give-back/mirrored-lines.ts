import { TAXABILITY_REASONS } from '../../../engine/found/assessment.ts'
import { at, invariant } from '../../../engine/ground/invariant.ts'
import { MONEY, type PartAmounts, proRata } from './refund-split.ts'
import { refundedTaxes } from './refund-taxes.ts'
import { type LinesLeft, takenOf } from './remainder.ts'
import { partsOfLine, withSurcharges } from '../sale/line-parts.ts'
import type { LinePart, LineRow, RefundPart, StoredTax } from '../sale/rows.ts'

/** A recorded line but for what names it. */
export type MirroredLine = Omit<
  LineRow,
  'transaction_id' | 'position' | 'id' | 'amount' | 'quantity' | 'description' | 'opens_product'
>

/**
 * What takes off a part of an earlier line: the same law, with the opposite amounts. `before` is what was
 * taken of the part before. Taxes are differences of two states of the line, so all that is taken off is what
 * the line charged, in any number of steps.
 */
export function mirroredLine(line: LineRow, part: RefundPart, before: PartAmounts): MirroredLine {
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

/** Each tax of the line with the opposite amounts. A part with a rate of its own has those of this rate. */
function mirroredTaxes(line: LineRow, part: RefundPart, before: PartAmounts): StoredTax[] {
  const listed: StoredTax[] = JSON.parse(line.tax_breakdown)
  if (line.portions !== null) {
    const [own, surcharge] = withSurcharges(listed)[part.portion ?? 0] ?? []
    if (own === undefined) return []
    if (surcharge === undefined) return [withAmounts(own, part)]
    const { taxable_amount, tax_amount, provincial_tax_amount: second } = part
    return [
      withAmounts(own, { taxable_amount, tax_amount: tax_amount - second }),
      withAmounts(surcharge, { taxable_amount, tax_amount: second }),
    ]
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

/** One line for all parts of a line that has several rates. */
export function mirroredParts(lines: LinesLeft, line: LineRow, parts: readonly RefundPart[]): MirroredLine {
  const merged = mergedLines(parts.map((part) => mirroredLine(line, part, takenOf(lines, part))))
  if (line.portions === null) return merged
  const second = partsOfLine(line).some((part) => part.provincial_tax_amount !== undefined)
  const portions = parts.map((part): LinePart => ({
    tax_rate: part.tax_rate,
    reason: part.reason,
    net_amount: negative(part.net_amount),
    taxable_amount: negative(part.taxable_amount),
    tax_amount: negative(part.tax_amount),
    ...(second && { provincial_tax_amount: negative(part.provincial_tax_amount) }),
  }))
  const { tax_rate, taxability_reason } = line
  return { ...merged, tax_rate, taxability_reason, portions: JSON.stringify(portions) }
}

/** The sum of lines with one treatment. */
export function mergedLines(lines: readonly MirroredLine[]): MirroredLine {
  const [first, ...others] = lines
  const merged = { ...invariant(first, 'a credit takes from a line') }
  if (others.length === 0) return merged
  const taxes = taxesOfAll(lines)
  for (const each of others)
    for (const name of [...MONEY, 'uncollected_amount'] as const) merged[name] += each[name]
  return { ...merged, tax_breakdown: JSON.stringify(taxes), portions: mergedPortions(lines) }
}

export function taxesOfAll(lines: readonly MirroredLine[]): StoredTax[] {
  const taxes: StoredTax[] = []
  for (const each of lines)
    for (const tax of JSON.parse(each.tax_breakdown) as StoredTax[]) addTax(taxes, tax)
  return taxes
}

function addTax(taxes: StoredTax[], tax: StoredTax): void {
  const same = taxes.find(
    (each) =>
      each.jurisdiction_id === tax.jurisdiction_id &&
      each.tax_type === tax.tax_type &&
      each.levied_as === tax.levied_as &&
      each.rate === tax.rate,
  )
  if (same === undefined) taxes.push({ ...tax })
  else {
    same.taxable_amount += tax.taxable_amount
    same.tax_amount += tax.tax_amount
  }
}

function mergedPortions(lines: readonly MirroredLine[]): string | null {
  const all = lines.map(({ portions }) => (portions === null ? [] : (JSON.parse(portions) as LinePart[])))
  const [first = []] = all
  if (first.length === 0) return null
  const sums = first.map((part) => ({ ...part }))
  for (const parts of all.slice(1))
    parts.forEach((part, index) => {
      const sum = at(sums, index)
      for (const name of ['net_amount', 'taxable_amount', 'tax_amount'] as const) sum[name] += part[name]
      if (sum.provincial_tax_amount !== undefined)
        sum.provincial_tax_amount += part.provincial_tax_amount ?? 0
    })
  return JSON.stringify(sums)
}
