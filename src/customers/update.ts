import type { Context } from '../context.ts'
import { commit } from '../database/commit.ts'
import { guarded } from '../database/guard.ts'
import { changedAt, readAgainOnChange } from '../database/read-again.ts'
import type { Answer } from '../http/answers.ts'
import { changeCustomer, presentCustomer } from './customer.ts'
import type { Customer, CustomerBody } from './schemas.ts'
import { readCustomer, replaceCustomer } from './store.ts'

/**
 * Changes the fields that are given, null clears one. Of two updates at once each changes its own fields; of
 * the same field the last wins.
 */
export async function updateCustomer(
  context: Context,
  id: string,
  body: CustomerBody,
): Promise<Answer<typeof Customer>> {
  return readAgainOnChange(async () => {
    const { row: before, exemptions } = await readCustomer(context, 'id', id)
    const after = { ...changeCustomer(before, body), updated_at: changedAt(context.now, before.updated_at) }
    const answer = presentCustomer(after, exemptions)
    await commit(context, {
      changes: guarded(context.books, replaceCustomer(context, before, after), 'concurrent_change'),
      audit: { action: 'customer.updated', resource_id: id, changed: Object.keys(body) },
      answer,
    })
    return answer
  })
}
