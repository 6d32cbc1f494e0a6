import type { Context } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import type { FilingRegistration } from './due-returns.ts'
import { jurisdictionFiled } from './filed.ts'
import { filingPlace } from './filing-calendar.ts'
import { type FiledPeriod, readFiledPeriods } from './store.ts'

type Held = Pick<FilingRegistration, 'jurisdiction_id' | 'scheme' | 'valid_from' | 'valid_to'>

/**
 * Throws registration_in_use if a filed return rests on a registration, and would not after its change.
 * `after` is null if it is deleted. A registration with filed returns is ended, not deleted.
 */
export async function refuseIfFiled(context: Context, before: Held, after: Held | null): Promise<void> {
  const filed = await readFiledPeriods(context.books, [context.principal.account_id], before.valid_from)
  const lost = filed.find((each) => restsOn(each, before) && (after === null || !restsOn(each, after)))
  if (lost !== undefined)
    throw new ApiError('registration_in_use', {
      message: `The filed return ${lost.id} rests on it: end it with valid_to, ${lost.from_date} or later`,
    })
}

/** Whether a filed return declares sales of a registration, on days when it was valid. */
function restsOn(filed: FiledPeriod, { jurisdiction_id, scheme, valid_from, valid_to }: Held): boolean {
  const place = filingPlace(jurisdiction_id ?? scheme ?? '')
  const own = place === null ? null : jurisdictionFiled(place, jurisdiction_id)
  const rests =
    own === null && filed.jurisdiction_id === ''
      ? filed.type === (place?.return_type ?? null)
      : filed.jurisdiction_id === (own ?? jurisdiction_id)
  if (!rests) return false
  return filed.to_date >= valid_from && (valid_to === null || filed.from_date <= valid_to)
}
