import type { AssessedLine } from '../../../engine/found/assessment.ts'
import { at } from '../../../engine/ground/invariant.ts'
import { isSurcharge } from '../../../engine/book/surcharge.ts'
import type { LinePart, LineRow, RefundPart, RefundRow } from './rows.ts'

/**
 * The parts of a line that bears several rates of one tax, such as the postage of a cart of 20 % and 5.5 %,
 * as JSON. Returns declare real rates, so the average rate of the line has no place in them. Null: one part.
 */
export function partsToStore(line: AssessedLine): string | null {
  const groups = withSurcharges(line.tax_breakdown)
  if (groups.length < 2) return null
  const [first] = at(groups, 0)
  const one_tax = groups.every(
    ([entry, surcharge, ...others]) =>
      entry.jurisdiction_id === first.jurisdiction_id &&
      entry.tax_type === first.tax_type &&
      (surcharge === undefined || surcharge.taxable_amount === entry.taxable_amount) &&
      others.length === 0,
  )
  if (!one_tax) return null
  const second = groups.some((group) => group.length > 1)
  const parts: LinePart[] = groups.map(([entry, surcharge]) => ({
    tax_rate: entry.rate_millionths + (surcharge?.rate_millionths ?? 0),
    reason:
      line.taxability_reason === 'own_rate'
        ? 'own_rate'
        : (REASON_OF_CATEGORY[entry.category] ?? 'reduced_rated'),
    net_amount: entry.taxable_amount,
    taxable_amount: entry.taxable_amount,
    tax_amount: entry.tax_amount + (surcharge?.tax_amount ?? 0),
    ...(second && { provincial_tax_amount: surcharge?.tax_amount ?? 0 }),
  }))
  const untaxed = parts.reduce((rest, { net_amount }) => rest - net_amount, line.net_amount)
  if (untaxed !== 0)
    parts.push({
      tax_rate: 0,
      reason: 'portion_product_exempt',
      net_amount: untaxed,
      taxable_amount: 0,
      tax_amount: 0,
      ...(second && { provincial_tax_amount: 0 }),
    })
  return JSON.stringify(parts)
}

/** The taxes of each part of a line: a tax with the one that comes on top of it. */
export function withSurcharges<Tax extends { tax_type: string }>(taxes: readonly Tax[]): [Tax, ...Tax[]][] {
  const groups: [Tax, ...Tax[]][] = []
  for (const tax of taxes) {
    const last = groups.at(-1)
    if (last !== undefined && isSurcharge(tax.tax_type)) last.push(tax)
    else groups.push([tax])
  }
  return groups
}

const REASON_OF_CATEGORY: Readonly<Record<string, string>> = { standard: '', zero: 'zero_rated' }

/** The parts of a stored line, at least one. */
export function partsOfLine(line: LineRow): readonly LinePart[] {
  if (line.portions !== null) return JSON.parse(line.portions)
  const { tax_rate, taxability_reason, net_amount, taxable_amount, tax_amount } = line
  return [{ tax_rate, reason: taxability_reason ?? '', net_amount, taxable_amount, tax_amount }]
}

/** The parts of the lines of a sale, in their order. */
export function partsOfLines(lines: readonly LineRow[]): RefundPart[] {
  return lines.flatMap((line) =>
    partsOfLine(line).map((part, index) => ({
      position: line.position,
      portion: index,
      place_of_supply: line.place_of_supply,
      scheme: line.scheme,
      product_type: line.product_type,
      tax_rate: part.tax_rate,
      reason: part.reason,
      exemption: line.exemption,
      opens_product: index === 0 ? line.opens_product : 0,
      net_amount: part.net_amount,
      taxable_amount: part.taxable_amount,
      tax_amount: part.tax_amount,
      provincial_tax_amount: part.provincial_tax_amount ?? (index === 0 ? line.provincial_tax_amount : 0),
    })),
  )
}

/** The stored parts of a refund, or of a settlement. */
export function partsOfRefund({ parts }: Pick<RefundRow, 'parts'>): RefundPart[] {
  return JSON.parse(parts)
}
