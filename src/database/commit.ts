import type { Context } from '../context.ts'
import { guardFailure } from './guard.ts'
import { storeAnswer } from './idempotency.ts'
import { newId } from './ids.ts'
import { insertRows } from './insert-rows.ts'

/** What a caller did: who, when and by which request stands in the context. */
export type AuditEntry = { action: string; resource_id: string; changed: readonly string[] }

/** The fields whose value is another than before. That a resource was updated is no change of its own. */
export function changedFields(before: object, after: object): string[] {
  const old = new Map<string, unknown>(Object.entries(before))
  return Object.entries(after).flatMap(([field, value]) =>
    field === 'updated_at' || old.get(field) === value ? [] : [field],
  )
}

/**
 * The only way in which a caller's deed is written: its changes, an audit event for each resource and its
 * idempotent answer in one D1 batch, all or nothing. `answer` is what a replay answers; it must hold no
 * secret.
 */
export async function commit(
  context: Context,
  deed: { changes: D1PreparedStatement[]; audit: AuditEntry | readonly AuditEntry[]; answer: object },
): Promise<void> {
  const { env, idempotency } = context
  const audit = 'action' in deed.audit ? [deed.audit] : deed.audit
  const statements = [
    ...deed.changes,
    ...insertRows(
      env.DB,
      'audit_events',
      audit.map((entry) => auditRow(context, entry)),
    ),
    ...(idempotency === null ? [] : storeAnswer(context, idempotency, deed.answer)),
  ]
  if (statements.length === 0) return
  try {
    await env.DB.batch(statements)
  } catch (thrown) {
    throw guardFailure(thrown)
  }
}

function auditRow({ principal, request_id, now }: Context, { action, resource_id, changed }: AuditEntry) {
  return {
    id: newId('aud'),
    account_id: principal.account_id,
    key_id: principal.key_id,
    action,
    resource_id,
    changed: JSON.stringify(changed),
    request_id,
    created_at: now.toISOString(),
  }
}
