import type { Context } from '../context.ts'
import { commit } from '../database/commit.ts'
import { guarded } from '../database/guard.ts'
import type { Answer, DeletedAnswer } from '../http/answers.ts'
import { eraseCustomer } from './store.ts'

/**
 * Erases the person with its exemptions and validations. Audit events name ids alone, and transactions keep
 * the address that they were taxed by.
 */
export async function deleteCustomer(context: Context, id: string): Promise<Answer<typeof DeletedAnswer>> {
  const { belongings, customer } = eraseCustomer(context, id)
  const answer: Answer<typeof DeletedAnswer> = { id, deleted: true }
  await commit(context, {
    changes: [...belongings, ...guarded(context.books, customer, 'not_found')],
    stores: { customers: -1 },
    audit: { action: 'customer.deleted', resource_id: id, changed: [] },
    answer,
  })
  return answer
}
