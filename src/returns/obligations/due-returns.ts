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
import { type FilingPlace, filingPlace, type ReturnRule } from './filing-calendar.ts'

/** A registration as far as its returns depend on it. */
export type FilingRegistration = {
  id: string
  jurisdiction_id: string | null
  scheme: string | null
  filing_frequency: Frequency | null
  valid_from: string
  valid_to: string | null
}

/** A return that is due. Days are `YYYY-MM-DD`. */
export type DueReturn = {
  registration: FilingRegistration
  place: FilingPlace
  rule: ReturnRule
  period: string
  from_date: string
  to_date: string
  /** The day that the law names. */
  due_date: string
  /** The first day after the weekend that it is on, if the law moves it. Holidays are not considered. */
  last_date: string
}

/** Why the calendar has no dates for a registration. */
export type WithoutDates = { registration: FilingRegistration; reason: 'place' | 'frequency' }

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
    const place = filingPlace(registration.jurisdiction_id ?? registration.scheme ?? '')
    const rule = place?.returns.find(({ frequency, is_default }) =>
      registration.filing_frequency === null ? is_default : frequency === registration.filing_frequency,
    )
    if (place === null) without_dates.push({ registration, reason: 'place' })
    else if (rule === undefined) without_dates.push({ registration, reason: 'frequency' })
    else due.push(...returnsOf({ registration, place, rule }, counting, from, to))
  }
  const each_once = new Map(due.toSorted(byStart).map((each) => [keyOfReturn(each), each]))
  return { due: [...each_once.values()].toSorted(byDueDate), without_dates }
}

/** What an account files once, however many registrations it has there. */
export function keyOfReturn({ registration, period }: Pick<DueReturn, 'registration' | 'period'>): string {
  return `${registration.jurisdiction_id ?? registration.scheme} ${period}`
}

function byStart({ registration: one }: DueReturn, { registration: other }: DueReturn): number {
  const [a, b] = [`${one.valid_from} ${one.id}`, `${other.valid_from} ${other.id}`]
  return a < b ? -1 : a > b ? 1 : 0
}

function byDueDate(one: DueReturn, other: DueReturn): number {
  const [a, b] = [orderKeyOf(one), orderKeyOf(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

function orderKeyOf({ due_date, registration, period }: DueReturn): string {
  return `${due_date} ${registration.id} ${period}`
}

function returnsOf(
  of: Pick<DueReturn, 'registration' | 'place' | 'rule'>,
  counting: PeriodCounting,
  from: string,
  to: string,
): DueReturn[] {
  const { valid_from, valid_to } = of.registration
  return periodsBetween(of, counting, Number(from.slice(0, 4)) - 1, Number(to.slice(0, 4)) + 1).flatMap(
    ({ name, from: first, to: last }) => {
      const due_date = dueDateOf(of.rule, last)
      const registered = last >= valid_from && (valid_to === null || first <= valid_to)
      if (due_date < from || due_date > to || !registered) return []
      const { weekend, rest_days } = of.place
      const last_date = weekend === 'next_business_day' ? afterWeekend(due_date, rest_days) : due_date
      return [{ ...of, period: name, from_date: first, to_date: last, due_date, last_date }]
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
  const names: string[] = []
  for (let year = first_year; year <= last_year; year += 1) names.push(...namesIn(year, rule, counting))
  return names.flatMap((name) => {
    const period = readPeriod(name, { ...counting, uk_stagger: stagger })
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

/** The day, or the first day after the weekend that it is on. */
function afterWeekend(day: string, rest_days: readonly number[]): string {
  const rests = rest_days.includes(new Date(`${day}T00:00:00Z`).getUTCDay())
  return rests ? afterWeekend(daysAfter(day, 1), rest_days) : day
}
