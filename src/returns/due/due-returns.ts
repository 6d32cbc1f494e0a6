import {
  daysAfter,
  firstDayOf,
  type Frequency,
  lastDayOf,
  monthOf,
  monthsAfter,
  type PeriodCounting,
  readPeriod,
} from '../../platform/kit/calendar.ts'
import { OBLIGATION_DOCUMENTS } from '../../platform/database/values/return-statuses.ts'
import { type FilingPlace, filingPlace, type ReturnRule, statementPlace } from './filing-calendar.ts'

type ObligationDocument = (typeof OBLIGATION_DOCUMENTS)[number]

/** A registration as far as its returns depend on it. */
export type FilingRegistration = {
  id: string
  jurisdiction_id: string | null
  scheme: string | null
  filing_frequency: Frequency | null
  valid_from: string
  valid_to: string | null
}

/** A return or a statement that is due. Days are `YYYY-MM-DD`. */
export type DueReturn = {
  document: ObligationDocument
  registration: FilingRegistration
  place: FilingPlace
  rule: ReturnRule
  period: string
  from_date: string
  to_date: string
  /** The day that the law names. */
  due_date: string
  /** The first working day from it on, if the law moves it. */
  last_date: string
  /** Why no office works on the day that the law names; null: it is a working day, as far as it is known. */
  falls_on: DayOff | null
}

/** Why the calendar has no dates for a registration. `place`: null if the calendar does not know it. */
export type WithoutDates = { registration: FilingRegistration; place: FilingPlace | null }

/**
 * The returns of registrations that are due from one day to another, earliest first, and the registrations
 * that the calendar does not know. Two registrations of a place, one after the other, have one return for
 * a period of both: it is that of the later one. Pure.
 */
export function dueReturns(
  registrations: readonly FilingRegistration[],
  counting: PeriodCounting,
  from: string,
  to: string,
): { due: DueReturn[]; without_dates: WithoutDates[] } {
  const due: DueReturn[] = []
  const without_dates: WithoutDates[] = []
  for (const registration of registrations) {
    const place = filingPlace(placeOfRegistration(registration))
    const rule = place?.returns.find(({ frequency, is_default }) =>
      registration.filing_frequency === null ? is_default : frequency === registration.filing_frequency,
    )
    if (place === null || rule === undefined) without_dates.push({ registration, place })
    else due.push(...returnsOf({ document: 'return', registration, place, rule }, counting, from, to))
  }
  return { due: onceInOrder(due), without_dates }
}

/** What an account files once, earliest first: for two registrations of a place, by the later one. */
function onceInOrder(due: readonly DueReturn[]): DueReturn[] {
  const each_once = new Map(due.toSorted(byStart).map((each) => [obligationIdOf(each), each]))
  return [...each_once.values()].toSorted(byDueDate)
}

/**
 * The recapitulative statements that are due from one day to another, with those returns in one order. Their
 * periods follow the registration's, if the state has such statements, else its own rule. `hasRows`: a period
 * without rows asks for none.
 */
export function withStatements(
  due: readonly DueReturn[],
  registrations: readonly FilingRegistration[],
  counting: PeriodCounting,
  { from, to, hasRows }: { from: string; to: string; hasRows: (due: DueReturn) => boolean },
): DueReturn[] {
  const statements = dueStatements(registrations, counting, from, to)
  return onceInOrder([...due, ...statements.filter(hasRows)])
}

/** The recapitulative statements of some days, if their periods have rows. */
export function dueStatements(
  registrations: readonly FilingRegistration[],
  counting: PeriodCounting,
  from: string,
  to: string,
): DueReturn[] {
  return registrations.flatMap((registration) => {
    const place = statementPlace(registration.jurisdiction_id ?? '')
    const rules = place?.returns ?? []
    const rule =
      rules.find(({ frequency }) => frequency === registration.filing_frequency) ??
      rules.find(({ is_default }) => is_default)
    if (place === null || rule === undefined) return []
    return returnsOf({ document: 'ec_sales_list', registration, place, rule }, counting, from, to)
  })
}

/** The place or scheme of a registration. */
export function placeOfRegistration({ jurisdiction_id, scheme }: FilingRegistration): string {
  return jurisdiction_id ?? scheme ?? ''
}

/**
 * The id of what an account files once, however many registrations it has there. It is the same in every
 * answer: `obl_US-TX_2026-Q1`, and of a statement `obl_DE_2026-Q1_ec_sales_list`.
 */
export function obligationIdOf({
  registration,
  period,
  document,
}: Pick<DueReturn, 'registration' | 'period' | 'document'>): string {
  const id = `obl_${placeOfRegistration(registration)}_${period}`
  return document === 'return' ? id : `${id}_${document}`
}

const ID = new RegExp(`^obl_(.+)_(\\d{4}[^_]*)(?:_(${OBLIGATION_DOCUMENTS.join('|')}))?$`)

/** The place and the first year of the obligation of an id; null: it is no such id. */
export function readObligationId(id: string): { place: string; year: number } | null {
  const [, place, period] = ID.exec(id) ?? []
  return place === undefined || period === undefined ? null : { place, year: Number(period.slice(0, 4)) }
}

function byStart({ registration: one }: DueReturn, { registration: other }: DueReturn): number {
  const [a, b] = [`${one.valid_from} ${one.id}`, `${other.valid_from} ${other.id}`]
  return a < b ? -1 : a > b ? 1 : 0
}

function byDueDate(one: DueReturn, other: DueReturn): number {
  const [a, b] = [orderKeyOf(one), orderKeyOf(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

function orderKeyOf({ due_date, registration, period, document }: DueReturn): string {
  return `${due_date} ${registration.id} ${period} ${document}`
}

function returnsOf(
  of: Pick<DueReturn, 'document' | 'registration' | 'place' | 'rule'>,
  counting: PeriodCounting,
  from: string,
  to: string,
): DueReturn[] {
  const { valid_from, valid_to } = of.registration
  return periodsBetween(of, counting, Number(from.slice(0, 4)) - 1, Number(to.slice(0, 4)) + 1).flatMap(
    ({ name, from: first, to: last }) => {
      const registered = last >= valid_from && (valid_to === null || first <= valid_to)
      if (!registered) return []
      const due_date = dueDateOf(of.rule, last)
      if (due_date < from || due_date > to) return []
      const falls_on = dayOffAt(of.place, due_date)
      const last_date = of.place.weekend === 'next_business_day' ? workingDay(of.place, due_date) : due_date
      return [{ ...of, period: name, from_date: first, to_date: last, due_date, last_date, falls_on }]
    },
  )
}

type NamedPeriod = { name: string; from: string; to: string }

const MONTHS = { monthly: 1, two_monthly: 2, quarterly: 3, six_monthly: 6, annual: 12 } as const

/** The periods that end in these years, with the names that reports take. */
function periodsBetween(
  { place, rule }: Pick<DueReturn, 'place' | 'rule'>,
  counting: PeriodCounting,
  first_year: number,
  last_year: number,
): NamedPeriod[] {
  const stagger = place.return_type === 'uk_vat100' ? counting.uk_stagger : 1
  const { fiscal_year_start } = counting
  const key = [rule.frequency, rule.first_month, stagger, fiscal_year_start, first_year, last_year].join(' ')
  if (lastPeriods.key !== key)
    lastPeriods = {
      key,
      periods: newPeriods(rule, { ...counting, uk_stagger: stagger }, first_year, last_year),
    }
  return lastPeriods.periods
}

/** Most registrations of an account have the same periods. Keeping the last ones saves half of the time. */
let lastPeriods: { key: string; periods: NamedPeriod[] } = { key: '', periods: [] }

function newPeriods(
  rule: ReturnRule,
  counting: PeriodCounting,
  first_year: number,
  last_year: number,
): NamedPeriod[] {
  const names: string[] = []
  for (let year = first_year; year <= last_year; year += 1) names.push(...namesIn(year, rule, counting))
  return names.flatMap((name) => {
    const period = readPeriod(name, counting)
    return period === null ? [] : [{ name, from: period.from, to: period.to }]
  })
}

/** The names of the periods that begin in a year. */
function namesIn(
  year: number,
  { frequency, first_month }: ReturnRule,
  { fiscal_year_start }: PeriodCounting,
): string[] {
  const text = String(year).padStart(4, '0')
  if (frequency === 'monthly')
    return Array.from({ length: 12 }, (_, index) => monthsAfter(`${text}-01`, index))
  if (first_month === 1 && frequency === 'annual') return [text]
  if (first_month === 1 && frequency === 'quarterly')
    return [1, 2, 3, 4].map((quarter) => `${text}-Q${quarter}`)
  const begin = first_month ?? fiscal_year_start
  const length = MONTHS[frequency]
  return Array.from({ length: 12 / length }, (_, index) => {
    const first = monthsAfter(`${text}-01`, begin - 1 + index * length)
    return `${first}..${monthsAfter(first, length - 1)}`
  })
}

function dueDateOf(rule: ReturnRule, last: string): string {
  const month = monthOf(last)
  const exception = rule.exceptions.find(({ ends_in }) => ends_in === Number(month.slice(5, 7)))
  const { months_after, day } = exception ?? rule
  const due = monthsAfter(month, months_after)
  const end = lastDayOf(due)
  const named = daysAfter(firstDayOf(due), day - 1)
  return named > end ? end : named
}

/** The day, or the first working day after it. */
function workingDay(place: FilingPlace, day: string): string {
  return dayOffAt(place, day) === null ? day : workingDay(place, daysAfter(day, 1))
}

export const DAYS_OFF = ['weekend', 'public_holiday'] as const
type DayOff = (typeof DAYS_OFF)[number]

function dayOffAt({ rest_days, holidays }: FilingPlace, day: string): DayOff | null {
  if (holidays.has(day)) return 'public_holiday'
  return rest_days.includes(new Date(`${day}T00:00:00Z`).getUTCDay()) ? 'weekend' : null
}
