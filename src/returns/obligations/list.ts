import { daysAfter, daysBetween } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { pageOf } from '../../platform/http/page.ts'
import type * as z from 'zod'
import { SCHEMES } from '../../engine/ground/schemes.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { type DueReturn, dueReturns, type WithoutDates } from './due-returns.ts'
import { filedReturnOf, isSubmitted, jurisdictionOfReturn } from './filed.ts'
import type {
  FiledObligation,
  Obligation,
  ObligationsAnswer,
  ObligationStatus,
  ObligationsQuery,
  WithoutDatesAnswer,
} from './schemas.ts'
import { isOpen, oldestDueDate, readBooksBegin } from './open-returns.ts'
import { readTaxSoFar } from './so-far.ts'
import { type FiledPeriod, readFiledPeriods, readFilingRegistrations } from './store.ts'

const DAYS_MAX = 400
const DAYS_DEFAULT = 92
/** Periods are at most a year long, and due within four months. */
const LOOK_BACK_DAYS = 500

/**
 * The returns that are due in some days, earliest first. Without a first day, those that are due from today
 * on, and all that are still to be filed. Throws invalid_request for too many days.
 */
export async function listObligations(
  context: Context,
  query: ObligationsQuery,
): Promise<Answer<typeof ObligationsAnswer>> {
  const { time_zone } = context.principal
  const { from, to } = rangeOf(query, dayIn(time_zone, context.now))
  const { limit = 50, offset = 0 } = query
  const { total, ...found } = await readObligations(context, from, to, { limit, offset })
  return { ...found, to, time_zone, ...pageOf(total, limit, offset) }
}

type Found = Pick<Answer<typeof ObligationsAnswer>, 'obligations' | 'without_dates' | 'total' | 'from'>

/**
 * The returns with due dates of these days, earliest first: all of them, or a page. If `from` is null, those
 * that are due from today on, and all that are still to be filed; `from` of the answer is then the first day
 * on which one can have been due.
 */
export async function readObligations(
  context: Context,
  from: string | null,
  to: string,
  page: { limit: number; offset: number } = { limit: Infinity, offset: 0 },
): Promise<Found> {
  const { principal, env, books, now } = context
  const today = dayIn(principal.time_zone, now)
  const first = from ?? oldestDueDate(today)
  const account_ids = [principal.account_id]
  const [registrations, filed, begins] = await Promise.all([
    readFilingRegistrations(env.DB, principal.account_id),
    readFiledPeriods(books, account_ids, daysAfter(first, -LOOK_BACK_DAYS)),
    from === null ? readBooksBegin(env.DB, books, account_ids) : null,
  ])
  const begin = begins?.get(principal.account_id) ?? first
  const { due: all, without_dates } = dueReturns(registrations, principal.periods, first, to)
  const due = from === null ? all.filter((each) => each.due_date >= today || isOpen(each, filed, begin)) : all
  const shown = due.slice(page.offset, page.offset + page.limit)
  const soFar = await readTaxSoFar(context, shown)
  return {
    obligations: shown.map((each) => ({
      ...presentDue(each, filedReturnOf(each, filed), today),
      so_far: soFar(each),
    })),
    without_dates: without_dates.map(presentWithout),
    total: due.length,
    from: begin > first ? begin : first,
  }
}

function rangeOf(query: ObligationsQuery, today: string): { from: string | null; to: string } {
  const from = query.from ?? null
  const since = from ?? today
  const to = query.to ?? daysAfter(since, DAYS_DEFAULT)
  const days = daysBetween(since, to)
  if (days < 0) throw fieldError('invalid_request', 'to', 'must not be before from')
  if (days > DAYS_MAX)
    throw fieldError('invalid_request', 'to', `must be at most ${DAYS_MAX} days after from`)
  return { from, to }
}

function presentDue(
  due: DueReturn,
  filed: FiledPeriod | null,
  today: string,
): Omit<z.output<typeof Obligation>, 'so_far'> {
  const { registration, place, rule, period, from_date, to_date, due_date, last_date } = due
  return {
    registration_id: registration.id,
    jurisdiction_id: registration.jurisdiction_id,
    scheme: schemeOf(registration.scheme),
    type: place.return_type,
    frequency: rule.frequency,
    period,
    from_date,
    to_date,
    due_date,
    last_date,
    weekend: place.weekend,
    status: statusOf(due, filed, today),
    filed: filed === null ? null : presentFiledReturn(filed),
    filing_url: filingUrl(due),
    source: place.source,
    source_url: place.source_url,
    verified_at: place.verified_at,
    confidence: place.confidence,
    notes: rule.notes,
  }
}

function presentFiledReturn(filed: FiledPeriod): z.output<typeof FiledObligation> {
  const { id, version, filed_at, submission, submitted_on } = filed
  return { return_id: id, version, filed_at, state: submission ?? 'filed', day: submitted_on }
}

function schemeOf(text: string | null): z.output<typeof Obligation>['scheme'] {
  return SCHEMES.find((scheme) => scheme === text) ?? null
}

function statusOf(
  { to_date, last_date }: DueReturn,
  filed: FiledPeriod | null,
  today: string,
): z.output<typeof ObligationStatus> {
  if (filed !== null && isSubmitted(filed)) return 'filed'
  if (to_date >= today) return 'open'
  return last_date < today ? 'overdue' : 'due'
}

function filingUrl(due: DueReturn): string | null {
  const { place, period } = due
  if (place.return_type === null) return null
  const query = new URLSearchParams({ type: place.return_type, period })
  const jurisdiction_id = jurisdictionOfReturn(due)
  if (jurisdiction_id !== null) query.set('jurisdiction_id', jurisdiction_id)
  return `/v1/reports/filing?${query.toString()}`
}

function presentWithout({ registration, reason }: WithoutDates): z.output<typeof WithoutDatesAnswer> {
  const { id, jurisdiction_id, scheme, filing_frequency } = registration
  return {
    registration_id: id,
    jurisdiction_id,
    scheme: schemeOf(scheme),
    filing_frequency,
    message:
      reason === 'place'
        ? 'The due dates of this place are not in the data'
        : 'The due dates of this frequency are not in the data: set another filing_frequency',
  }
}
