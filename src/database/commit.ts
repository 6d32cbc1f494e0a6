import type { Context } from '../context.ts'
import { guardFailure } from './guard.ts'
import { storeAnswer } from './idempotency.ts'
import { newId } from './ids.ts'

/** What a caller did: who, when and by which request stands in the context. */
export type AuditEntry = { action: string; resource_id: string; changed: readonly string[] }

/**
 * The only way in which a caller's deed is written: its changes, its audit event and its idempotent answer in one D1 batch, all or nothing.
 * `answer` is what a replay answers; it must hold no secret.
 */
export async function commit(context: Context, deed: { changes: D1PreparedStatement[]; audit: AuditEntry; answer: object }): Promise<void> {
  const { env, principal, now, request_id, idempotency } = context
  const { action, resource_id, changed } = deed.audit
  const audit = env.DB.prepare(
    'INSERT INTO audit_events (id, account_id, key_id, action, resource_id, changed, request_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ).bind(newId('aud'), principal.account_id, principal.key_id, action, resource_id, JSON.stringify(changed), request_id, now.toISOString())
  try {
    await env.DB.batch([...deed.changes, audit, ...(idempotency === null ? [] : storeAnswer(context, idempotency, deed.answer))])
  } catch (thrown) {
    throw guardFailure(thrown)
  }
}
