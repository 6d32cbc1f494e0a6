import type { AssessedLine } from '../../engine/found/assessment.ts'
import { at } from '../../engine/ground/invariant.ts'
import type { LinePart, LineRow } from './rows.ts'

/**
 * The parts of a line that bears several rates of one tax, such as the postage of a cart of 20 % and 5.5 %,
 * as JSON. Returns declare real rates, so the average rate of the line has no place in them. Null: one part.
 */
export function partsToStore(line: AssessedLine): string | null {
  const { tax_breakdown: entries } = line
  if (entries.length < 2) return null
  const first = at(entries, 0)
  const one_tax = entries.every(
    ({ jurisdiction_id, tax_type }) =>
      jurisdiction_id === first.jurisdiction_id && tax_type === first.tax_type,
  )
  if (!one_tax) return null
  const parts: LinePart[] = entries.map((entry) => ({
    tax_rate: entry.rate_millionths,
    reason:
      line.taxability_reason === 'own_rate'
        ? 'own_rate'
        : (REASON_OF_CATEGORY[entry.category] ?? 'reduced_rated'),
    net_amount: entry.taxable_amount,
    taxable_amount: entry.taxable_amount,
    tax_amount: entry.tax_amount,
  }))
  const untaxed = parts.reduce((rest, { net_amount }) => rest - net_amount, line.net_amount)
  if (untaxed !== 0)
    parts.push({
      tax_rate: 0,
      reason: 'portion_product_exempt',
      net_amount: untaxed,
      taxable_amount: 0,
      tax_amount: 0,
    })
  return JSON.stringify(parts)
}

const REASON_OF_CATEGORY: Readonly<Record<string, string>> = { standard: '', zero: 'zero_rated' }

/** The parts of a stored line, at least one. */
export function partsOfLine(line: LineRow): readonly LinePart[] {
  if (line.portions !== null) return JSON.parse(line.portions)
  const { tax_rate, taxability_reason, net_amount, taxable_amount, tax_amount } = line
  return [{ tax_rate, reason: taxability_reason ?? '', net_amount, taxable_amount, tax_amount }]
}
