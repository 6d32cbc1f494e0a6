import type { Context } from '../../platform/context.ts'
import { fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { cursorPage } from '../../platform/http/page.ts'
import { todayIn } from '../../platform/kit/time-zone.ts'
import { cursorOfExemption, listExemptions } from '../exemptions/list-store.ts'
import type { AllExemptionsAnswer, ExemptionFilter } from '../exemptions/schemas.ts'
import { searchExemptions } from './exemption-search-store.ts'

/** A page of the exemptions of all customers. Throws invalid_request. */
export async function pageOfAllExemptions(
  context: Context,
  { q, status, state, cursor, limit = 50 }: ExemptionFilter,
): Promise<Answer<typeof AllExemptionsAnswer>> {
  if (status !== undefined && state !== undefined)
    throw fieldError('invalid_request', 'state', 'cannot be given beside status')
  const sought = q === undefined ? undefined : await searchExemptions(context, q)
  const today = todayIn(context.principal.time_zone, context.now)
  const filter = { status, state, cursor, today, ids: sought?.ids }
  const { found, end } = await listExemptions(context, filter, limit)
  const { rows, ...page } = cursorPage(found, limit, (row) => cursorOfExemption(filter, row))
  return {
    exemptions: rows,
    ...(sought !== undefined && { search_complete: sought.complete }),
    ...page,
    // The search of a page has a bound. If the page ends there, the next one begins after the last row read.
    ...(!page.has_more && end !== null && { has_more: true, next_cursor: cursorOfExemption(filter, end) }),
  }
}
