import { fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import type { Assessment } from '../../engine/found/assessment.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { compareTax } from './tax-difference.ts'
import { at } from '../../engine/ground/invariant.ts'
import type { LocalBook } from '../../engine/regimes/us-local/local-book.ts'
import type { Sale } from '../../engine/sale/sale.ts'
import type { TaxComparison } from './answers.ts'
import type { CalculateBody } from './schemas.ts'

/**
 * Compares our tax with that of another service. Throws invalid_request if its lines are not as many as
 * those of the sale.
 */
export function comparisonOf(
  { provider, tax_amount, lines }: NonNullable<CalculateBody['compare']>,
  sale: Sale,
  { book, local }: { book: RateBook; local: LocalBook | null },
  ours: Assessment,
): Answer<typeof TaxComparison> {
  if (lines !== undefined && lines.length !== sale.lines.length) {
    const detail = `must have as many entries as line_items, ${sale.lines.length}`
    throw fieldError('invalid_request', 'compare.lines', detail)
  }
  const taxes = lines?.map((line) => line.tax_amount) ?? null
  const found = compareTax(sale, book, local, ours, { tax_amount, lines: taxes })
  return {
    provider,
    tax_amount,
    difference: found.difference,
    reason: found.reason,
    detail: found.detail,
    lines: found.lines?.map((line, index) => ({ tax_amount: at(taxes ?? [], index), ...line })) ?? null,
  }
}
