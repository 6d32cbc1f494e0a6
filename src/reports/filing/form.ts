import type { FilingPeriod, FilingRow, Return } from './figures.ts'

/** A return in its official layout. `concerns` and `fill` are pure functions. */
export type Form = {
  /** The name of the form in requests. */
  type: string
  /** The currency of the form; null: each currency by itself. */
  currency: string | null
  periods: readonly FilingPeriod['kind'][]
  /** Whether the form counts a row. Other rows are not converted to its currency. */
  concerns: (row: FilingRow) => boolean
  /** Fills in the form with the rows that concern it, in its currency. */
  fill: (rows: readonly FilingRow[], period: FilingPeriod, seller: FilingSeller) => Return
}

/** The data of the account that forms use. */
export type FilingSeller = { country: string | null }

/** The periods of a form that authorities require every month, quarter or year. */
export const ANY_PERIOD = ['month', 'quarter', 'year'] as const
