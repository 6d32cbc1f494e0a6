import { type FilingPeriod, type FilingRow, type Return, suppliesOf } from './figures.ts'

/**
 * What state sales tax returns ask for, state by state: gross, exempt and taxable sales, and tax. State-level
 * tax only.
 */
export function usState(rows: readonly FilingRow[], period: FilingPeriod): Return {
  const here = rows.filter((row) => row.place_of_supply.startsWith('US'))
  return {
    boxes: [],
    supplies: suppliesOf(here, period, ['place']),
    corrections: [],
    notes: ['Refunds made in the period are taken off; local taxes are not part of this data'],
  }
}
