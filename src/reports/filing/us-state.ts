import { type FilingPeriod, type FilingRow, isSuppliedIn, type Return, suppliesOf } from './figures.ts'
import { ANY_PERIOD, type Form } from './form.ts'

/**
 * What state sales tax returns ask for, state by state: gross, exempt and taxable sales, and tax. State-level
 * tax only.
 */
export const usState = {
  type: 'us_state',
  currency: 'USD',
  periods: ANY_PERIOD,
  concerns: (row) => isSuppliedIn('US', row),
  fill,
} as const satisfies Form

function fill(rows: readonly FilingRow[], period: FilingPeriod): Return {
  return {
    boxes: [],
    supplies: suppliesOf(rows, period, ['place']),
    corrections: [],
    notes: ['Refunds made in the period are taken off; local taxes are not part of this data'],
  }
}
