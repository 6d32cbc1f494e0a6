import { useRef, useState } from 'hono/jsx/dom'
import type { LinesAnswer, ReportLine } from '../../client/src/schema.ts'
import type { RecordProps } from '../address.ts'
import { callApi, download, type PageQuery } from '../api.ts'
import { formatDay, formatMoney, formatRate, formatSums } from '../format.ts'
import { placeName, withNames } from '../names.ts'
import { Deeds } from '../parts/changes.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Facts, useTitle } from '../parts/parts.tsx'
import { type Column, PagedTable } from '../parts/table.tsx'
import { counted } from '../words.ts'
import type { Figure, Figures, PeriodQuery } from './return.ts'
import { figuresWithRows, periodQuery, readFigures } from './return.ts'

/** As many rows are read at once. */
const PAGE = '100'

/** The rows of a figure of the return that the address names. */
export function Record({ id, query }: RecordProps) {
  const asked = periodQuery(query)
  if (asked === null) return <p>The address names no return.</p>
  return <Rows figure={id} asked={asked} version={query.get('version')} />
}

type RowsProps = { figure: string; asked: PeriodQuery; version: string | null }

function Rows({ figure: key, asked, version }: RowsProps) {
  const loading = useLoading(() => withNames(readFigures(asked, version)), [key])
  const show = (figures: Figures) => {
    const figure = figuresWithRows(figures).find((each) => each.key === key)
    if (figure === undefined) return <p>This return has no such figure with rows.</p>
    const query = { report: 'lines', ...asked, figure: key }
    const save = () => download('/v1/reports/export', query, 'rows.csv')
    return (
      <>
        <RowsOf figure={figure} />
        {figures.filed === null && <Deeds of={[{ name: 'Download these rows (CSV)', act: save }]} />}
      </>
    )
  }
  return <Loaded of={loading} lines={10} show={show} />
}

function RowsOf({ figure }: { figure: Figure }) {
  const shown = useRef<readonly ReportLine[]>([])
  const [sum, setSum] = useState('')
  useTitle(figure.name)
  const readPage = async ({ cursor }: PageQuery) => {
    const [path = '', own] = figure.url.split('?')
    const query = { ...Object.fromEntries(new URLSearchParams(own)), limit: PAGE, cursor }
    const page = await callApi<LinesAnswer>('GET', path, { query })
    shown.current = cursor === null ? page.lines : [...(shown.current ?? []), ...page.lines]
    setSum(sentenceOf(figure, shown.current, page.has_more))
    return { rows: page.lines, total: null, next_cursor: page.next_cursor }
  }
  return (
    <>
      <Facts
        of={[
          ['Figure', <strong class="number">{moneyIn(figure.amount, figure)}</strong>],
          ['Net sales', moneyIn(figure.net, figure)],
        ]}
      />
      <p role="status">{sum}</p>
      <PagedTable
        caption={`Rows of ${figure.name}`}
        of={figure.url}
        href={({ transaction_id }) => `#/transactions/${transaction_id}`}
        empty={{ title: 'No rows', text: 'No sale and no refund is in this figure.' }}
        columns={COLUMNS}
        read={readPage}
      />
    </>
  )
}

const COLUMNS: readonly Column<ReportLine>[] = [
  { head: 'Entry', cell: (line) => <Entry of={line} /> },
  { head: 'Day', keep: true, cell: ({ day }) => formatDay(day) },
  { head: 'Net', number: true, cell: (line) => moneyIn(line.net_amount, line) },
  { head: 'Rate', number: true, cell: ({ tax_rate }) => formatRate(tax_rate) },
  { head: 'In the figure', number: true, phone: 'figure', cell: (line) => moneyIn(line.figure_amount, line) },
]

function moneyIn(amount: number | null, { currency }: { currency: string }): string | null {
  return amount === null ? null : formatMoney(amount, currency)
}

/** The sale of a row, and below it what was sold and where: a drawer has no room for more columns. */
function Entry({ of }: { of: ReportLine }) {
  const { entry, description, external_id, transaction_id, place_of_supply: id } = of
  const sold = entry === 'refund' ? 'Refund' : (description ?? 'Sale')
  return (
    <>
      {external_id ?? transaction_id}
      <span class="quiet small block">{`${sold}, ${placeName(id)}`}</span>
    </>
  )
}

/** A sentence that compares the sum of the rows with the figure. */
function sentenceOf(figure: Figure, lines: readonly ReportLine[], has_more: boolean): string {
  const { amount, net, currency } = figure
  if (has_more) return `The first ${counted(lines.length, 'row')}. Load all to see their sum.`
  const sums = [...Map.groupBy(lines, (line) => line.currency)].map(([each, own]) => ({
    currency: each,
    amount: own.reduce((sum, { figure_amount }) => sum + (figure_amount ?? 0), 0),
  }))
  const told = formatSums(sums) || formatMoney(0, currency)
  const isIt = (each: { currency: string; amount: number }) =>
    each.currency === currency && each.amount === amount
  const is_figure = sums.length <= 1 && sums.every(isIt)
  const rows = counted(lines.length, 'row')
  return is_figure
    ? `${rows} add up to ${told}, which is the figure.${net === null ? '' : netWords(lines, currency)}`
    : `${rows} add up to ${told}. The return converts these at its exchange rates.`
}

/** The rows of an untaxed place add up to no tax, and yet to its sales. */
function netWords(lines: readonly ReportLine[], currency: string): string {
  const net = lines.reduce((sum, { net_amount }) => sum + net_amount, 0)
  return ` Without tax, they add up to ${formatMoney(net, currency)}.`
}
