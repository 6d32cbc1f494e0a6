import { invariant } from '../../engine/ground/invariant.ts'
import { refuseInexact, type Sums } from '../../sales/transactions/sums/sums.ts'
import { soldFor } from './sold-for.ts'
import type { FilingCorrection, FilingSupply } from './figure-answers.ts'
import type { RateType } from './rate-types.ts'

/**
 * A group of sales with the fields that returns use. `tax_rate` in millionths; `sold_in` is the month of the
 * sale, for refunds too.
 */
export type FilingRow = Sums & {
  sold_in: string
  place_of_supply: string
  scheme: string
  currency: string
  product_type: string
  tax_rate: number
  reason: string
  exemption: string
  /** The other end of an export, '' for other sales: where it goes, or what it left if it is taxed there. */
  exported_to: string
  /** The period that contains the days of the entries: the one of the return, or an earlier one. */
  period: FilingPeriod
  /** The earlier period that the row corrects; null: it belongs to the return's own supplies. */
  corrects: string | null
  /** The currency before conversion. */
  sold_currency: string
  /** The day of the sales, if the form converts their currency by the day; null: they are of several days. */
  sold_on: string | null
}

/** The days of a return. */
export type FilingPeriod = {
  name: string
  kind: 'year' | 'quarter' | 'month' | 'months'
  from: string
  to: string
}

/** The amount that a figure takes from each row. */
export type Measure = (row: MeasuredRow) => number
type MeasuredRow = Pick<
  FilingRow,
  | 'net_amount'
  | 'taxable_amount'
  | 'tax_amount'
  | 'provincial_tax_amount'
  | 'uncollected_amount'
  | 'place_of_supply'
>

/** A figure with the rows behind it. `key` names it in its link. */
export type Figure = { key: string; rows: readonly FilingRow[]; measure: Measure }

/** A figure of a form. Without rows it has an amount of its own, or null, and no link. */
export type FilledBox = {
  box: string
  name: string
  note: string | null
  rows: readonly FilingRow[] | null
  measure: Measure
  amount: number | null
  /** Minor units that the form cuts off; 1: it takes all. */
  unit: number
  /** The form rounds half a unit up, and cuts nothing off. Left out: it cuts. */
  nearest?: boolean
}

export type FilledSupply = Omit<FilingSupply, 'transactions_url'> & { rows: readonly FilingRow[] }
export type FilledCorrection = Omit<FilingCorrection, 'transactions_url'> & { rows: readonly FilingRow[] }

/** The content of a return, without its head and corrections. */
export type Filled = {
  boxes: FilledBox[]
  supplies: FilledSupply[]
  notes: string[]
  /** The sums of a form of boxes; null: the sums of its supplies. */
  totals: { taxable_amount: number; tax_amount: number; tax_due: number } | null
}

export const NET: Measure = soldFor
export const TAXABLE: Measure = (row) => row.taxable_amount
export const TAX: Measure = (row) => row.tax_amount
export const GROSS: Measure = (row) => soldFor(row) + row.tax_amount

/** The price with the tax of a country, but without the tax of another country. */
export function grossOf(country: string): Measure {
  const own = taxOf(country)
  return (row) => soldFor(row) + own(row)
}

/** The tax of a country, and nothing of what another one taxes. */
export function taxOf(country: string): Measure {
  return (row) => (isSuppliedIn(country, row) ? row.tax_amount : 0)
}

/** Whether a row was supplied in a country or in a part of it. */
export function isSuppliedIn(
  country: string,
  { place_of_supply }: Pick<FilingRow, 'place_of_supply'>,
): boolean {
  return place_of_supply === country || place_of_supply.startsWith(`${country}-`)
}

/**
 * Whether a row is an export of a country: it left it, and its destination taxes it or might. A row with the
 * reason `export` belongs to the place that it left, and its other end is its destination.
 */
export function isExportOf(
  country: string,
  row: Pick<FilingRow, 'place_of_supply' | 'reason' | 'exported_to'>,
): boolean {
  if (row.reason === 'export') return isSuppliedIn(country, row)
  return !isSuppliedIn(country, row) && isSuppliedIn(country, { place_of_supply: row.exported_to })
}

/** The amounts of a row after its refunds. */
export function afterRefunds(row: FilingRow): MeasuredRow {
  return {
    net_amount: row.net_amount - row.refunded_net_amount,
    taxable_amount: row.taxable_amount - row.refunded_taxable_amount,
    tax_amount: row.tax_amount - row.refunded_tax_amount,
    provincial_tax_amount: row.provincial_tax_amount - row.refunded_provincial_tax_amount,
    uncollected_amount: uncollectedOf(row),
    place_of_supply: row.place_of_supply,
  }
}

/** What a registered seller would tax. A refund of such a sale lessens it. */
function uncollectedOf(row: FilingRow): number {
  if (row.reason !== 'not_collecting') return 0
  const exempt = row.uncollected_amount === 0 && row.net_amount !== 0
  return row.uncollected_amount - (exempt ? 0 : row.refunded_net_amount)
}

/** The sum of a measure over rows, after refunds. Throws amount_out_of_range if it is not exact. */
export function sumOf(rows: readonly FilingRow[], measure: Measure): number {
  let sum = 0
  for (const row of rows) sum = refuseInexact(sum + measure(afterRefunds(row)))
  return sum
}

/** The totals of a form whose boxes have the tax of these rows, and no other. */
export function formTotals(rows: readonly FilingRow[], tax_amount: number): NonNullable<Filled['totals']> {
  return { taxable_amount: sumOf(rows, TAXABLE), tax_amount, tax_due: tax_amount }
}

/** The rows of the period itself, and late entries of filed ones, for forms with lines for these. */
export function apartFromLate(all: readonly FilingRow[]): { rows: FilingRow[]; late: FilingRow[] } {
  return {
    rows: all.filter(({ corrects }) => corrects === null),
    late: all.filter(({ corrects }) => corrects !== null),
  }
}

/** A box that adds up rows. */
export function boxOf(
  box: string,
  name: string,
  rows: readonly FilingRow[],
  measure: Measure,
  more: { note?: string | null; unit?: number; nearest?: boolean } = {},
): FilledBox {
  const { note = null, unit = 1, nearest = false } = more
  return { box, name, note, rows, measure, amount: sumOf(rows, measure), unit, nearest }
}

/** A box without rows: computed from other boxes, or unknown (null). */
export function plainBox(box: string, name: string, amount: number | null, note: string | null): FilledBox {
  return { box, name, note, rows: null, measure: NET, amount, unit: 1 }
}

/** Amounts of boxes by their names, in minor units. */
export type GivenBoxes = ReadonlyMap<string, number>

/** A box that the caller may give. `unknown` says why its amount is null otherwise. */
export function givenBox(
  given: GivenBoxes,
  { box, name, unknown, unit = 1 }: { box: string; name: string; unknown: string; unit?: number },
): FilledBox {
  const amount = given.get(box) ?? null
  return { ...plainBox(box, name, amount, amount === null ? unknown : 'Given, not computed'), unit }
}

/** A box that is computed from others. `unknown` says what it lacks if its amount is null. */
export function knownOr(box: string, name: string, amount: number | null, unknown: string): FilledBox {
  return plainBox(box, name, amount, amount === null ? unknown : null)
}

/** The sum of amounts; null if one of them is unknown. */
export function sumIfKnown(...amounts: readonly (number | null)[]): number | null {
  let sum = 0
  for (const amount of amounts) {
    if (amount === null) return null
    sum = refuseInexact(sum + amount)
  }
  return sum
}

type SupplyKey = 'place' | 'kind' | 'rate'

/** A rate of 100 % is 1,000,000 millionths. */
const RATE_DIGITS = 7

/**
 * Groups rows into supplies, by place and the keys that the form needs. `stateOf` returns the place that the
 * form declares.
 */
export function suppliesOf(
  rows: readonly FilingRow[],
  by: readonly SupplyKey[],
  more: {
    stateOf?: (place: string) => string
    typeOf?: (row: FilingRow) => RateType | null
    byReason?: (rows: readonly FilingRow[]) => FilingSupply['exempt_by_reason']
    kindOf: (product_type: string) => NonNullable<FilingSupply['kind']>
  },
): FilledSupply[] {
  const { stateOf = (place: string) => place, typeOf, byReason, kindOf } = more
  const groups = Map.groupBy(rows, (row) =>
    [
      stateOf(row.place_of_supply),
      by.includes('kind') ? kindOf(row.product_type) : '',
      // Keys are compared as texts: 5.5 % comes before 20 %.
      by.includes('rate') ? String(row.tax_rate).padStart(RATE_DIGITS, '0') : '',
      row.currency,
    ].join(' '),
  )
  return inOrder(groups).map((group) => {
    const first = invariant(group[0], 'a group has a row')
    const gross_sales = sumOf(group, NET)
    const taxable_amount = sumOf(group, TAXABLE)
    const uncollected_sales = sumOf(group, (row) => row.uncollected_amount)
    return {
      jurisdiction_id: stateOf(first.place_of_supply),
      kind: by.includes('kind') ? kindOf(first.product_type) : null,
      rate: by.includes('rate') ? first.tax_rate / 1_000_000 : null,
      rate_type: typeOf === undefined ? null : typeOf(first),
      currency: first.currency,
      gross_sales,
      exempt_sales: gross_sales - taxable_amount - uncollected_sales,
      uncollected_sales,
      exempt_by_reason: byReason === undefined ? null : byReason(group),
      taxable_amount,
      tax_amount: sumOf(group, TAX),
      rows: group,
    }
  })
}

/** Groups in the order of their keys, so that a return reads the same every time. */
export function inOrder<Row>(groups: ReadonlyMap<string, Row[]>): Row[][] {
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}
