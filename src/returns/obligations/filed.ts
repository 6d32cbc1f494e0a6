import { daysAfter } from '../../platform/kit/calendar.ts'
import { formOf } from '../filing/forms.ts'
import type { DueReturn } from './due-returns.ts'
import type { FilingPlace } from './filing-calendar.ts'
import type { FiledPeriod } from './store.ts'

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
export function isSubmitted({ submission }: FiledPeriod): boolean {
  return submission === null || submission === 'filed' || submission === 'paid'
}

/**
 * Whether all days of a due return were filed with the tax office: by one return, or by several after the
 * frequency changed.
 */
export function isReturnFiled(due: DueReturn, filed: readonly FiledPeriod[]): boolean {
  const own = filed.filter((each) => isOfForm(due, each) && isSubmitted(each))
  // In the order of their days: each continues where those before it end.
  let next = due.from_date
  for (const { from_date, to_date } of own.toSorted((a, b) => (a.from_date < b.from_date ? -1 : 1)))
    if (from_date <= next && to_date >= next) next = daysAfter(to_date, 1)
  return next > due.to_date
}

function isOfForm(due: DueReturn, { type, jurisdiction_id }: FiledPeriod): boolean {
  return type === due.place.return_type && jurisdiction_id === (jurisdictionOfReturn(due) ?? '')
}

/** The filed return that covers all days of a due one; null: it is not filed here. */
export function filedReturnOf(due: DueReturn, filed: readonly FiledPeriod[]): FiledPeriod | null {
  const covering = filed.find(
    (each) => isOfForm(due, each) && each.from_date <= due.from_date && each.to_date >= due.to_date,
  )
  return covering ?? null
}
