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

/** Whether a return that covers all days of a due one was filed with the tax office. */
export function isReturnFiled(due: DueReturn, filed: readonly FiledPeriod[]): boolean {
  const kept = filedReturnOf(due, filed)
  return kept !== null && isSubmitted(kept)
}

/** The filed return that covers all days of a due one; null: it is not filed here. */
export function filedReturnOf(due: DueReturn, filed: readonly FiledPeriod[]): FiledPeriod | null {
  const jurisdiction_id = jurisdictionOfReturn(due) ?? ''
  const covering = filed.find(
    (each) =>
      each.type === due.place.return_type &&
      each.jurisdiction_id === jurisdiction_id &&
      each.from_date <= due.from_date &&
      each.to_date >= due.to_date,
  )
  return covering ?? null
}
