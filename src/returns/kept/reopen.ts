import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { presentFiled } from './present-filed.ts'
import { findReturn } from '../archive/find-return.ts'
import { reopenFiled } from '../archive/returns-store.ts'
import type { ReturnAnswer } from './schemas.ts'
import { readToldOfReturn } from './told-of-returns.ts'

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
