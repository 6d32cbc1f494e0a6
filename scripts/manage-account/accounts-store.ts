import { type AnyDb, type ControlDb, unchecked } from '../../src/platform/database/databases.ts'
import { required } from '../../src/platform/database/guard.ts'
import type { accounts } from '../../src/platform/database/tables/accounts.ts'
import type { Tier } from '../../src/platform/tiers.ts'

export type ManagedAccount = Pick<
  typeof accounts.$inferSelect,
  'id' | 'tier' | 'shard' | 'suspended_at' | 'erased_at' | 'held_at'
>

/** An account; null if there is none with this id. */
export async function readManaged(control: ControlDb, id: string): Promise<ManagedAccount | null> {
  return control
    .prepare('SELECT id, tier, shard, suspended_at, erased_at, held_at FROM accounts WHERE id = ?')
    .bind(id)
    .first<ManagedAccount>()
}

/** A move of the account ?1 that has begun and not ended. One that has ended may have an old copy. */
const UNFINISHED_MOVE = 'SELECT 1 FROM account_moves WHERE account_id = ?1 AND finished_at IS NULL'

/** A statement that fails its batch with account_moving while the books are being moved. */
export function requireNoMove(control: ControlDb, id: string): D1PreparedStatement {
  return required(control, `NOT EXISTS (${UNFINISHED_MOVE})`, [id], 'account_moving')
}

/** Suspends an account, in the control database or in the shard of its books. */
export function suspend(db: AnyDb, id: string, at: string): D1PreparedStatement {
  return unchecked(db)
    .prepare('UPDATE accounts SET suspended_at = coalesce(suspended_at, ?2) WHERE id = ?1')
    .bind(id, at)
}

/** Ends a suspension. An erased account stays suspended. */
export function resume(db: AnyDb, id: string): D1PreparedStatement {
  return unchecked(db)
    .prepare('UPDATE accounts SET suspended_at = NULL WHERE id = ? AND erased_at IS NULL')
    .bind(id)
}

/** Sets a legal hold on an account, in either database; null: ends it. */
export function hold(db: AnyDb, id: string, at: string | null): D1PreparedStatement {
  return unchecked(db)
    .prepare('UPDATE accounts SET held_at = iif(?2 IS NULL, NULL, coalesce(held_at, ?2)) WHERE id = ?1')
    .bind(id, at)
}

export function writeTier(control: ControlDb, id: string, tier: Tier): D1PreparedStatement {
  return control.prepare('UPDATE accounts SET tier = ? WHERE id = ?').bind(tier, id)
}
