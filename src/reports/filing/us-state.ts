import { type FilingPeriod, type FilingRow, isSuppliedIn, type Return, suppliesOf } from './figures.ts'
import { ANY_PERIOD, type Form } from './form.ts'

/**
 * The figures of state sales tax returns, state by state: gross, exempt and taxable sales, and tax.
 * State-level tax only.
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
    notes: ['Refunds made in the period are subtracted; local taxes are not in this data'],
  }
}
