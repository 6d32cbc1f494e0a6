import type { AuditEntry } from './commit.ts'
import { guardFailure } from './guard.ts'
import { newId } from './ids.ts'

/** What the service did to a resource of an account, without a caller. */
export type SystemEntry = AuditEntry & { account_id: string }

/**
 * An SQL condition on an entry, of which `entry` has account_id and resource_id. It is read before the
 * changes, in the same transaction: state in it what the changes ask for.
 */
export type EntryCondition = { sql: string; values: readonly (string | number)[] }

/**
 * The only way in which a deed of the service itself is written: its changes and an audit event for each
 * resource in one D1 batch, all or nothing. The audit events name the key `system` and one request id for the
 * whole deed. With `only_if`, entries for which the condition fails leave no audit event: for changes that
 * pass over what a caller has changed meanwhile. Throws what a guard among the changes says.
 */
export async function systemDeed(
  db: D1Database,
  now: Date,
  deed: { changes: D1PreparedStatement[]; audit: readonly SystemEntry[]; only_if?: EntryCondition },
): Promise<void> {
  try {
    await db.batch([...auditEvents(db, now, deed.audit, deed.only_if), ...deed.changes])
  } catch (thrown) {
    throw guardFailure(thrown)
  }
}

function auditEvents(
  db: D1Database,
  now: Date,
  entries: readonly SystemEntry[],
  { sql, values }: EntryCondition = { sql: 'true', values: [] },
): D1PreparedStatement[] {
  if (entries.length === 0) return []
  const rows = entries.map((entry) => ({
    ...entry,
    id: newId('aud'),
    changed: JSON.stringify(entry.changed),
  }))
  const columns = ['id', 'account_id', 'action', 'resource_id', 'changed']
  return [
    db
      .prepare(
        `INSERT INTO audit_events (${columns.join(', ')}, key_id, request_id, created_at)
         SELECT ${columns.join(', ')}, 'system', ?2, ?3
         FROM (SELECT ${columns.map((name) => `value ->> '$.${name}' AS ${name}`).join(', ')} FROM json_each(?1)) entry
         WHERE ${sql}`,
      )
      .bind(JSON.stringify(rows), newId('req'), now.toISOString(), ...values),
  ]
}
