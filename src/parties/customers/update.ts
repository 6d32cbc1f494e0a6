import type { Context } from '../../platform/context.ts'
import { valuesOf } from '../../platform/database/audit-values.ts'
import { commit } from '../../platform/writes/commit.ts'
import { guarded } from '../../platform/database/guard.ts'
import { changeRow } from '../../platform/database/read-again.ts'
import type { Answer } from '../../platform/http/answers.ts'
import { changeCustomer, hashedFieldsOf, presentCustomer } from './customer.ts'
import type { Customer, CustomerBody } from './schemas.ts'
import { readCustomer, replaceCustomer } from './store.ts'

/**
 * Changes the given fields; null clears a field. Two updates at once each change their own fields. If both
 * change one field, the later update counts. Throws not_found, invalid_request, external_id_taken.
 */
export async function updateCustomer(
  context: Context,
  id: string,
  body: CustomerBody,
): Promise<Answer<typeof Customer>> {
  const read = async () => {
    const { row, exemptions } = await readCustomer(context, 'id', id)
    return { row, exemptions, updated_at: row.updated_at }
  }
  return changeRow(context, read, async ({ row: before, exemptions }, updated_at) => {
    const after = { ...changeCustomer(before, body), updated_at }
    const answer = presentCustomer(after, exemptions)
    await commit(context, {
      changes: guarded(context.books, replaceCustomer(context, before, after), 'concurrent_change'),
      audit: {
        action: 'customer.updated',
        resource_id: id,
        changed: Object.keys(body),
        values: await valuesOf(before, after, hashedFieldsOf(after)),
      },
      answer,
    })
    return answer
  })
}
