import { at } from '../../../engine/ground/invariant.ts'
import { COUNTRIES_WITH_LOCAL_TAX } from '../../../engine/regimes/list.ts'
import { proRata, spread } from './refund-split.ts'
import { lineOf, type LinesLeft, takenOf } from './remainder.ts'
import type { LineRow, RefundPart, StoredTax } from '../sale/rows.ts'

/** What was taken of a line before, in minor units. */
type Earlier = { tax_amount: number; taxable_amount: number }

/**
 * The refunded parts with the taxes of their jurisdictions, if returns of the place list them. What is given
 * back of each tax is the difference of two states of the line, so the taxes of a full refund are those of
 * the line, in any number of steps.
 */
export function withJurisdictionTaxes(parts: readonly RefundPart[], lines: LinesLeft): RefundPart[] {
  return parts.map((part) => {
    const { line } = lineOf(lines, part)
    if (line.portions !== null || !isTaxedLocally(line)) return part
    const taxes: StoredTax[] = JSON.parse(line.tax_breakdown)
    if (taxes.length === 0) return part
    return { ...part, taxes: refundedTaxes(line, taxes, takenOf(lines, part), part) }
  })
}

/** Returns of a state with local taxes list the tax of each county, city and district. */
function isTaxedLocally({ place_of_supply }: LineRow): boolean {
  return COUNTRIES_WITH_LOCAL_TAX.some((country) => place_of_supply.startsWith(`${country}-`))
}

/** What is given back of each tax of a line, if `part` is given back after `before`. */
export function refundedTaxes(
  line: LineRow,
  taxes: readonly StoredTax[],
  before: Earlier,
  part: Earlier,
): StoredTax[] {
  const amounts = taxes.map(({ tax_amount }) => tax_amount)
  const taxesUpTo = (tax: number) => spread(amounts, tax, line.tax_amount)
  const [from, to] = [taxesUpTo(before.tax_amount), taxesUpTo(before.tax_amount + part.tax_amount)]
  return taxes.map(({ jurisdiction_id, tax_type, levied_as, rate, taxable_amount }, index) => {
    const baseUpTo = (taxable: number) => proRata(taxable_amount, taxable, line.taxable_amount)
    return {
      jurisdiction_id,
      tax_type,
      levied_as,
      rate,
      taxable_amount: baseUpTo(before.taxable_amount + part.taxable_amount) - baseUpTo(before.taxable_amount),
      tax_amount: at(to, index) - at(from, index),
    }
  })
}
