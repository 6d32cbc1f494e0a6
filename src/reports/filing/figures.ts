import { soldKindOf } from '../sold-kind.ts'
import { refuseInexact, type Sums } from '../../transactions/sums.ts'
import type * as z from 'zod'
import type { FilingBox, FilingCorrection, FilingSupply } from '../schemas.ts'

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
}

export const ROW_COLUMNS = [
  'sold_in',
  'place_of_supply',
  'scheme',
  'currency',
  'product_type',
  'tax_rate',
  'reason',
] as const

/** The days of a return. */
export type FilingPeriod = { name: string; kind: 'year' | 'quarter' | 'month'; from: string; to: string }

export type Box = z.output<typeof FilingBox>
export type Supplies = z.output<typeof FilingSupply>
export type Correction = z.output<typeof FilingCorrection>

/** The content of a return, without its head. */
export type Return = { boxes: Box[]; supplies: Supplies[]; corrections: Correction[]; notes: string[] }

/** Whether a row was supplied in a country or in a part of it. */
export function isSuppliedIn(country: string, { place_of_supply }: FilingRow): boolean {
  return place_of_supply === country || place_of_supply.startsWith(`${country}-`)
}

/** The address that lists the transactions of a figure. A filter with null removes a default. */
export function transactionsUrl(
  period: FilingPeriod,
  filter: Record<string, string | number | null>,
): string {
  const query = new URLSearchParams({ from_date: period.from, to_date: period.to })
  for (const [name, value] of Object.entries(filter)) {
    if (value === null) query.delete(name)
    else query.set(name, String(value))
  }
  return `/v1/reports/transactions?${query.toString()}`
}

/** The sum of the rows after their refunds. Throws amount_out_of_range if it is too large to be exact. */
export function sumAfterRefunds(
  rows: readonly FilingRow[],
  name: 'net_amount' | 'taxable_amount' | 'tax_amount' | 'provincial_tax_amount',
): number {
  let sum = 0
  for (const row of rows) sum = refuseInexact(sum + row[name] - row[`refunded_${name}`])
  return sum
}

export type SupplyKey = 'place' | 'kind' | 'rate'

/**
 * Groups rows into supplies, by place and the keys that the form needs. `stateOf` returns the place that the
 * form declares.
 */
export function suppliesOf(
  rows: readonly FilingRow[],
  period: FilingPeriod,
  by: readonly SupplyKey[],
  filter: Record<string, string> = {},
  stateOf: (place: string) => string = (place) => place,
): Supplies[] {
  const groups = Map.groupBy(rows, (row) =>
    [
      stateOf(row.place_of_supply),
      by.includes('kind') ? soldKindOf(row.product_type) : '',
      by.includes('rate') ? row.tax_rate : '',
      row.currency,
    ].join(' '),
  )
  return inOrder(groups).flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const jurisdiction_id = stateOf(first.place_of_supply)
    const kind = by.includes('kind') ? soldKindOf(first.product_type) : null
    const rate = by.includes('rate') ? first.tax_rate / 1_000_000 : null
    const gross_sales = sumAfterRefunds(group, 'net_amount')
    const taxable_amount = sumAfterRefunds(group, 'taxable_amount')
    return [
      {
        jurisdiction_id,
        kind,
        rate,
        currency: first.currency,
        gross_sales,
        exempt_sales: gross_sales - taxable_amount,
        taxable_amount,
        tax_amount: sumAfterRefunds(group, 'tax_amount'),
        transactions_url: transactionsUrl(period, {
          ...filter,
          place_of_supply: jurisdiction_id,
          ...(kind !== null && { kind }),
          ...(rate !== null && { tax_rate: rate }),
        }),
      },
    ]
  })
}

/** Groups in the order of their keys, so that a return reads the same every time. */
export function inOrder<Row>(groups: ReadonlyMap<string, Row[]>): Row[][] {
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}
