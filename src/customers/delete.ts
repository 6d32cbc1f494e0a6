import type { Context } from '../context.ts'
import { commit } from '../database/commit.ts'
import { guarded } from '../database/guard.ts'
import { eraseCustomer } from './store.ts'

/** Erases the person and its exemptions. Audit events name ids alone, and transactions keep the address that they were taxed by. */
export async function deleteCustomer(context: Context, id: string): Promise<object> {
  const [exemptions, customer] = eraseCustomer(context, id)
  const answer = { id, deleted: true }
  await commit(context, {
    changes: [exemptions, ...guarded(context.env.DB, customer, 'not_found')],
    audit: { action: 'customer.deleted', resource_id: id, changed: [] },
    answer,
  })
  return answer
}
