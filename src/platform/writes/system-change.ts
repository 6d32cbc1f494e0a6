import type { AnyDb } from '../database/databases.ts'
import { type AuditEntry, storedValues } from './commit.ts'
import { batchWithEvents, type EventWrite } from '../database/event-writes.ts'
import { guardFailure } from '../database/guard.ts'
import { newId } from '../database/ids.ts'

/** An action of the service on a resource of an account, without a caller. */
type SystemAuditEntry = AuditEntry & { account_id: string }

/**
 * An SQL condition on an audit entry: `entry` has account_id and resource_id. It is evaluated before the
 * changes, in the same transaction, so state in it the condition of the changes.
 */
type EntryCondition = { sql: string; values: readonly (string | number)[] }

/**
 * Writes changes of the service itself and an audit event for each resource, in one D1 batch: all or nothing.
 * Every such write goes through here. The audit events name the key `system` and share one request id. With
 * `only_if`, an entry that fails the condition gets no audit event: for changes that skip rows which a caller
 * changed meanwhile. `events` are written in the same batch, and sent after it. Returns the results of the
 * changes. Throws the reason of a guard among them.
 */
export async function commitSystemChange(
  db: AnyDb,
  now: Date,
  write: {
    changes: D1PreparedStatement[]
    audit: readonly SystemAuditEntry[]
    only_if?: EntryCondition
    events?: readonly EventWrite[]
  },
): Promise<D1Result[]> {
  const audit = auditEvents(db, now, write.audit, write.only_if)
  try {
    const results = await batchWithEvents(db, [...audit, ...write.changes], write.events ?? [])
    return results.slice(audit.length)
  } catch (thrown) {
    throw guardFailure(thrown)
  }
}

function auditEvents(
  db: AnyDb,
  now: Date,
  entries: readonly SystemAuditEntry[],
  { sql, values }: EntryCondition = { sql: 'true', values: [] },
): D1PreparedStatement[] {
  if (entries.length === 0) return []
  const rows = entries.map(({ values: fields, ...entry }) => ({
    ...entry,
    id: newId('aud'),
    changed: JSON.stringify(entry.changed),
    field_values: storedValues(fields),
  }))
  const columns = ['id', 'account_id', 'action', 'resource_id', 'changed', 'field_values']
  const selected = columns.map((name) => `value ->> '$.${name}' AS ${name}`)
  return [
    db
      .prepare(
        `INSERT INTO audit_events (${columns.join(', ')}, key_id, request_id, created_at)
         SELECT ${columns.join(', ')}, 'system', ?2, ?3
         FROM (SELECT ${selected.join(', ')} FROM json_each(?1)) entry
         WHERE ${sql}`,
      )
      .bind(JSON.stringify(rows), newId('req'), now.toISOString(), ...values),
  ]
}
