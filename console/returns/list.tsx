import type { Child } from 'hono/jsx/dom'
import { MEMBER_STATES } from '../../src/tax/regimes/eu-member-states.ts'
import { formatDay, formatMoney } from '../format.ts'
import type { Names } from '../names.ts'
import { Badge } from '../parts/badge.tsx'
import { nameOfPlace } from '../schemes.ts'
import { type Calendar, type Obligation, sumsOf, type WithoutDates } from './calendar.ts'
import { FORMS } from './forms.ts'
import { periodWords } from './period-words.ts'
import type { Version } from './read-return.ts'
import { linkToReturn, returnOf } from './return-address.ts'

type ListedReturn = { href: string | null; name: string; beside?: Child; below: string; amount: string }

/** The calendar as a list: what is to be filed, what has not ended, what was filed. */
export function ReturnsList({
  calendar: { obligations, without_dates, filed, filed_total },
  names,
  current,
}: {
  calendar: Calendar
  names: Names
  current: string | null
}) {
  const inStatus = (...wanted: Obligation['status'][]) =>
    obligations.filter(({ status }) => wanted.includes(status)).map((each) => dueItem(each, names))
  const all = filed_total > filed.length ? `, the latest ${filed.length} of ${filed_total}` : ''
  const groups: [string, ListedReturn[]][] = [
    ['Without due dates', without_dates.map((each) => withoutDatesItem(each, names))],
    ['To file', inStatus('overdue', 'due')],
    ['Not ended yet', inStatus('open')],
    [`Filed${all}`, filed.map((each) => filedItem(each, names))],
  ]
  return (
    <nav class="obligations" aria-label="Returns">
      {groups.map(([title, items]) =>
        items.length === 0 ? null : (
          <section>
            <h2>{title}</h2>
            <ul>
              {items.map((item) => (
                <Item of={item} current={current} />
              ))}
            </ul>
          </section>
        ),
      )}
    </nav>
  )
}

function dueItem(obligation: Obligation, names: Names): ListedReturn {
  const { jurisdiction_id, scheme, period, last_date, status, so_far } = obligation
  const asked = returnOf(obligation)
  const amounts = sumsOf([{ so_far }], null).map((sum) => formatMoney(sum.amount, sum.currency))
  return {
    href: asked && linkToReturn(asked),
    name: nameOfPlace(jurisdiction_id ?? scheme ?? '', names),
    beside: status === 'open' ? null : <Badge word={status} />,
    // The year of the due date is that of the period, or the next.
    below: `${periodWords(period)} · ${`due ${formatDay(last_date).slice(0, -5)}`.replaceAll(' ', '\u00a0')}`,
    amount: asked === null ? 'No form here' : amounts.join(' + '),
  }
}

/** A registration without due dates. In a member state it leads to the domestic return of last month. */
function withoutDatesItem({ jurisdiction_id, scheme, message }: WithoutDates, names: Names): ListedReturn {
  const has_form = jurisdiction_id !== null && MEMBER_STATES.includes(jurisdiction_id)
  const asked = { type: 'eu_domestic', period: lastMonth(new Date()), jurisdiction_id }
  return {
    href: has_form ? linkToReturn(asked) : null,
    name: nameOfPlace(jurisdiction_id ?? scheme ?? '', names),
    below: has_form ? `${message}. Open ${periodWords(asked.period)}` : message,
    amount: '',
  }
}

function lastMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}

function filedItem(version: Version, names: Names): ListedReturn {
  const { type, jurisdiction_id, period, filed_at, late_entries, submission } = version
  const { state, day } = submission
  return {
    href: linkToReturn(version),
    name: nameOfPlace(jurisdiction_id ?? FORMS[type].of ?? FORMS[type].name, names),
    beside: late_entries ? (
      <Badge word="late entries" tone="warn" />
    ) : state === 'filed' ? null : (
      <Badge word={state} />
    ),
    below: `${periodWords(period)} · filed ${formatDay(day ?? filed_at)}`,
    amount: '',
  }
}

type ItemProps = { of: ListedReturn; current: string | null }

function Item({ of: { href, name, beside, below, amount }, current }: ItemProps) {
  const content = (
    <>
      <span class="line">
        <strong>{name}</strong>
        {beside}
      </span>
      <span class="line small">
        <span class="quiet">{below}</span>
        <span class="number">{amount}</span>
      </span>
    </>
  )
  return (
    <li>
      {href === null ? (
        <div>{content}</div>
      ) : (
        <a href={href} aria-current={href === current ? 'page' : undefined}>
          {content}
        </a>
      )}
    </li>
  )
}
