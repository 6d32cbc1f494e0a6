import { type Child, useRef, useState } from 'hono/jsx/dom'
import type { OverviewAnswer } from '../../client/src/schema.ts'
import { may, who } from '../account.ts'
import { linkTo } from '../address.ts'
import { mistake } from '../api.ts'
import { formatDay, formatMoney } from '../format.ts'
import { FailureNotice, Skeleton, useLoading } from '../parts/load.tsx'
import { Badge, EmptyState, Press, Section } from '../parts/parts.tsx'
import { Table } from '../parts/table.tsx'
import { sumsOf } from '../returns/return.ts'
import { NO_SALES, TRANSACTION_COLUMNS } from '../transactions/columns.tsx'
import { periodWords, returnName, withSpaces } from '../words.ts'
import { Checklist, ExamplesThere } from './checklist.tsx'
import { FIGURES, KeyFigures } from './key-figures.tsx'
import { linkToDue, type Matter, mattersOf } from './matters.ts'
import { Absent, readOverview, TaxByMonth } from './tax-by-month.tsx'

/** How many matters and returns are shown before somebody asks for all. */
const SHOWN = 6

/**
 * One request has it all. A part that is missing says so in its place; the others stay. A part that the key
 * may never read is not here.
 */
export function View() {
  const [months, setMonths] = useState('12')
  const loading = useLoading(() => readOverview(months), [months])
  const before = useRef<OverviewAnswer | null>(null)
  // Other months leave all else as it is.
  if (loading.value !== null) before.current = loading.value
  const overview = loading.value ?? before.current
  const [reports, sales] = [may('reports:read'), may('transactions:read')]
  const figures = FIGURES.some(({ scope }) => may(scope))
  const failed = (overview?.missing ?? []).filter(({ reason }) => reason !== 'missing_scope')
  const notice = loading.failure && (
    <FailureNotice thrown={loading.failure.thrown} retry={() => void loading.again()} />
  )
  // Elements of their own: what takes the place of others moves nothing, however high it is.
  if (overview === null)
    return (
      <div class="stack" key="waiting">
        {notice}
        <KeyFigures overview={null} failed={notice !== null} />
        {notice === null && <Skeleton lines={SHOWN} />}
      </div>
    )
  const [matters, whole] = [mattersOf(overview), overview.missing.length === 0]
  return (
    <div class="stack" key="read">
      {notice}
      {failed.length > 0 && <Unread parts={failed} retry={() => void loading.again()} />}
      <Checklist of={overview} changed={loading.again} />
      <KeyFigures overview={overview} failed={notice !== null} />
      <div class="halves matters">
        {figures && titled('Needs attention', <Matters of={matters} whole={whole} />)}
        {reports && titled('Open returns', <OpenReturns of={overview} />)}
      </div>
      {reports && <TaxByMonth of={overview} chosen={months} choose={setMonths} />}
      {sales && titled('Latest transactions', <Latest of={overview} />)}
      {!sales && !figures && (
        <EmptyState
          title={`${who()} cannot read records`}
          text={`The menu has the views that ${who() === 'You' ? 'you' : 'it'} can use.`}
        />
      )}
      {overview.example_books.there && <ExamplesThere changed={loading.again} />}
    </div>
  )
}

function titled(title: string, part: Child) {
  return <Section title={title}>{part}</Section>
}

/** Says once which parts could not be read. */
function Unread({ parts, retry }: { parts: OverviewAnswer['missing']; retry: () => void }) {
  const names = parts.map(({ part }) => withSpaces(part)).join(', ')
  return (
    <FailureNotice
      thrown={mistake(`Some parts could not be loaded: ${names}. ${parts[0]?.message}`)}
      retry={retry}
    />
  )
}

/** `whole`: the key could read all of it. */
function Matters({ of, whole }: { of: readonly Matter[]; whole: boolean }) {
  const [all, setAll] = useState(false)
  if (of.length === 0 && !whole)
    return <p class="card quiet">No open tasks were found, but some parts could not be read.</p>
  if (of.length === 0) return <p class="card quiet">No open tasks.</p>
  return (
    <>
      <ul class="card attention">
        {(all ? of : of.slice(0, SHOWN)).map(({ state, text, href }) => (
          <li>
            <a href={href}>
              <Badge word={state} />
              <span>{text}</span>
              <span aria-hidden="true">→</span>
            </a>
          </li>
        ))}
      </ul>
      {of.length > SHOWN && !all && (
        <Press name={`Show all ${of.length}`} act={() => setAll(true)} kind="plain all" />
      )}
    </>
  )
}

const NO_RETURN = 'No open returns. Returns are listed for the places where you are registered.'

function OpenReturns({ of: { returns, missing, as_of } }: { of: OverviewAnswer }) {
  if (returns === null) return <Absent part="returns" missing={missing} />
  const total = returns.overdue + returns.due + returns.open
  if (total === 0) return <p class="card quiet">{NO_RETURN}</p>
  const foot: Child = total > SHOWN && (
    <div class="table-foot">
      <a href="#/returns">All {total} returns →</a>
    </div>
  )
  return (
    <Table
      caption="Open returns by due date"
      rows={returns.first.filter(({ from_date }) => from_date <= as_of).slice(0, SHOWN)}
      href={linkToDue}
      foot={foot}
      columns={[
        { head: 'Return', cell: (each) => `${returnName(each)}, ${periodWords(each.period)}` },
        { head: 'Due', keep: true, cell: (each) => formatDay(each.last_date) },
        { head: 'Tax so far', number: true, phone: 'figure', cell: (each) => <Sums of={[each]} /> },
      ]}
    />
  )
}

/** Amounts of several currencies, a line each. */
function Sums({ of }: { of: Parameters<typeof sumsOf>[0] }) {
  const sums = sumsOf(of, null)
  const lines = sums.map(({ amount, currency }) => <span class="block">{formatMoney(amount, currency)}</span>)
  return <>{lines.length === 0 ? 'No sales' : lines}</>
}

function Latest({ of: { transactions, missing } }: { of: OverviewAnswer }) {
  if (transactions === null) return <Absent part="transactions" missing={missing} />
  return (
    <Table
      caption="Latest transactions"
      rows={transactions}
      empty={NO_SALES}
      columns={TRANSACTION_COLUMNS}
      href={({ id }) => linkTo('transactions', { id })}
    />
  )
}
