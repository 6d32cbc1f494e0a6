import type { Context } from '../context.ts'
import type { audit_events } from '../database/tables/accounts.ts'

type AuditRow = Omit<typeof audit_events.$inferSelect, 'account_id'>
export type AuditEvent = Omit<AuditRow, 'changed'> & { changed: string[] }

type AuditFilter = {
  resource_id?: string | undefined
  from_date?: string | undefined
  to_date?: string | undefined
  cursor?: string | undefined
  limit: number
}

/**
 * A page of an account's audit events before `cursor`, newest first: those of its books, and those of its
 * account, keys and registrations, which are in the control database.
 */
export async function listAuditEvents(
  { env, books, principal }: Context,
  filter: AuditFilter,
): Promise<AuditEvent[]> {
  const databases = [...new Set([books, env.DB])]
  const pages = await Promise.all(databases.map((db) => readPage(db, principal.account_id, filter)))
  // An account that has left shard 0 has some events in both.
  const events = new Map(pages.flat().map((event) => [event.id, event]))
  const newest = [...events.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1))
  return newest.slice(0, filter.limit)
}

async function readPage(db: D1Database, account_id: string, filter: AuditFilter): Promise<AuditEvent[]> {
  const { results } = await db
    .prepare(
      `SELECT id, key_id, action, resource_id, changed, request_id, created_at FROM audit_events
       WHERE account_id = ?1 AND (?2 IS NULL OR resource_id = ?2) AND (?3 IS NULL OR created_at >= ?3)
         AND (?4 IS NULL OR substr(created_at, 1, 10) <= ?4) AND (?5 IS NULL OR id < ?5)
       ORDER BY id DESC LIMIT ?6`,
    )
    .bind(
      account_id,
      filter.resource_id ?? null,
      filter.from_date ?? null,
      filter.to_date ?? null,
      filter.cursor ?? null,
      filter.limit,
    )
    .all<AuditRow>()
  return results.map((row) => ({ ...row, changed: JSON.parse(row.changed) }))
}
