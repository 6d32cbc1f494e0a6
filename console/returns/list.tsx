import type { Child } from 'hono/jsx/dom'
import type { FiledReturn, Obligation, WithoutDatesAnswer } from '../../client/src/schema.ts'
import { MEMBER_STATES } from '../../src/engine/regimes/eu-member-states.ts'
import { formatDay, formatMoney, todayInZone } from '../format.ts'
import { Badge, Folded } from '../parts/parts.tsx'
import { nameOfPlace } from '../schemes.ts'
import { periodWords } from '../words.ts'
import { FORMS } from './forms.ts'
import { SetAside } from './set-aside.tsx'
import { type Calendar, isFiled, linkToReturn, returnOf, sumsOf } from './return.ts'

type ListedReturn = {
  href: string | null
  name: string
  beside?: Child
  below: string
  late?: boolean
  amount: string
  /** What can be done with a return that has no page of its own. */
  deeds?: Child
}

/** The calendar as a list: what is to be filed, what has not ended, what was filed. */
export function ReturnsList({ calendar, current }: { calendar: Calendar; current: string | null }) {
  const { obligations, without_dates, total, filed, filed_total, set_aside, set_aside_total } = calendar
  const inStatus = (...wanted: Obligation['status'][]) =>
    obligations.filter(({ status }) => wanted.includes(status)).map(dueItem)
  const all = filed_total > filed.length ? `, the latest ${filed.length} of ${filed_total}` : ''
  const read = obligations.length < total ? `, the first ${obligations.length} of ${total}` : ''
  const aside =
    set_aside_total > set_aside.length
      ? `the first ${set_aside.length} of ${set_aside_total}`
      : set_aside_total
  const groups: [string, ListedReturn[]][] = [
    ['Without due dates', without_dates.map(withoutDatesItem)],
    [`To file${read}`, inStatus('overdue', 'due')],
    ['Current periods', obligations.filter(isCurrent).map(dueItem)],
    ['Locked, not filed', filed.filter((each) => !isFiled(each)).map(filedItem)],
    [`Filed${all}`, filed.filter(isFiled).map(filedItem)],
  ]
  const listOf = (items: readonly ListedReturn[]) => <ByPlace of={items} current={current} />
  return (
    <nav class="obligations" aria-label="Returns">
      {groups.map(([title, items]) =>
        items.length === 0 ? null : (
          <section>
            <h2>{title}</h2>
            {listOf(items)}
          </section>
        ),
      )}
      {set_aside.length > 0 && (
        <Folded title={`Set aside (${aside})`} make={() => <div>{listOf(set_aside.map(dueItem))}</div>} />
      )}
    </nav>
  )
}

type ItemProps<Of> = { of: Of; current: string | null }

/** The name of each place stands once, above its returns. */
function ByPlace({ of, current }: ItemProps<readonly ListedReturn[]>) {
  return (
    <>
      {[...Map.groupBy(of, ({ name }) => name)].map(([name, items]) => (
        <>
          <h3>{name}</h3>
          <ul>
            {items.map((item) => (
              <Item of={item} current={current} />
            ))}
          </ul>
        </>
      ))}
    </>
  )
}

/** Whether the period has begun and not ended. */
function isCurrent({ status, from_date }: Obligation): boolean {
  return status === 'open' && from_date <= todayInZone()
}

function dueItem(obligation: Obligation): ListedReturn {
  const { document, jurisdiction_id, scheme, period, last_date, status, so_far } = obligation
  const asked = returnOf(obligation)
  const late = status === 'overdue'
  // The year of the due date is that of the period, or the next.
  const day = `${late ? 'overdue' : 'due'} ${formatDay(last_date).slice(0, -5)}`.replaceAll(' ', '\u00a0')
  const amounts = sumsOf([{ so_far }], null).map((sum) => formatMoney(sum.amount, sum.currency))
  return {
    href: asked && linkToReturn(asked),
    deeds: asked === null && <SetAside due={obligation} />,
    name: nameOfPlace(jurisdiction_id ?? scheme ?? ''),
    late,
    below: `${periodWords(period)} · ${day}`,
    amount:
      document === 'ec_sales_list'
        ? 'EC sales list'
        : asked === null
          ? 'No form here'
          : amounts.join(' + ') || 'No sales',
  }
}

/** A registration without due dates. In a member state it leads to the domestic return of last month. */
function withoutDatesItem({ jurisdiction_id, scheme, message }: WithoutDatesAnswer): ListedReturn {
  const has_form = jurisdiction_id !== null && MEMBER_STATES.includes(jurisdiction_id)
  const asked = { type: 'eu_domestic', period: lastMonth(new Date()), jurisdiction_id }
  return {
    href: has_form ? linkToReturn(asked) : null,
    name: nameOfPlace(jurisdiction_id ?? scheme ?? ''),
    below: has_form ? `${message}. Open ${periodWords(asked.period)}` : message,
    amount: '',
  }
}

function lastMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}

function filedItem(version: FiledReturn): ListedReturn {
  const { type, jurisdiction_id, period, filed_at, late_entries, submission } = version
  const { state, day } = submission
  const kept = state === 'filed' ? null : <Badge word={state} />
  return {
    href: linkToReturn(version),
    name: nameOfPlace(jurisdiction_id ?? FORMS[type].of ?? FORMS[type].name),
    beside: late_entries ? <Badge word="late entries" tone="warn" /> : kept,
    below: `${periodWords(period)} · ${isFiled(version) ? 'filed' : 'locked'} ${formatDay(day ?? filed_at)}`,
    amount: '',
  }
}

function Item({ of, current }: ItemProps<ListedReturn>) {
  const { href, name, beside, below, late = false, amount, deeds } = of
  const content = (
    <span class="line small">
      <span class={late ? 'late' : 'quiet'}>
        <span class="unseen">{`${name}, `}</span>
        {below}
      </span>
      {beside}
      <span class="number">{amount}</span>
    </span>
  )
  return (
    <li>
      {href === null ? (
        <div>
          {content}
          {deeds}
        </div>
      ) : (
        <a href={href} aria-current={href === current ? 'page' : undefined}>
          {content}
        </a>
      )}
    </li>
  )
}
