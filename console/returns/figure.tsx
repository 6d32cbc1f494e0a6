import { useRef, useState } from 'hono/jsx/dom'
import type { z } from 'zod'
import type { LinesAnswer } from '../../src/reports/schemas.ts'
import { callApi } from '../api.ts'
import { download } from '../download.ts'
import { formatDay, formatMoney, formatRate, formatSums } from '../format.ts'
import { type Names, placeNames } from '../names.ts'
import { Deeds } from '../parts/changes.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Facts } from '../parts/parts.tsx'
import { useTitle } from '../parts/sheet.ts'
import { PagedTable } from '../parts/table.tsx'
import type { RecordProps } from '../view-module.ts'
import { counted } from '../words.ts'
import { type Figure, figuresWithRows, readFigures } from './read-return.ts'
import { type PeriodQuery, periodQuery } from './return-address.ts'

type FigureLine = z.output<typeof LinesAnswer>['lines'][number]

const PAGE = '100'

/** The rows of a figure of the return that the address names. */
export function Record({ id, query }: RecordProps) {
  const asked = periodQuery(query)
  return (
    <div class="drawer-body">
      {asked === null ? (
        <p>The address names no return.</p>
      ) : (
        <Rows figure={id} asked={asked} version={query.get('version')} />
      )}
    </div>
  )
}

function Rows({
  figure: key,
  asked,
  version,
}: {
  figure: string
  asked: PeriodQuery
  version: string | null
}) {
  const loading = useLoading(() => Promise.all([readFigures(asked, version), placeNames()]), [key])
  return (
    <Loaded
      of={loading}
      lines={10}
      show={([figures, names]) => {
        const figure = figuresWithRows(figures, names).find((each) => each.key === key)
        if (figure === undefined) return <p>This return has no such figure with rows.</p>
        return (
          <>
            <RowsOf figure={figure} names={names} />
            {figures.filed === null && <Export asked={asked} figure={key} />}
          </>
        )
      }}
    />
  )
}

function RowsOf({ figure, names }: { figure: Figure; names: Names }) {
  const read = useRef<readonly FigureLine[]>([])
  const [sum, setSum] = useState('')
  useTitle(figure.name)
  const readPage = async (cursor: string | null) => {
    const [path = '', own] = figure.url.split('?')
    const query = { ...Object.fromEntries(new URLSearchParams(own)), limit: PAGE, cursor }
    const page = await callApi<z.output<typeof LinesAnswer>>('GET', path, { query })
    read.current = cursor === null ? page.lines : [...(read.current ?? []), ...page.lines]
    setSum(sentenceOf(figure, read.current, page.has_more))
    return { rows: page.lines, total: null, next_cursor: page.next_cursor }
  }
  return (
    <>
      <Facts
        of={[
          ['Figure', <strong class="number">{formatMoney(figure.amount, figure.currency)}</strong>],
          figure.net === null ? null : ['Net sales', formatMoney(figure.net, figure.currency)],
        ]}
      />
      <p role="status">{sum}</p>
      <PagedTable
        caption={`Rows of ${figure.name}`}
        of={figure.url}
        href={({ transaction_id }) => `#/transactions/${transaction_id}`}
        empty={{ title: 'No rows', text: 'No sale and no refund is in this figure.' }}
        columns={[
          { head: 'Entry', cell: (line) => <Entry of={line} names={names} /> },
          { head: 'Day', keep: true, cell: ({ day }) => formatDay(day) },
          {
            head: 'Net',
            number: true,
            cell: ({ net_amount, currency }) => formatMoney(net_amount, currency),
          },
          { head: 'Rate', number: true, cell: ({ tax_rate }) => formatRate(tax_rate) },
          {
            head: 'In the figure',
            number: true,
            phone: 'figure',
            cell: ({ figure_amount, currency }) =>
              figure_amount === null ? null : formatMoney(figure_amount, currency),
          },
        ]}
        read={readPage}
      />
    </>
  )
}

/** The sale of a row, and below it what was sold and where: a drawer has no room for more columns. */
function Entry({ of, names }: { of: FigureLine; names: Names }) {
  const { entry, description, external_id, transaction_id, place_of_supply: id } = of
  const sold = entry === 'refund' ? 'Refund' : (description ?? 'Sale')
  return (
    <>
      {external_id ?? transaction_id}
      <span class="quiet small block">{`${sold}, ${names.get(id) ?? id}`}</span>
    </>
  )
}

/** A sentence that compares the sum of the rows with the figure. */
function sentenceOf(
  { amount, net, currency }: Figure,
  lines: readonly FigureLine[],
  has_more: boolean,
): string {
  if (has_more) return `The first ${counted(lines.length, 'row')}. Load all to see their sum.`
  const sums = [...Map.groupBy(lines, (line) => line.currency)].map(([each, own]) => ({
    currency: each,
    amount: own.reduce((sum, { figure_amount }) => sum + (figure_amount ?? 0), 0),
  }))
  const told = formatSums(sums) || formatMoney(0, currency)
  const is_figure = sums.every(
    (each) => sums.length === 1 && each.currency === currency && each.amount === amount,
  )
  const rows = counted(lines.length, 'row')
  return is_figure
    ? `${rows} add up to ${told}, which is the figure.${net === null ? '' : netWords(lines, currency)}`
    : `${rows} add up to ${told}. The return converts these at its exchange rates.`
}

/** The rows of an untaxed place add up to no tax, and yet to its sales. */
function netWords(lines: readonly FigureLine[], currency: string): string {
  const net = lines.reduce((sum, { net_amount }) => sum + net_amount, 0)
  return ` Without tax, they add up to ${formatMoney(net, currency)}.`
}

function Export({ asked, figure }: { asked: PeriodQuery; figure: string }) {
  const query = { report: 'lines', ...asked, figure }
  const save = () => download('/v1/reports/export', query, 'rows.csv')
  return <Deeds of={[{ name: 'Download these rows (CSV)', act: save }]} />
}
