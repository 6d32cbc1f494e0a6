import { formOf } from '../reports/filing/forms.ts'
import type { DueReturn } from './due-returns.ts'
import type { FiledPeriod } from './store.ts'

/** The jurisdiction of a return: only forms of one state have one. */
export function jurisdictionOfReturn({ registration, place }: DueReturn): string | null {
  return place.return_type !== null && formOf(place.return_type).by_jurisdiction
    ? registration.jurisdiction_id
    : null
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
