import { refuseInexact } from '../../sales/transactions/sums/sums.ts'
import type { FilingStateTotals } from '../forms/answers.ts'
import type { FilingCorrection, FilingSupply } from '../rows/figure-answers.ts'

type SuppliesOfState = Pick<FilingSupply, 'jurisdiction_id' | 'currency' | 'taxable_amount' | 'tax_amount'>
type CorrectionsOfState = Pick<FilingCorrection, 'jurisdiction_id' | 'currency' | 'tax_amount'>

/**
 * What a return of supplies declares of each state, in the order of the states. Amounts in minor units. A
 * negative balance of one state does not reduce the tax of another: its `tax_due` is 0. Throws
 * amount_out_of_range.
 */
export function stateTotals(
  supplies: readonly SuppliesOfState[],
  corrections: readonly CorrectionsOfState[],
): FilingStateTotals[] {
  const states = new Map<string, FilingStateTotals>()
  const totalsOf = ({ jurisdiction_id, currency }: CorrectionsOfState): FilingStateTotals => {
    const key = `${jurisdiction_id} ${currency}`
    const found = states.get(key) ?? { jurisdiction_id, currency, ...NOTHING }
    states.set(key, found)
    return found
  }
  for (const supply of supplies) {
    const totals = totalsOf(supply)
    totals.taxable_amount = refuseInexact(totals.taxable_amount + supply.taxable_amount)
    totals.tax_amount = refuseInexact(totals.tax_amount + supply.tax_amount)
  }
  for (const correction of corrections) {
    const totals = totalsOf(correction)
    totals.corrections_tax_amount = refuseInexact(totals.corrections_tax_amount + correction.tax_amount)
  }
  return [...states]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, totals]) => ({
      ...totals,
      tax_due: Math.max(refuseInexact(totals.tax_amount + totals.corrections_tax_amount), 0),
    }))
}

const NOTHING = { taxable_amount: 0, tax_amount: 0, corrections_tax_amount: 0, tax_due: 0 }
