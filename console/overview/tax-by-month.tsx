import { useState } from 'hono/jsx/dom'
import type { OverviewAnswer } from '../../client/src/schema.ts'
import { formatMoney, shortMoney } from '../format.ts'
import { ColumnChart } from '../parts/chart.tsx'
import { Select } from '../parts/form.tsx'
import { Absent } from './overview.tsx'
import { monthWords, seriesOfGroups } from './tax-by-group.ts'

const SPANS = ['3', '6', '12', '24']

type ChartProps = { of: OverviewAnswer; chosen: string; choose: (months: string) => void }

/** The tax of the last months by law or place. The currency of the account comes first. */
export function TaxByMonth({ of: { tax_by_month, currency: own, missing }, chosen, choose }: ChartProps) {
  const [wanted, setCurrency] = useState<string | null>(null)
  if (tax_by_month === null) return <Absent part="tax_by_month" missing={missing} />
  const { months, rows } = tax_by_month
  const found = [...new Set(rows.map(({ currency }) => currency))].toSorted(
    (one, other) => Number(other === own) - Number(one === own) || one.localeCompare(other),
  )
  const currency = wanted !== null && found.includes(wanted) ? wanted : found[0]
  const spans = (
    <Select label="Months" name="months" choices={pairs(SPANS)} chosen={chosen} changed={choose} />
  )
  if (currency === undefined)
    return (
      <>
        <div class="choices">{spans}</div>
        <p class="quiet">No tax is recorded in these months.</p>
      </>
    )
  const own_rows = rows.filter((row) => row.currency === currency)
  const currencies = { choices: pairs(found), chosen: currency, changed: setCurrency }
  return (
    <>
      <div class="choices">
        {spans}
        {found.length > 1 && <Select label="Currency" name="currency" {...currencies} />}
      </div>
      <ColumnChart
        key={`${months.length} ${currency}`}
        caption={`Tax collected less tax refunded, by month, in ${currency}`}
        columns={months.map(monthWords)}
        series={seriesOfGroups(own_rows, months)}
        format={(value) => formatMoney(value, currency)}
        short={(value) => shortMoney(value, currency)}
      />
    </>
  )
}

function pairs(names: readonly string[]) {
  return names.map((name) => [name, name] as const)
}
