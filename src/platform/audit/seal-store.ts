import { type AnyDb, unchecked } from '../database/databases.ts'
import { notMoving } from '../database/home.ts'
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

/**
 * Events of all accounts with ids from `from` to before `to` that have no seal, oldest first. Without those
 * of accounts that are moving: a copy of events and seals must not change.
 */
export async function readUnsealed(db: AnyDb, from: string, to: string, limit: number): Promise<AuditRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${EVENT} FROM audit_events
       WHERE id >= ?1 AND id < ?2
         AND NOT EXISTS (SELECT 1 FROM audit_seals WHERE audit_id = audit_events.id)
         AND ${notMoving('audit_events.account_id')}
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

/** The columns of a seal, in the order of the table. */
const SEAL = ['account_id', 'chain', 'position', 'audit_id', 'hash', 'sealed_at', 'erased_at'] as const

/**
 * Writes the seals of accounts that are not moving, and the progress of the ticks if `until` is given. If two
 * runs seal the same events, the second batch fails as a whole.
 */
export async function insertSeals(db: AnyDb, seals: readonly NewSeal[], until: string | null): Promise<void> {
  const progress = db
    .prepare(
      `INSERT INTO audit_progress (name, sealed_until) VALUES ('seals', ?1)
       ON CONFLICT DO UPDATE SET sealed_until = max(sealed_until, excluded.sealed_until)`,
    )
    .bind(until)
  await db.batch([insertSealsAtHome(db, seals), ...(until === null ? [] : [progress])])
}

/** A page of seals is far below the 2 MB of a bound value. */
function insertSealsAtHome(db: AnyDb, seals: readonly NewSeal[]): D1PreparedStatement {
  const values = SEAL.map((name) => `value ->> '$.${name}' AS ${name}`)
  return unchecked(db)
    .prepare(
      `INSERT INTO audit_seals (${SEAL.join(', ')})
       SELECT * FROM (SELECT ${values.join(', ')} FROM json_each(?)) seal
       WHERE ${notMoving('seal.account_id')}`,
    )
    .bind(JSON.stringify(seals))
}
