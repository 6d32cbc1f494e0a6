import { type ActorNames, readActorNames } from '../../platform/audit/actor-names-store.ts'
import { daysAfter, daysBetween } from '../../platform/kit/calendar.ts'
import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { pageOf } from '../../platform/http/page.ts'
import type * as z from 'zod'
import { SCHEMES } from '../../engine/ground/schemes.ts'
import { dayIn } from '../../platform/kit/time-zone.ts'
import { obligationIdOf, type WithoutDates } from '../due/due-returns.ts'
import { isOpen, jurisdictionOfReturn, type Obliged } from '../due/filed.ts'
import type { FilingPlace } from '../due/filing-calendar.ts'
import type {
  FiledObligation,
  FiledStatement,
  SetAside,
  Obligation,
  ObligationsAnswer,
  ObligationsQuery,
  WithoutDatesAnswer,
} from './schemas.ts'
import { obligedAccountOf, type Obligations, readAllObligations } from '../due/open-returns.ts'
import { earlierThan, earliestUnfiled } from '../due/order.ts'
import { readTaxSoFar } from './so-far.ts'
import type { FiledPeriod, Mark } from '../due/store.ts'
import { type OpenAmendment, readAmendments } from '../filing/read-amendments.ts'

const DAYS_MAX = 400
const DAYS_DEFAULT = 92

/**
 * The returns that are due in some days, earliest first. Without a first day, those that are due from today
 * on, and all that are still to be filed. Throws invalid_request for too many days.
 */
export async function listObligations(
  context: Context,
  query: ObligationsQuery,
): Promise<Answer<typeof ObligationsAnswer>> {
  const { time_zone } = context.principal
  const today = dayIn(time_zone, context.now)
  const { from, to } = rangeOf(query, today)
  const { limit = 50, offset = 0, status = null } = query
  const found = await readObligations(context, from, to)
  const wanted = found.obligations.filter((each) =>
    status === null ? from !== null || isShown(each, today) : each.status === status,
  )
  const earlier = earliestUnfiled(found.obligations)
  const amendments = await readAmendments(context, found.filed)
  return {
    obligations: await presentObligations(context, wanted.slice(offset, offset + limit), earlier),
    counts: countsOf(found.obligations),
    without_dates: found.without_dates.map(presentWithout),
    amendments: amendments.map((each) => ({ id: amendmentIdOf(each), ...each })),
    from: found.from,
    to,
    time_zone,
    ...pageOf(wanted.length, limit, offset),
  }
}

function amendmentIdOf({ type, place, period, currency }: OpenAmendment): string {
  return `amd_${type}_${place}_${period}_${currency}`
}

/** Whether the list has it if no days are asked for: it is due from today on, or still to be filed. */
function isShown(each: Obliged, today: string): boolean {
  return each.due.due_date >= today || isOpen(each)
}

/** All obligations of the account that are due on some days, as readAllObligations reads them. */
export async function readObligations(
  context: Context,
  from: string | null,
  to: string,
): Promise<Obligations> {
  return readAllObligations(obligedAccountOf(context), from, to)
}

/** How many obligations have each status. */
export function countsOf(all: readonly Obliged[]): Answer<typeof ObligationsAnswer>['counts'] {
  const counts = { open: 0, due: 0, overdue: 0, filed: 0, set_aside: 0 }
  for (const { status } of all) counts[status] += 1
  return counts
}

/** Obligations as the API shows them, with the tax of each so far: at most 100. */
export async function presentObligations(
  context: Context,
  shown: readonly Obliged[],
  earlier: ReadonlyMap<string, Obliged>,
): Promise<z.output<typeof Obligation>[]> {
  const soFar = await readTaxSoFar(
    context,
    shown.map(({ due }) => due),
  )
  const names = await readNamesOfMarks(context, shown)
  return shown.map((each) => presentWith(each, { so_far: soFar(each.due) ?? [], names, earlier }))
}

/** The names of those who decided about some obligations. */
export function readNamesOfMarks(context: Context, shown: readonly Obliged[]): Promise<ActorNames> {
  return readActorNames(
    context,
    shown.map(({ mark }) => mark?.marked_by ?? null),
  )
}

type Around = {
  so_far: z.output<typeof Obligation>['so_far']
  names: ActorNames
  earlier: ReadonlyMap<string, Obliged>
}

/** An obligation as the API shows it. */
export function presentWith(each: Obliged, { so_far, names, earlier }: Around): z.output<typeof Obligation> {
  return { ...presentObliged(each, names), so_far, earlier_unfiled: earlierThan(each, earlier) }
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

function presentObliged(
  { due, status, filed, mark }: Obliged,
  names: ActorNames,
): Omit<z.output<typeof Obligation>, 'so_far' | 'earlier_unfiled'> {
  const { document, registration, place, rule, period, from_date, to_date, due_date, last_date, falls_on } =
    due
  return {
    id: obligationIdOf(due),
    document,
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
    falls_on,
    weekend: place.weekend,
    status,
    filed: filed === null ? null : presentFiledReturn(filed),
    set_aside: mark?.state === 'set_aside' ? presentSetAside(mark, names) : null,
    statement: mark?.state === 'filed' ? presentStatement(mark, names) : null,
    filing_url: filingUrl(due),
    source: place.source,
    source_url: place.source_url,
    verified_at: place.verified_at,
    confidence: place.confidence,
    currency: place.currency,
    notes: rule.notes,
  }
}

function presentSetAside(
  { reason, marked_at, marked_by, late }: Mark,
  names: ActorNames,
): z.output<typeof SetAside> {
  const by = { set_aside_by: marked_by, set_aside_by_name: names.get(marked_by) ?? null }
  return { reason: reason ?? '', set_aside_at: marked_at, ...by, counts: late === 0 }
}

function presentStatement(
  { day, number, marked_at, marked_by, late }: Mark,
  names: ActorNames,
): z.output<typeof FiledStatement> {
  const by = { told_by: marked_by, told_by_name: names.get(marked_by) ?? null }
  return { day: day ?? '', number, told_at: marked_at, ...by, counts: late === 0 }
}

function presentFiledReturn(filed: FiledPeriod): z.output<typeof FiledObligation> {
  const { id, version, filed_at, submission, submitted_on } = filed
  return { return_id: id, version, filed_at, state: submission ?? 'filed', day: submitted_on }
}

function schemeOf(text: string | null): z.output<typeof Obligation>['scheme'] {
  return SCHEMES.find((scheme) => scheme === text) ?? null
}

function filingUrl(due: Obliged['due']): string | null {
  const { document, place, period } = due
  if (place.return_type === null) return null
  const query = new URLSearchParams({ type: place.return_type, period })
  const jurisdiction_id = jurisdictionOfReturn(due)
  if (jurisdiction_id !== null) query.set('jurisdiction_id', jurisdiction_id)
  if (document === 'return') return `/v1/reports/filing?${query.toString()}`
  query.set('format', document)
  return `/v1/reports/filing/file?${query.toString()}`
}

function presentWithout({ registration, place }: WithoutDates): z.output<typeof WithoutDatesAnswer> {
  const { id, jurisdiction_id, scheme, filing_frequency } = registration
  return {
    registration_id: id,
    jurisdiction_id,
    scheme: schemeOf(scheme),
    filing_frequency,
    message: whyWithout(place),
  }
}

function whyWithout(place: FilingPlace | null): string {
  if (place === null) return 'The due dates of this place are not in the data'
  const { without_day, currency } = place
  if (without_day === null)
    return 'The due dates of this frequency are not in the data: set another filing_frequency'
  const { frequency, notes } = without_day
  return [
    `The usual frequency of this place is ${frequency}, and its due dates are not in the data`,
    ...(notes === null ? [] : [notes]),
    ...(currency === null ? [] : [`It files in ${currency}`]),
  ].join('. ')
}
