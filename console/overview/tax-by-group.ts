import type { OverviewAnswer } from '../../client/src/schema.ts'
import { formatDay } from '../format.ts'
import type { Series } from '../parts/chart.tsx'

type Row = NonNullable<OverviewAnswer['tax_by_month']>['rows'][number]

/** How many groups have a colour of their own. The others share the last one. */
const COLOURS = 6

/** A month such as 2026-11 in words: Nov 26. */
export function monthWords(month: string): string {
  const [, name = '', year = ''] = formatDay(`${month}-01`).split(' ')
  return `${name.slice(0, 3)} ’${year.slice(2)}`
}

/** The net tax of each group by month, the largest first. The rows are of one currency. */
export function seriesOfGroups(rows: readonly Row[], months: readonly string[]): Series[] {
  const taxOf = (own: readonly Row[], month: string) =>
    own.filter((row) => row.month === month).reduce((sum, { net_tax }) => sum + net_tax, 0)
  const sizeOf = ({ values }: Series) => values.reduce((sum, value) => sum + Math.abs(value), 0)
  const sorted = [...Map.groupBy(rows, ({ group }) => group)]
    .map(([name, own]) => ({ name, values: months.map((month) => taxOf(own, month)) }))
    .filter((each) => sizeOf(each) > 0)
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
  if (sorted.length <= COLOURS) return sorted
  const rest = sorted.slice(COLOURS - 1)
  const valuesAt = (index: number) => rest.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)
  return [
    ...sorted.slice(0, COLOURS - 1),
    { name: 'Others', values: months.map((_, index) => valuesAt(index)) },
  ]
}
