import type { FilingPeriod, FilingRow, Return } from './figures.ts'

/** A return in its official layout. What it takes in and how it is filled in are pure functions. */
export type Form = {
  /** How requests name it. */
  type: string
  /** The currency that it is made in; null: each currency by itself. */
  currency: string | null
  periods: readonly FilingPeriod['kind'][]
  /** Whether the form looks at a row at all. A row that it does not look at need not be converted. */
  concerns: (row: FilingRow) => boolean
  /** The form, made of the rows that concern it, in its currency. */
  fill: (rows: readonly FilingRow[], period: FilingPeriod, seller: FilingSeller) => Return
}

/** What a form asks of the account. */
export type FilingSeller = { country: string | null }

/** The periods of a form that authorities ask for every month, quarter or year. */
export const ANY_PERIOD = ['month', 'quarter', 'year'] as const
