import type { Context } from '../context.ts'
import type { FieldValues } from '../database/audit-values.ts'
import { batchWithEvents, type EventWrite } from '../database/event-writes.ts'
import { guardFailure } from '../database/guard.ts'
import { requireHome } from '../database/home.ts'
import { keptAnswer, storeAnswer } from './idempotency.ts'
import { newId } from '../database/ids.ts'
import { insertRows } from '../database/insert-rows.ts'
import { countStored, type StoredRows } from './usage.ts'
import { requireValidKey } from './valid-key.ts'

/**
 * An action of a caller. The context contains who did it, when, and by which request. `values`: see valuesOf.
 * `account_id`: whose log has it; left out: that of the caller.
 */
export type AuditEntry = {
  account_id?: string
  action: string
  resource_id: string
  changed: readonly string[]
  values?: FieldValues
  /** Left out: a new one. */
  id?: string
}

/** The fields whose values differ. `updated_at` does not count. */
export function changedFields(before: object, after: object): string[] {
  const old = new Map<string, unknown>(Object.entries(before))
  return Object.entries(after).flatMap(([field, value]) =>
    field === 'updated_at' || old.get(field) === value ? [] : [field],
  )
}

/**
 * Writes the changes of a request, an audit event for each resource, and the stored answer for its
 * Idempotency-Key, in one D1 batch: all or nothing. Every write for a caller goes through here. `answer` is
 * the answer of a replay; it must not contain a secret. `stores` counts the rows that have a quota. `events`
 * are written in the same batch, and sent after it. Throws quota_exceeded, account_moving if the account's
 * books are not in this database, and invalid_api_key if it is the control database and the key has ended
 * there.
 */
export async function commit(
  context: Context,
  write: {
    changes: readonly D1PreparedStatement[]
    audit: AuditEntry | readonly AuditEntry[]
    answer: object
    stores?: StoredRows
    events?: readonly EventWrite[]
  },
): Promise<void> {
  const { env, books, written, idempotency, principal } = context
  const { events = [] } = write
  const audit = 'action' in write.audit ? [write.audit] : write.audit
  const kept = idempotency === null ? null : await keptAnswer(context, idempotency, write.answer, audit)
  const guards = [
    ...(written === env.DB && !isLink(principal) ? [requireValidKey(context)] : []),
    ...(written === books ? [requireHome(books, principal.account_id)] : []),
  ]
  const statements = [
    ...guards,
    ...write.changes,
    ...insertRows(
      written,
      'audit_events',
      audit.map((entry) => auditRow(context, entry)),
    ),
  ]
  if (statements.length === guards.length && events.length === 0 && kept === null) return
  statements.push(
    ...countStored(context, write.stores ?? {}, audit.filter(({ account_id }) => !account_id).length, kept),
    ...(kept === null ? [] : storeAnswer(context, kept)),
  )
  try {
    await batchWithEvents(written, statements, events)
  } catch (thrown) {
    throw guardFailure(thrown)
  }
}

/** A link of a customer has no key. Its own batch requires that it is open. */
function isLink({ key_id }: Context['principal']): boolean {
  return key_id.startsWith('creq_')
}

function auditRow({ principal, request_id, now }: Context, entry: AuditEntry) {
  const { account_id = principal.account_id, id = newId('aud'), action, resource_id, changed, values } = entry
  return {
    id,
    account_id,
    key_id: principal.key_id,
    action,
    resource_id,
    changed: JSON.stringify(changed),
    request_id,
    created_at: now.toISOString(),
    field_values: storedValues(values),
  }
}

/** The text of an audit event's values; null: no values are recorded. */
export function storedValues(values: FieldValues = {}): string | null {
  return Object.keys(values).length === 0 ? null : JSON.stringify(values)
}
