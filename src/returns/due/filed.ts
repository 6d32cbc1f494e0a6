import { daysAfter } from '../../platform/kit/calendar.ts'
import { formOf } from '../forms/forms.ts'
import { type DueReturn, placeOfRegistration } from './due-returns.ts'
import type { FilingPlace } from './filing-calendar.ts'
import type { FiledPeriod, Mark } from './store.ts'

/** The jurisdiction of a return: only forms of one state have one. */
export function jurisdictionOfReturn({ registration, place }: DueReturn): string | null {
  return jurisdictionFiled(place, registration.jurisdiction_id)
}

/** The jurisdiction of the returns of a registration at a place. */
export function jurisdictionFiled(place: FilingPlace, registered: string | null): string | null {
  return place.return_type !== null && formOf(place.return_type).by_jurisdiction
    ? (registered ?? place.jurisdiction_id)
    : null
}

/** Whether the tax office has a return. One that is kept but open or reviewed is still to be filed. */
function isSubmitted({ submission }: FiledPeriod): boolean {
  return submission === null || submission === 'filed' || submission === 'paid'
}

/** What is done of the obligations of an account: its filed returns and its marks, by what they are of. */
type Done = {
  filed: ReadonlyMap<string, readonly FiledPeriod[]>
  marks: ReadonlyMap<string, readonly Mark[]>
}

export function doneOf(filed: readonly FiledPeriod[], marks: readonly Mark[]): Done {
  return {
    filed: Map.groupBy(filed, (each) => keyOf({ ...each, document: 'return' })),
    marks: Map.groupBy(marks, keyOf),
  }
}

type OfForm = Pick<Mark, 'document' | 'type' | 'jurisdiction_id'>

function keyOf({ document, type, jurisdiction_id }: OfForm): string {
  return `${document} ${type} ${jurisdiction_id}`
}

/** Names what an obligation is of. */
export function formKeyOf(of: DueReturn | OfForm): string {
  return keyOf('registration' in of ? formOfDue(of) : of)
}

/** What the marks and the filed returns of an obligation name. A place without a form stands for itself. */
export function formOfDue(due: DueReturn): OfForm {
  const { document, place, registration } = due
  const type = place.return_type
  if (type === null) return { document, type: '', jurisdiction_id: placeOfRegistration(registration) }
  return { document, type, jurisdiction_id: jurisdictionOfReturn(due) ?? '' }
}

export const OBLIGATION_STATUSES = ['open', 'due', 'overdue', 'filed', 'set_aside'] as const
type ObligationStatus = (typeof OBLIGATION_STATUSES)[number]

/** An obligation with what is known of it. `mark`: what the caller decided, also if it counts no more. */
export type Obliged = {
  due: DueReturn
  status: ObligationStatus
  filed: FiledPeriod | null
  mark: Mark | null
}

/**
 * What is known of an obligation. It is open until it is filed, or set aside: all of its days, by one
 * return or by several after the frequency changed. A mark counts no more after a sale that it concerns was
 * recorded. All views of what is open ask this function.
 */
export function obligedOf(due: DueReturn, done: Done, today: string): Obliged {
  const key = keyOf(formOfDue(due))
  const filed = touching(due, done.filed.get(key) ?? [])
  const marks = touching(due, done.marks.get(key) ?? [])
  return {
    due,
    status: statusOf(due, filed, marks, today),
    filed: filed.find((each) => isWhole(due, each)) ?? null,
    mark: marks.find((each) => isWhole(due, each)) ?? null,
  }
}

function statusOf(
  due: DueReturn,
  filed: readonly FiledPeriod[],
  marks: readonly Mark[],
  today: string,
): ObligationStatus {
  const counting = marks.filter(({ late }) => late === 0)
  const submitted = [...filed.filter(isSubmitted), ...counting.filter(({ state }) => state === 'filed')]
  if (covers(due, inOrder(submitted))) return 'filed'
  if (counting.length > 0 && covers(due, inOrder([...submitted, ...counting]))) return 'set_aside'
  return statusByDays(due, today)
}

type Span = { from_date: string; to_date: string }

/** Those that have days of an obligation. */
function touching<Each extends Span>({ from_date, to_date }: DueReturn, all: readonly Each[]): Each[] {
  return all.filter((each) => each.from_date <= to_date && each.to_date >= from_date)
}

function isWhole(due: DueReturn, { from_date, to_date }: Span): boolean {
  return from_date <= due.from_date && to_date >= due.to_date
}

/** The filed return that covers all days of a due one; null: it is not filed here. */
export function filedReturnOf(due: DueReturn, filed: readonly FiledPeriod[]): FiledPeriod | null {
  const { type, jurisdiction_id } = formOfDue(due)
  const own = filed.find(
    (each) => each.type === type && each.jurisdiction_id === jurisdiction_id && isWhole(due, each),
  )
  return own ?? null
}

function statusByDays({ to_date, last_date }: DueReturn, today: string): ObligationStatus {
  if (to_date >= today) return 'open'
  return last_date < today ? 'overdue' : 'due'
}

/** Whether an obligation is still to be done. */
export function isOpen({ status }: Pick<Obliged, 'status'>): boolean {
  return status !== 'filed' && status !== 'set_aside'
}

/** Whether spans, in the order of their days, contain all days of an obligation. */
function covers({ from_date, to_date }: DueReturn, spans: readonly Span[]): boolean {
  let next = from_date
  // Each continues where those before it end.
  for (const span of spans)
    if (span.from_date <= next && span.to_date >= next) next = daysAfter(span.to_date, 1)
  return next > to_date
}

function inOrder(spans: readonly Span[]): Span[] {
  return spans.toSorted((a, b) => (a.from_date < b.from_date ? -1 : 1))
}
