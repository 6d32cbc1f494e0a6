import { useState } from 'hono/jsx/dom'
import type { OverviewAnswer } from '../../client/src/schema.ts'
import { accountChanged } from '../account.ts'
import { read } from '../api.ts'
import { formatDay, formatMoney, shortMoney } from '../format.ts'
import { learnNames } from '../names.ts'
import { ColumnChart, type Series } from '../parts/chart.tsx'
import { Select } from '../parts/form.tsx'
import { Section } from '../parts/parts.tsx'

const SPANS = ['3', '6', '12', '24']

type ChartProps = { of: OverviewAnswer; chosen: string; choose: (months: string) => void }

/** The tax of the last months by law or place. The currency of the account comes first. */
export function TaxByMonth({ of: { tax_by_month, currency: own, missing }, chosen, choose }: ChartProps) {
  const [wanted, setCurrency] = useState<string | null>(null)
  if (tax_by_month === null)
    return (
      <Section title={TITLE}>
        <Absent part="tax_by_month" missing={missing} />
      </Section>
    )
  const { months, rows } = tax_by_month
  const found = [...new Set(rows.map(({ currency }) => currency))].toSorted(
    (one, other) => Number(other === own) - Number(one === own) || one.localeCompare(other),
  )
  const currency = wanted !== null && found.includes(wanted) ? wanted : found[0]
  const spans = (
    <Select label="Months" name="months" choices={named(SPANS)} chosen={chosen} changed={choose} />
  )
  const currencies = { choices: named(found), chosen: currency ?? '', changed: setCurrency }
  const choices = (
    <div class="choices">
      {spans}
      {found.length > 1 && <Select label="Currency" name="currency" {...currencies} />}
    </div>
  )
  return (
    <Section title={TITLE} beside={choices}>
      <div class="card stack">
        {currency === undefined ? (
          <p class="quiet">No tax was recorded in these months.</p>
        ) : (
          <ColumnChart
            key={`${months.length} ${currency}`}
            caption={`Tax collected less tax refunded, by month, in ${currency}`}
            columns={months.map(monthWords)}
            series={seriesOfGroups(
              rows.filter((row) => row.currency === currency),
              months,
            )}
            format={(value) => formatMoney(value, currency)}
            short={(value) => shortMoney(value, currency)}
          />
        )}
      </div>
    </Section>
  )
}

const TITLE = 'Tax by month'

function named(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]))
}

type Row = NonNullable<OverviewAnswer['tax_by_month']>['rows'][number]

/** How many groups have a colour of their own. The others share the last one. */
const COLOURS = 6

/** A month such as 2026-11 in words: Nov 26. */
function monthWords(month: string): string {
  const [, name = '', year = ''] = formatDay(`${month}-01`).split(' ')
  return `${name.slice(0, 3)} ’${year.slice(2)}`
}

/** The net tax of each group by month, the largest first. The rows are of one currency. */
function seriesOfGroups(rows: readonly Row[], months: readonly string[]): Series[] {
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

/** Reads all that the overview shows, in one request. Throws a Failure. */
export async function readOverview(months: string): Promise<OverviewAnswer> {
  const overview = await read('/v1/overview', { months })
  learnNames(Object.entries(overview.names))
  if (overview.account !== null) accountChanged(overview.account)
  return overview
}

/** Why a part is not here. */
export function Absent({ part, missing }: { part: string; missing: OverviewAnswer['missing'] }) {
  const found = missing.find((each) => each.part === part)
  return <p class="card quiet">{found?.message ?? 'Could not be loaded'}.</p>
}
