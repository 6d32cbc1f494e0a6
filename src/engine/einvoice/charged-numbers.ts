import type { ChargedNumber } from '../found/assessment.ts'
import type { LineInParts, Walk } from '../found/found.ts'
import { numberOfTax } from './seller-numbers.ts'

/** The numbers under which the taxes of each line are charged, the shipping last. */
export function chargedNumbersOf(walk: Walk, lines: readonly LineInParts[]): ChargedNumber[][] {
  return lines.map(({ line: { product_type }, parts }) =>
    parts.flatMap(({ terms }) =>
      terms.charges.flatMap((charge): ChargedNumber[] => {
        const number = numberOfTax(walk, terms, product_type, charge)
        if (number === null) return []
        const { jurisdiction_id, tax_type, levied_as, rate_millionths } = charge
        return [{ jurisdiction_id, tax_type, levied_as, rate_millionths, number }]
      }),
    ),
  )
}
