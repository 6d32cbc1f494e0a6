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
import { readTaxSoFar } from './so-far.ts'
import { type FiledPeriod, readFiledPeriods, readFilingRegistrations } from './store.ts'

const DAYS_MAX = 400
const DAYS_DEFAULT = 92
/** Periods are at most a year long, and due within four months. */
const LOOK_BACK_DAYS = 500

/** The returns that are due in some days, earliest first. Throws invalid_request for too many days. */
export async function listObligations(
  context: Context,
  query: ObligationsQuery,
): Promise<Answer<typeof ObligationsAnswer>> {
  const { time_zone } = context.principal
  const { from, to } = rangeOf(query, dayIn(time_zone, context.now))
  const { limit = 50, offset = 0 } = query
  const { total, ...found } = await obligationsBetween(context, from, to, { limit, offset })
  return { ...found, from, to, time_zone, ...pageOf(total, limit, offset) }
}

type Found = Pick<Answer<typeof ObligationsAnswer>, 'obligations' | 'without_dates' | 'total'>

/** The returns with due dates of these days, earliest first: all of them, or a page. */
export async function obligationsBetween(
  context: Context,
  from: string,
  to: string,
  page: { limit: number; offset: number } = { limit: Infinity, offset: 0 },
): Promise<Found> {
  const { principal, env, books, now } = context
  const today = dayIn(principal.time_zone, now)
  const [registrations, filed] = await Promise.all([
    readFilingRegistrations(env.DB, principal.account_id),
    readFiledPeriods(books, [principal.account_id], daysAfter(from, -LOOK_BACK_DAYS)),
  ])
  const { due, without_dates } = dueReturns(registrations, principal.periods, from, to)
  const shown = due.slice(page.offset, page.offset + page.limit)
  const soFar = await readTaxSoFar(context, shown)
  return {
    obligations: shown.map((each) => ({
      ...presentDue(each, filedReturnOf(each, filed), today),
      so_far: soFar(each),
    })),
    without_dates: without_dates.map(presentWithout),
    total: due.length,
  }
}

function rangeOf(query: ObligationsQuery, today: string): { from: string; to: string } {
  const from = query.from ?? today
  const to = query.to ?? daysAfter(from, DAYS_DEFAULT)
  const days = daysBetween(from, to)
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
