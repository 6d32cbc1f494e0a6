import { HAS_OWN_ID } from '../../platform/database/values/audit-ids.ts'
import type { TotalsOf } from '../../sales/transactions/sums/sums-store.ts'
import type { FilingEvents } from './filing-events.ts'

/** The events of the filing of returns, by the id of the return. */
export type EventsOfReturns = { byReturn: ReadonlyMap<string, FilingEvents>; erased: boolean }

/** What the audit log of an account says of all its returns. The index on resources finds the events. */
export async function readFilingEvents({ books, principal }: TotalsOf): Promise<EventsOfReturns> {
  const [events, pruned] = await books.batch([
    books
      .prepare(
        `SELECT resource_id, action, field_values ->> '$.hash.new' AS hash, created_at FROM audit_events
         WHERE account_id = ? AND resource_id >= 'ret_' AND resource_id < 'ret\`' AND ${HAS_OWN_ID}
           AND action IN ('return.filed', 'return.reopened') ORDER BY id`,
      )
      .bind(principal.account_id),
    books
      .prepare(
        `SELECT 1 FROM audit_events
         WHERE account_id = ?1 AND resource_id = ?1 AND ${HAS_OWN_ID} AND action = 'audit.pruned' LIMIT 1`,
      )
      .bind(principal.account_id),
  ])
  const byReturn = new Map<string, FilingEvents>()
  for (const { resource_id, action, hash, created_at } of (events?.results ?? []) as FilingEventRow[]) {
    const known = byReturn.get(resource_id) ?? { filed: null, reopened: false }
    const filed = action === 'return.filed' ? { hash, at: created_at } : known.filed
    byReturn.set(resource_id, { filed, reopened: known.reopened || action === 'return.reopened' })
  }
  return { byReturn, erased: (pruned?.results.length ?? 0) > 0 }
}

type FilingEventRow = { resource_id: string; action: string; hash: string | null; created_at: string }
