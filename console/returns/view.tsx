import { type Child, useLayoutEffect, useRef } from 'hono/jsx/dom'
import type { Obligation } from '../../client/src/schema.ts'
import { may, SESSION } from '../account.ts'
import type { RecordProps, ViewProps } from '../address.ts'
import type { Query } from '../api.ts'
import { formatDay, formatMoney, formatSums, todayInZone, withDays } from '../format.ts'
import { placeName, withNames } from '../names.ts'
import { Loaded, loadScripts, recordsChanged, useChanges, useLoading } from '../parts/load.tsx'
import { AddLink, Badge, EmptyState, Folded, Source } from '../parts/parts.tsx'
import { readRegistrations } from '../registrations/registration.ts'
import { SCHEMES } from '../schemes.ts'
import { periodWords } from '../words.ts'
import { Actions } from './actions.tsx'
import { Files } from './files.tsx'
import { FormAsPrinted, NeedsYou } from './form-as-printed.tsx'
import { FORMS } from './forms.ts'
import { ReturnsList } from './list.tsx'
import type { Calendar, Figures, TaxReturn } from './return.ts'
import { SetAside, Statement } from './set-aside.tsx'
import { linkToReturn, notesToTell, periodQuery, readCalendar, readReturn, returnOf } from './return.ts'

/** The rows of a figure. Their script is loaded when the first is opened. */
export function Record(props: RecordProps) {
  const loading = useLoading(() => loadScripts(() => import('./figure.tsx')))
  return <Loaded of={loading} show={(figure) => <figure.Record {...props} />} />
}

type NotesProps = { figures: Figures; link: (figure: string) => string; query: URLSearchParams }

/** The parts below the form. Their script is loaded when there are some. */
function NotesOf(props: NotesProps) {
  const loading = useLoading(() => loadScripts(() => import('./notes.tsx')))
  return <Loaded of={loading} show={({ Notes }) => <Notes {...props} />} />
}

function hasNotes(figures: Figures): boolean {
  const { unconverted, corrections, expired_corrections, exchange_rates, daily_exchange_rates } = figures
  const parts = [unconverted, corrections, expired_corrections, exchange_rates, daily_exchange_rates]
  return parts.some(({ length }) => length > 0) || notesToTell(figures).length > 0
}

/** What was filed of a return. Its script is loaded when something was. */
function Versions(props: { of: TaxReturn; calendar: Calendar }) {
  const loading = useLoading(() => loadScripts(() => import('./filed.tsx')))
  return <Loaded of={loading} show={({ Filed }) => <Filed {...props} />} />
}

function Other() {
  const loading = useLoading(() => loadScripts(() => import('./other-return.tsx')))
  return <Loaded of={loading} show={({ OtherReturn }) => <OtherReturn />} />
}

/** The workspace of returns: what is due beside the form of one return. */
export function View({ query }: ViewProps) {
  const loading = useLoading(() => withNames(readCalendar()))
  useChanges(() => void loading.again())
  const { value: calendar, failure } = loading
  const chosen = periodQuery(query) !== null
  const asked = useRef<URLSearchParams | null>(null)
  // The first return to file stays, although it is filed meanwhile.
  asked.current ??= chosen ? query : calendar && firstToFile(calendar)
  if (failure !== null) return <Loaded of={loading} show={() => null} />
  // A phone shows either the list or a return, and both if there is no list to choose from.
  const shown = chosen ? ' chosen' : calendar !== null && isEmpty(calendar) ? ' bare' : ''
  const list = (read: Calendar) => (
    <>
      <ReturnsList calendar={read} current={linkOf(asked.current)} />
      <div class="other">
        <Folded title="Another return…" make={() => <Other />} />
      </div>
    </>
  )
  return (
    <div class={`workspace${shown}`}>
      <div class="list">
        <Loaded of={loading} lines={10} show={list} />
      </div>
      <div class="return stack">
        {calendar !== null && <Shown query={asked.current ?? null} calendar={calendar} />}
      </div>
    </div>
  )
}

function isEmpty({ obligations, without_dates, filed }: Calendar): boolean {
  return obligations.length + without_dates.length + filed.length === 0
}

/** The link to the return that a query names. */
function linkOf(query: URLSearchParams | null): string | null {
  const asked = query && periodQuery(query)
  return asked && linkToReturn(asked)
}

/** The return to show if the address names none: the first one that is to be filed. */
function firstToFile({ obligations }: Calendar): URLSearchParams | null {
  const wanted = obligations.find(({ status, type }) => type !== null && ['overdue', 'due'].includes(status))
  const asked = wanted && returnOf(wanted)
  return asked ? new URLSearchParams(linkToReturn(asked).split('?')[1]) : null
}

const TO_CHOOSE = {
  title: 'No returns to file',
  text: 'Choose a return in the list to see its figures.',
}

const NO_RETURNS = {
  title: 'No returns yet',
  text:
    'Returns come from registrations. Add the places where you are registered, and their due dates ' +
    'appear here.',
}

function Shown({ query, calendar }: { query: URLSearchParams | null; calendar: Calendar }) {
  const asked = query && periodQuery(query)
  if (query !== null && asked !== null) return <OneReturn query={query} asked={asked} calendar={calendar} />
  if (!isEmpty(calendar)) return <EmptyState {...TO_CHOOSE} />
  return <EmptyState {...NO_RETURNS} action={<AddLink to="registrations" name="Add a registration" />} />
}

type OneReturnProps = { query: URLSearchParams; asked: Query; calendar: Calendar }

/** One return, in the order of the work: check it, download its file, mark it as filed. */
function OneReturn({ query, asked, calendar }: OneReturnProps) {
  const version = query.get('version')
  const loading = useLoading(() => readReturn(asked, version))
  useChanges(() => void loading.again())
  const place = useRef<HTMLDivElement>(null)
  const has_changed = useRef(false)
  useLayoutEffect(() => {
    // The button that had the focus is gone.
    const heading = place.current?.querySelector('#return')
    if (has_changed.current && heading instanceof HTMLElement) heading.focus()
    has_changed.current = false
  }, [loading.value])
  const show = (read: TaxReturn) => {
    const { figures, filed, versions } = read
    const fx_rates = query.get('fx_rates')
    const link = (figure: string) => linkToReturn(figures, { figure, version, fx_rates })
    const changed = () => {
      has_changed.current = true
      if (version !== null) location.hash = linkToReturn(figures)
      recordsChanged()
    }
    const stage = `${filed?.id} ${filed?.submission.updated_at} ${versions.length}`
    return (
      <div class="stack" ref={place}>
        <Head of={read} calendar={calendar}>
          <Actions key={stage} of={read} asked={asked} owed={owedIn(figures)} changed={changed} />
        </Head>
        <FormAsPrinted figures={figures} link={link} />
        {hasNotes(figures) && <NotesOf figures={figures} link={link} query={query} />}
        <Files key={stage} of={read} asked={asked} />
        <SetAside due={dueOf(read, calendar)} />
        <Statement due={dueOf(read, calendar, 'ec_sales_list')} />
        {versions.length > 0 && <Versions of={read} calendar={calendar} />}
      </div>
    )
  }
  return (
    <>
      <a class="back" href="#/returns">
        All returns
      </a>
      <Loaded of={loading} lines={10} show={show} />
    </>
  )
}

/** The tax that a return declares, with its currency. */
function owedIn({ totals, currency, supplies }: Figures): string | null {
  const money = currency ?? supplies[0]?.currency ?? null
  return totals === null || money === null ? null : formatMoney(totals.tax_due, money)
}

/** The obligation that a return is of, or its statement; null: the calendar does not have it. */
function dueOf(
  { figures: { type, period, jurisdiction_id } }: TaxReturn,
  calendar: Calendar,
  document: Obligation['document'] = 'return',
): Obligation | null {
  const found = [...calendar.obligations, ...calendar.set_aside].find((each) => {
    const asked = returnOf(each)
    return (
      each.document === document &&
      asked?.type === type &&
      asked.period === period &&
      asked.jurisdiction_id === jurisdiction_id
    )
  })
  return found ?? null
}

type HeadProps = { of: TaxReturn; calendar: Calendar; children: Child }

/** Whose return it is, what it declares, and its one button. */
function Head({ of, calendar, children }: HeadProps) {
  const { figures, filed } = of
  const { type, period, jurisdiction_id, from_date, to_date, totals, currency, supplies } = figures
  const due = dueOf(of, calendar)
  const form = FORMS[type]
  const place = jurisdiction_id ?? (form.of && !Object.hasOwn(SCHEMES, form.of) ? form.of : null)
  const kept = filed?.status === 'filed' ? filed.submission.state : filed?.status
  const owed = owedIn(figures)
  const corrected = totals?.corrections_tax_amount ?? 0
  const left_out = figures.unconverted.flatMap((sales) =>
    sales.tax_amount === 0 ? [] : [{ currency: sales.currency, amount: sales.tax_amount }],
  )
  return (
    <section class="card return-head" aria-labelledby="return">
      <div>
        <h2 id="return" tabindex={-1}>
          {place === null ? '' : `${placeName(place)}: `}
          {form.name}
        </h2>
        <p>
          <Badge word={kept ?? due?.status ?? 'open'} /> {periodWords(period)}
          {due && `, due ${formatDay(due.last_date)}`}
        </p>
        <p class="quiet">{`${formatDay(from_date)} to ${formatDay(to_date)} · ${form.office}`}</p>
        {due && <DueDateSource due={due} />}
        <Taxpayer of={jurisdiction_id ?? form.of ?? null} from_date={from_date} />
      </div>
      <div class="return-deed">
        {owed !== null && (
          <p class="owed">
            <span class="quiet small">Tax due on sales</span>
            <strong class="number">{owed}</strong>
            {left_out.length > 0 && (
              <span class="quiet small">without {formatSums(left_out)}, whose exchange rate is missing</span>
            )}
            {corrected !== 0 && (
              <span class="quiet small">
                including corrections of {formatMoney(corrected, currency ?? supplies[0]?.currency ?? 'EUR')}
              </span>
            )}
          </p>
        )}
        {filed === null && <NeedsYou figures={figures} />}
        {children}
      </div>
    </section>
  )
}

/** Where the due date is from, and whether to check it. */
function DueDateSource({ due }: { due: Obligation }) {
  const sure = due.verified_at !== null && due.confidence === 'high'
  const why = () => (
    <p>
      By <Source url={due.source_url} name={due.source} />
      {sure ? '.' : ', not verified. Check it once with your tax office.'}
      {due.notes === null ? '' : ` ${withDays(due.notes)}`}
    </p>
  )
  return (
    <div class="quiet small">
      <Folded title="Why this date" make={why} />
    </div>
  )
}

/** Who declares, under which number, and when it was printed: a printed return says whose it is. */
function Taxpayer({ of, from_date }: { of: string | null; from_date: string }) {
  const registrations = useLoading(async () => (may('registrations:read') ? readRegistrations() : []), [of])
  const registration = registrations.value?.find(
    ({ jurisdiction_id, scheme, valid_to }) =>
      (jurisdiction_id ?? scheme) === of && (valid_to === null || valid_to >= from_date),
  )
  const account = SESSION.get()?.account ?? null
  const number = registration?.registration_number ?? null
  const facts = [
    account?.name,
    number !== null && `registration number ${number}`,
    account !== null && account.vat_id !== null && account.vat_id !== number && `VAT id ${account.vat_id}`,
    `printed on ${formatDay(todayInZone())}`,
  ]
  return <p class="only-print">{facts.filter(Boolean).join(' · ')}</p>
}
