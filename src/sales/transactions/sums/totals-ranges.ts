import { lastDayOf, monthOf, monthsAfter } from '../../../platform/kit/calendar.ts'

/** A range of rows of tax_totals: whole months by month, days at the edges by day. Both ends are included. */
export type TotalsRange = { span: 'day' | 'month'; from: string; to: string }

/** The ranges that contain each day from one to another once, both included. */
export function rangesOfPeriod(from: string, to: string): TotalsRange[] {
  if (from > to) return []
  const first = from.endsWith('-01') ? monthOf(from) : monthsAfter(monthOf(from), 1)
  const last = to >= lastDayOf(monthOf(to)) ? monthOf(to) : monthsAfter(monthOf(to), -1)
  if (first > last) return [{ span: 'day', from, to }]
  const ranges: TotalsRange[] = [{ span: 'month', from: first, to: last }]
  if (from < `${first}-01`) ranges.unshift({ span: 'day', from, to: lastDayOf(monthOf(from)) })
  if (to > lastDayOf(last)) ranges.push({ span: 'day', from: `${monthOf(to)}-01`, to })
  return ranges
}

/** The ranges as a condition of SQL, with its values. */
export function conditionOfRanges(ranges: readonly TotalsRange[]): { sql: string; values: string[] } {
  if (ranges.length === 0) return { sql: 'false', values: [] }
  return {
    sql: `(${ranges.map(() => '(span = ? AND period BETWEEN ? AND ?)').join(' OR ')})`,
    values: ranges.flatMap(({ span, from, to }) => [span, from, to]),
  }
}
