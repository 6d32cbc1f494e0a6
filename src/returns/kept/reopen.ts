import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/database/commit.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { presentFiled } from './present-filed.ts'
import { readReturn, reopenFiled, type ReturnRow } from '../archive/returns-store.ts'
import type { ReturnAnswer } from './schemas.ts'
import { readToldOfReturn } from './told-of-returns.ts'

/** One return of the account. Throws not_found. */
export async function findReturn(context: Context, id: string): Promise<ReturnRow> {
  const row = await readReturn(context, id)
  if (row === null) throw new ApiError('not_found')
  return row
}

/** Opens a filed period again. Throws return_not_filed if it is open. */
export async function reopenReturn(
  context: Context,
  id: string,
  reason: string,
): Promise<Answer<typeof ReturnAnswer>> {
  const row = await findReturn(context, id)
  if (row.status !== 'filed') throw new ApiError('return_not_filed')
  const reopened_at = context.now.toISOString()
  const reopened = { ...row, status: 'reopened', reopened_at, reopen_reason: reason } as const
  const answer = presentFiled(reopened, await readToldOfReturn(context, row))
  await commit(context, {
    changes: reopenFiled(context, id, reason),
    audit: {
      action: 'return.reopened',
      resource_id: id,
      changed: ['status', 'reopen_reason'],
      values: {
        status: { old: row.status, new: 'reopened' },
        reopen_reason: { old: null, new: reason },
      },
    },
    answer,
  })
  return answer
}
