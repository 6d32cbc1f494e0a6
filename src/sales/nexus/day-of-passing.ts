import { at } from '../../engine/ground/invariant.ts'
import type { Context } from '../../platform/context.ts'
import { lastDayOf } from '../../platform/kit/calendar.ts'
import { rangesOfPeriod } from '../transactions/sums/totals-ranges.ts'
import type { Threshold } from '../../engine/book/facts.ts'
import type { RateBook } from '../../engine/book/rate-book.ts'
import { measureProgress } from '../../engine/terms/thresholds.ts'
import { countSales, type SoldRow } from './counted-sales.ts'
import type { Window } from './measurement-period.ts'
import { readSoldByPeriod, type SoldInPeriod } from './store.ts'

export type Passed = {
  id: string
  threshold: Threshold
  /** The worldwide turnover of the period, stated or recorded; null: the threshold does not count it. */
  turnover: number | null
  window: Window
  jurisdiction_ids: readonly string[]
  counts: (row: SoldRow) => boolean
}

type SalesByGroup = Map<string, SoldRow>

/**
 * For each exposure's id, the first day on which its sales were over the threshold. It finds the month first
 * and then the day, so it reads few rows: two round trips for all thresholds together.
 */
export async function daysOfPassing(
  context: Context,
  book: RateBook,
  all: readonly Passed[],
): Promise<Map<string, string>> {
  const byPeriod = await readSoldByPeriod(
    context,
    all.map(({ window, jurisdiction_ids }) => ({
      ranges: rangesOfPeriod(window.from, window.to),
      jurisdiction_ids,
    })),
  )
  const days = new Map<string, string>()
  const months: { passed: Passed; month: string; before: SalesByGroup }[] = []
  for (const [index, passed] of all.entries()) {
    const found = firstPassing(book, passed, at(byPeriod, index), new Map())
    if (found?.period.length === 10) days.set(passed.id, found.period)
    else if (found !== null) months.push({ passed, month: found.period, before: found.before })
  }
  const byDay = await readSoldByPeriod(
    context,
    months.map(({ passed, month }) => ({
      ranges: [{ span: 'day', from: `${month}-01`, to: lastDayOf(month) }],
      jurisdiction_ids: passed.jurisdiction_ids,
    })),
  )
  for (const [index, { passed, before }] of months.entries()) {
    const found = firstPassing(book, passed, at(byDay, index), before)
    if (found !== null) days.set(passed.id, found.period)
  }
  return days
}

/**
 * The first period at whose end the threshold is passed, with the sums before it. Rows are in the order of
 * their periods.
 */
function firstPassing(
  book: RateBook,
  { threshold, turnover, counts }: Passed,
  rows: readonly SoldInPeriod[],
  sums: SalesByGroup,
): { period: string; before: SalesByGroup } | null {
  let before: SalesByGroup = new Map(sums)
  for (const [index, row] of rows.entries()) {
    if (counts(row)) addTo(sums, row)
    if (rows[index + 1]?.period === row.period) continue
    const sales = countSales(book, threshold, [...sums.values()])
    if (measureProgress(threshold, sales, turnover).exceeded) return { period: row.period, before }
    before = new Map(sums)
  }
  return null
}

/** Adds a row to the sum of its group. The fields that thresholds depend on define the group. */
function addTo(sums: SalesByGroup, row: SoldRow): void {
  const key = [row.currency, row.product_type, row.reason, row.exemption, row.scheme].join(' ')
  const sum = sums.get(key)
  sums.set(key, {
    ...row,
    transactions: row.transactions + (sum?.transactions ?? 0),
    net_amount: row.net_amount + (sum?.net_amount ?? 0),
    taxable_amount: row.taxable_amount + (sum?.taxable_amount ?? 0),
    uncollected_amount: row.uncollected_amount + (sum?.uncollected_amount ?? 0),
  })
}
