import { expect, it } from 'vitest'
import { readFacts } from '../../scripts/read-facts.ts'

const { product_rules } = readFacts()

/** The rate of a product type on a day, and what its law treats otherwise. */
function ruleOn(place: string, tax_type: string, product_type: string, day: string): string {
  const rule = product_rules.find(
    (each) =>
      each.jurisdiction_id === place &&
      each.tax_type === tax_type &&
      each.product_type === product_type &&
      (each.effective_from ?? '') <= day &&
      (each.effective_to ?? '9999-12-31') >= day,
  )
  return `${rule?.treatment} ${rule?.rate_millionths ?? ''} ${rule?.caveat ?? rule?.conditions ?? ''}`.trim()
}

it.each([
  ['IN', 'GST', 'gym', '2025-09-21', '2025-09-22', /^taxable 180000$/, /^reduced 50000$/],
  [
    'CA-QC',
    'QST',
    'prepared_food',
    '2026-07-14',
    '2026-07-15',
    /^taxable 99750$/,
    /^taxable 99750 .*ice cream, pastries/,
  ],
] as const)(
  '%s %s: %s has another rule after %s',
  (place, tax_type, product_type, last, first, before, after) => {
    expect(ruleOn(place, tax_type, product_type, last)).toMatch(before)
    expect(ruleOn(place, tax_type, product_type, first)).toMatch(after)
  },
)
