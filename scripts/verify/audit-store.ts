import type { AuditRow } from '../../src/platform/audit/hash-event.ts'
import type { NewSeal } from '../../src/platform/audit/seal-store.ts'

/** A seal with its event, if that is still there. */
export type SealedEvent = NewSeal & { event: AuditRow | null }

/** The chains of an account in a database: one of each shard in which it was at home. */
export async function readChains(db: D1Database, account_id: string): Promise<number[]> {
  const { results } = await db
    .prepare('SELECT DISTINCT chain FROM audit_seals WHERE account_id = ? ORDER BY chain')
    .bind(account_id)
    .all<{ chain: number }>()
  return results.map(({ chain }) => chain)
}

/** How many events of an account were erased at the end of their retention. */
export async function countErased(db: D1Database, account_id: string): Promise<number> {
  const row = await db
    .prepare(
      `SELECT count(DISTINCT audit_id) AS erased FROM audit_seals
       WHERE account_id = ? AND erased_at IS NOT NULL`,
    )
    .bind(account_id)
    .first<{ erased: number }>()
  return row?.erased ?? 0
}

/** Seals in a chain of an account after a position, with their events. */
export async function readSealed(
  db: D1Database,
  account_id: string,
  chain: number,
  after: number,
  limit: number,
): Promise<SealedEvent[]> {
  const { results } = await db
    .prepare(
      `SELECT seal.account_id, seal.chain, seal.position, seal.audit_id, seal.hash, seal.sealed_at,
         seal.erased_at, event.id, event.key_id, event.action, event.resource_id, event.changed,
         event.field_values, event.request_id, event.created_at
       FROM audit_seals seal LEFT JOIN audit_events event
         ON event.account_id = seal.account_id AND event.id = seal.audit_id
       WHERE seal.account_id = ?1 AND seal.chain = CAST(?2 AS INTEGER)
         AND seal.position > CAST(?3 AS INTEGER)
       ORDER BY seal.position LIMIT ${limit}`,
    )
    .bind(account_id, chain, after)
    .all<NewSeal & Omit<AuditRow, 'id'> & { id: string | null }>()
  return results.map(({ chain: of, position, audit_id, hash, sealed_at, erased_at, id, ...rest }) => ({
    account_id,
    chain: of,
    position,
    audit_id,
    hash,
    sealed_at,
    erased_at,
    event: id === null ? null : { ...rest, id },
  }))
}

/** Events of an account from before a moment that have no seal: their ids, at most 100. */
export async function readNeverSealed(db: D1Database, account_id: string, before: string): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT id FROM audit_events
       WHERE account_id = ?1 AND id < ?2
         AND NOT EXISTS (SELECT 1 FROM audit_seals WHERE audit_id = audit_events.id)
       ORDER BY id LIMIT 100`,
    )
    .bind(account_id, before)
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/** How many events the audit log of an account says were erased at the end of their retention. */
export async function countRecordedErasures(db: D1Database, account_id: string): Promise<number> {
  const row = await db
    .prepare(
      `SELECT coalesce(sum(field_values ->> '$.events.old'), 0) AS erased FROM audit_events
       WHERE account_id = ? AND action = 'audit.pruned'`,
    )
    .bind(account_id)
    .first<{ erased: number }>()
  return row?.erased ?? 0
}
