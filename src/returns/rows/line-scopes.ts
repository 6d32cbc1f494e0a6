import { invariant } from '../../engine/ground/invariant.ts'
import type { FilingRow } from './figures.ts'
import { groupKeyOf } from './line-entry.ts'
import type { LineScope } from './report-lines-store.ts'

/** The days and groups of rows: one scope for each period that they are from. */
export function scopesOf(rows: readonly FilingRow[], not_in: readonly string[]): LineScope[] {
  return [...Map.groupBy(rows, ({ period }) => period.from).values()].map((group) => {
    const { from, to } = invariant(group[0], 'a group has a row').period
    const keys = group.map((row) => groupKeyOf({ ...row, currency: row.sold_currency }))
    return { from, to, keys: [...new Set(keys)], not_in }
  })
}
