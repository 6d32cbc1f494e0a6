import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import type { Answer, DeletedAnswer } from '../../platform/http/answers.ts'
import { eraseCustomer } from './store.ts'

/**
 * Erases a customer with its exemptions and validations. Audit events contain only ids, and transactions keep
 * the address by which they were taxed. Throws not_found.
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
