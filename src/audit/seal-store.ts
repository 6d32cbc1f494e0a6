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
