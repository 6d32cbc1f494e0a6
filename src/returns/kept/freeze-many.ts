import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { ApiError, fieldError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { endsRequest, itemErrors, toApiError } from '../../platform/http/error-response.ts'
import { formOf } from '../forms/forms.ts'
import { freezeReturn, ROWS_MAX } from './freeze.ts'
import { presentHead } from './present-filed.ts'
import { readLiveReturns, readReturn } from '../archive/returns-store.ts'
import type { ReturnBatchAnswer, ReturnBatchBody, ReturnOutcome } from './schemas.ts'
import { readToldOfReturn } from './told-of-returns.ts'

type Outcome = Answer<typeof ReturnOutcome>

/**
 * Files the returns of several jurisdictions, one after the other: each is filed or fails alone. Asked again,
 * it files what is left, and names the returns of before. Throws invalid_request for a form of no state.
 */
export async function freezeReturns(
  context: Context,
  body: ReturnBatchBody,
): Promise<Answer<typeof ReturnBatchAnswer>> {
  if (formOf(body.type).by_jurisdiction === false)
    throw fieldError('invalid_request', 'type', 'must be a form of one jurisdiction')
  const errorOf = itemErrors()
  const results: Outcome[] = []
  let rows = 0
  for (const jurisdiction_id of body.jurisdiction_ids) {
    const outcome = await freezeOne(context, body, jurisdiction_id, rows)
    if (outcome instanceof ApiError)
      results.push({ jurisdiction_id, outcome: 'failed', return: null, error: errorOf(outcome) })
    else results.push(outcome)
    rows += results.at(-1)?.return?.row_count ?? 0
  }
  const failed = results.filter(({ outcome }) => outcome === 'failed').length
  const answer = {
    results,
    summary: { total: results.length, succeeded: results.length - failed, failed },
  }
  await commit(context, { changes: [], audit: [], answer })
  return answer
}

/** One return of a batch. Each is written by itself, so only the whole batch answers the Idempotency-Key. */
async function freezeOne(
  context: Context,
  { type, period, fx_rates, submission }: ReturnBatchBody,
  jurisdiction_id: string,
  rows_before: number,
): Promise<Outcome | ApiError> {
  try {
    const filed = await findFiled(context, { type, period, jurisdiction_id })
    if (filed !== null) return { jurisdiction_id, outcome: 'already_filed', return: filed, error: null }
    if (rows_before > ROWS_MAX)
      throw new ApiError('return_too_large', { message: 'The batch has too many lines: file this one apart' })
    const alone = { ...context, idempotency: null }
    const body = { type, period, jurisdiction_id, fx_rates, submission }
    const { figures: _figures, comparison: _comparison, ...head } = await freezeReturn(alone, body)
    return { jurisdiction_id, outcome: 'filed', return: head, error: null }
  } catch (thrown) {
    const error = toApiError(thrown)
    if (endsRequest(error)) throw thrown
    return error
  }
}

/** The return of exactly this period, if it is filed. */
async function findFiled(
  context: Context,
  { type, period, jurisdiction_id }: { type: string; period: string; jurisdiction_id: string },
): Promise<Outcome['return']> {
  const live = await readLiveReturns(context, type, jurisdiction_id)
  const same = live.find((each) => each.period === period)
  const row = same === undefined ? null : await readReturn(context, same.id)
  if (row === null) return null
  return presentHead(row, await readToldOfReturn(context, row))
}
