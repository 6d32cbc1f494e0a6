import type { BooksDb } from '../../src/platform/database/databases.ts'
import { HAS_OWN_ID } from '../../src/platform/database/values/audit-ids.ts'

/**
 * Which of these sales the audit log says were replaced, or lost a refund: that of an unfiled period may be
 * deleted, also if the period was filed before and opened again.
 */
export async function readGivenUp(
  books: BooksDb,
  account_id: string,
  transaction_ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { results } = await books
    .prepare(
      `SELECT DISTINCT resource_id FROM audit_events
       WHERE account_id = ?1 AND resource_id IN (SELECT value FROM json_each(?2))
         AND ${HAS_OWN_ID} AND action IN ('transaction.refund_deleted', 'transaction.superseded')`,
    )
    .bind(account_id, JSON.stringify(transaction_ids))
    .all<{ resource_id: string }>()
  return new Set(results.map(({ resource_id }) => resource_id))
}
