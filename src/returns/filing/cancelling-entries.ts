import { at } from '../../engine/ground/invariant.ts'
import type { FilingScope, Form } from '../forms/form.ts'
import { type FilingRow, type Filled, NET, sumOf, TAX, TAXABLE } from '../rows/figures.ts'

/** The rows of a return in its currency, and those without an exchange rate. Null: that of the sales. */
type RowsOfReturn = { rows: readonly FilingRow[]; unconverted: readonly FilingRow[]; currency: string | null }

/**
 * Which late entries cancel each other out: a sale and its whole refund. They change no figure of the filed
 * return of their days, so nobody has to amend it, and none of the open return, which declares them. So each
 * sale is in one return. `own` is the open return without late entries.
 */
export function cancellingIn(
  form: Form,
  { rows, unconverted, currency }: RowsOfReturn,
  own: Filled | null,
  scope: FilingScope,
): (row: FilingRow) => boolean {
  const returnOf = (row: FilingRow) =>
    [form.stateOf(row.place_of_supply), row.corrects, currency ?? row.currency].join(' ')
  const without_rate = new Set(unconverted.map(returnOf))
  const groups = Map.groupBy(
    rows.filter(({ corrects }) => corrects !== null),
    returnOf,
  )
  const found = [...groups].filter(
    ([name, group]) => !without_rate.has(name) && changesNothing(form, group, scope),
  )
  const names = new Set(found.map(([name]) => name))
  const cancels = (row: FilingRow) => row.corrects !== null && names.has(returnOf(row))
  const whole = () =>
    form.fill(
      rows.filter((row) => row.corrects === null || cancels(row)),
      scope,
    )
  return own === null || names.size === 0 || boxesOf(whole()) === boxesOf(own) ? cancels : () => false
}

/** Whether the filed return of late entries has the same figures with them. */
function changesNothing(form: Form, late: readonly FilingRow[], scope: FilingScope): boolean {
  const { period } = at(late, 0)
  const rows = late.map((row) => ({ ...row, corrects: null }))
  const { boxes, supplies } = form.fill(rows, { ...scope, period, boxes: new Map() })
  const amounts = [
    ...[NET, TAXABLE, TAX].map((measure) => sumOf(rows, measure)),
    ...boxes.map(({ amount }) => amount ?? 0),
    ...supplies.flatMap((supply) => [
      supply.gross_sales,
      supply.exempt_sales,
      supply.uncollected_sales,
      supply.taxable_amount,
      supply.tax_amount,
      ...Object.values(supply.exempt_by_reason ?? {}),
    ]),
  ]
  return amounts.every((amount) => amount === 0)
}

function boxesOf({ boxes, totals }: Filled): string {
  return JSON.stringify([
    boxes.filter(({ amount }) => amount).map(({ box, amount }) => [box, amount]),
    totals,
  ])
}
