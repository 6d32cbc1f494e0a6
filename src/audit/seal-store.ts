import type { AnyDb } from '../database/databases.ts'
import { insertRows } from '../database/insert-rows.ts'
import type { audit_seals } from '../database/tables/audit.ts'
import type { AuditRow, Seal } from './hash-event.ts'

export type NewSeal = typeof audit_seals.$inferSelect

const EVENT = `id, account_id, key_id, action, resource_id, changed, field_values, request_id, created_at`

/** The id of the last event that a tick sealed; null: none yet. */
export async function readProgress(db: AnyDb): Promise<string | null> {
  const row = await db
    .prepare("SELECT sealed_until FROM audit_progress WHERE name = 'seals'")
    .first<{ sealed_until: string }>()
  return row?.sealed_until ?? null
}

/** Events of all accounts with ids from `from` to before `to` that have no seal, oldest first. */
export async function readUnsealed(db: AnyDb, from: string, to: string, limit: number): Promise<AuditRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${EVENT} FROM audit_events
       WHERE id >= ?1 AND id < ?2
         AND NOT EXISTS (SELECT 1 FROM audit_seals WHERE audit_id = audit_events.id)
       ORDER BY id LIMIT ${limit}`,
    )
    .bind(from, to)
    .all<AuditRow>()
  return results
}

/** The last seal of each account that has one in the chain of a shard. */
export async function readLastSeals(
  db: AnyDb,
  chain: number,
  account_ids: readonly string[],
): Promise<(Seal & { account_id: string })[]> {
  const { results } = await db
    .prepare(
      `SELECT last.account_id, last.position, last.hash
       FROM json_each(?1) wanted JOIN audit_seals last
         ON last.account_id = wanted.value AND last.chain = CAST(?2 AS INTEGER)
         AND last.position = (SELECT max(position) FROM audit_seals
           WHERE account_id = wanted.value AND chain = CAST(?2 AS INTEGER))`,
    )
    .bind(JSON.stringify(account_ids), chain)
    .all<Seal & { account_id: string }>()
  return results
}

/**
 * Writes seals, and the progress of the ticks if `until` is given. If two runs seal the same events, the
 * second batch fails as a whole.
 */
export async function insertSeals(db: AnyDb, seals: readonly NewSeal[], until: string | null): Promise<void> {
  const progress = db
    .prepare(
      `INSERT INTO audit_progress (name, sealed_until) VALUES ('seals', ?1)
       ON CONFLICT DO UPDATE SET sealed_until = max(sealed_until, excluded.sealed_until)`,
    )
    .bind(until)
  await db.batch([...insertRows(db, 'audit_seals', seals), ...(until === null ? [] : [progress])])
}

/** A seal with its event, if that is still there. */
export type SealedEvent = NewSeal & { event: AuditRow | null }

/** The chains of an account in a database: one of each shard in which it was at home. */
export async function readChains(db: AnyDb, account_id: string): Promise<number[]> {
  const { results } = await db
    .prepare('SELECT DISTINCT chain FROM audit_seals WHERE account_id = ? ORDER BY chain')
    .bind(account_id)
    .all<{ chain: number }>()
  return results.map(({ chain }) => chain)
}

/** How many events of an account were erased at the end of their retention. */
export async function countErased(db: AnyDb, account_id: string): Promise<number> {
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
  db: AnyDb,
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
export async function readNeverSealed(db: AnyDb, account_id: string, before: string): Promise<string[]> {
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
export async function countRecordedErasures(db: AnyDb, account_id: string): Promise<number> {
  const row = await db
    .prepare(
      `SELECT coalesce(sum(field_values ->> '$.events.old'), 0) AS erased FROM audit_events
       WHERE account_id = ? AND action = 'audit.pruned'`,
    )
    .bind(account_id)
    .first<{ erased: number }>()
  return row?.erased ?? 0
}
