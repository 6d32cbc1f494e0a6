import type { audit_events } from '../database/tables/audit.ts'
import { sha256 } from '../kit/sha256.ts'

/** An audit event as it is stored. */
export type AuditRow = typeof audit_events.$inferSelect

/** The place of an event in the chain of its account, and its hash. The first event has position 1. */
export type Seal = { position: number; hash: string }

/** Before the first event. */
export const NO_SEAL: Seal = { position: 0, hash: '' }

/**
 * The seal of an event after the seal before it. Its hash covers that seal, so a changed, inserted or removed
 * event shows in all later ones.
 */
export async function sealAfter(before: Seal, event: AuditRow): Promise<Seal> {
  const position = before.position + 1
  const hash = await sha256(
    JSON.stringify([
      before.hash,
      position,
      event.id,
      event.account_id,
      event.key_id,
      event.action,
      event.resource_id,
      event.changed,
      event.field_values,
      event.request_id,
      event.created_at,
    ]),
  )
  return { position, hash }
}
