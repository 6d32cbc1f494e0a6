import type { ControlDb } from '../../platform/database/databases.ts'
import { guarded } from '../../platform/database/guard.ts'
import type { account_moves } from '../../platform/database/tables/accounts.ts'

export type MoveRow = typeof account_moves.$inferSelect

/** A move that this process may continue, as long as it renews its lease. */
export type OwnedMove = MoveRow & { owner: string }

/** The move of an account whose old copy still exists; null if there is none. */
export async function readMove(control: ControlDb, account_id: string): Promise<MoveRow | null> {
  return control.prepare('SELECT * FROM account_moves WHERE account_id = ?').bind(account_id).first<MoveRow>()
}

/** The shard of an account; null if there is no such account. */
export async function readShardOf(control: ControlDb, account_id: string): Promise<number | null> {
  return control.prepare('SELECT shard FROM accounts WHERE id = ?').bind(account_id).first<number>('shard')
}

/** The moves that have not ended, the oldest first. */
export async function readUnfinishedMoves(control: ControlDb, limit: number): Promise<MoveRow[]> {
  const { results } = await control
    .prepare('SELECT * FROM account_moves WHERE finished_at IS NULL ORDER BY started_at LIMIT ?')
    .bind(limit)
    .all<MoveRow>()
  return results
}

/** The moves out of a shard that switched before a moment, and have ended. */
export async function readEndedMoves(
  control: ControlDb,
  from_shard: number,
  before: string,
): Promise<MoveRow[]> {
  const { results } = await control
    .prepare(
      `SELECT * FROM account_moves
       WHERE from_shard = ? AND switched_at < ? AND finished_at IS NOT NULL LIMIT 10`,
    )
    .bind(from_shard, before)
    .all<MoveRow>()
  return results
}

type NewMove = Pick<OwnedMove, 'account_id' | 'from_shard' | 'to_shard' | 'started_at' | 'owner'> & {
  leased_until: string
}

/** Begins a move, unless one has begun, or the account is elsewhere, suspended or held. Says if it did. */
export async function insertMove(control: ControlDb, move: NewMove): Promise<boolean> {
  const { meta } = await control
    .prepare(
      `INSERT OR IGNORE INTO account_moves
         (account_id, from_shard, to_shard, started_at, owner, leased_until)
       SELECT id, shard, ?3, ?4, ?5, ?6 FROM accounts
       WHERE id = ?1 AND shard = ?2 AND suspended_at IS NULL AND held_at IS NULL`,
    )
    .bind(move.account_id, move.from_shard, move.to_shard, move.started_at, move.owner, move.leased_until)
    .run()
  return meta.changes === 1
}

/** Takes the place of the process that moved, if its lease has ended. Returns the move; null: it has not. */
export async function takeOver(
  control: ControlDb,
  { account_id, owner, now, until }: { account_id: string; owner: string; now: string; until: string },
): Promise<OwnedMove | null> {
  return control
    .prepare(
      `UPDATE account_moves SET owner = ?2, leased_until = ?4
       WHERE account_id = ?1 AND (leased_until IS NULL OR leased_until <= ?3)
         AND (owner IS NULL OR owner < ?2)
       RETURNING *`,
    )
    .bind(account_id, owner, now, until)
    .first<OwnedMove>()
}

/** Prolongs the lease of a mover, or ends it. Returns false if another one has taken its place. */
export async function renewLease(
  control: ControlDb,
  { account_id, owner }: OwnedMove,
  until: string,
): Promise<boolean> {
  const { meta } = await control
    .prepare('UPDATE account_moves SET leased_until = ? WHERE account_id = ? AND owner = ?')
    .bind(until, account_id, owner)
    .run()
  return meta.changes === 1
}

/** Records since when nothing has changed in the old shard. */
export async function recordClosed(control: ControlDb, move: OwnedMove, at: string): Promise<void> {
  await control
    .prepare(
      'UPDATE account_moves SET closed_at = ? WHERE account_id = ? AND owner = ? AND closed_at IS NULL',
    )
    .bind(at, move.account_id, move.owner)
    .run()
}

const OWN = 'account_id = ? AND owner = ?'

/**
 * Sends all isolates that read the account from now on to the new shard. Fails with account_moving if another
 * mover has taken over, or the move is being undone.
 */
export function switchShard(control: ControlDb, move: OwnedMove, at: string): D1PreparedStatement[] {
  const { account_id, owner, from_shard, to_shard } = move
  return [
    ...guarded(
      control,
      control
        .prepare(
          `UPDATE account_moves SET switched_at = ?
           WHERE ${OWN} AND switched_at IS NULL AND aborted_at IS NULL`,
        )
        .bind(at, account_id, owner),
      'account_moving',
    ),
    ...guarded(
      control,
      control
        .prepare('UPDATE accounts SET shard = ? WHERE id = ? AND shard = ?')
        .bind(to_shard, account_id, from_shard),
      'account_moving',
    ),
  ]
}

/** From then on the move can only be undone. Fails with account_moving if it has switched. */
export function recordAborted(control: ControlDb, move: OwnedMove, at: string): D1PreparedStatement[] {
  const update = control
    .prepare(
      `UPDATE account_moves SET aborted_at = coalesce(aborted_at, ?) WHERE ${OWN} AND switched_at IS NULL`,
    )
    .bind(at, move.account_id, move.owner)
  return guarded(control, update, 'account_moving')
}

/** Records that only the old copy is left. */
export async function recordFinished(control: ControlDb, move: OwnedMove, at: string): Promise<void> {
  await control
    .prepare(
      `UPDATE account_moves SET finished_at = coalesce(finished_at, ?), leased_until = ?
       WHERE ${OWN} AND switched_at IS NOT NULL`,
    )
    .bind(at, at, move.account_id, move.owner)
    .run()
}

/** Forgets a move that was undone, if this mover still has it. */
export async function deleteAbortedMove(control: ControlDb, move: OwnedMove): Promise<void> {
  await control
    .prepare(`DELETE FROM account_moves WHERE ${OWN} AND aborted_at IS NOT NULL AND switched_at IS NULL`)
    .bind(move.account_id, move.owner)
    .run()
}

/** Forgets a move whose old copy is deleted. */
export async function deleteEndedMove(control: ControlDb, move: MoveRow): Promise<void> {
  await control
    .prepare('DELETE FROM account_moves WHERE account_id = ? AND from_shard = ? AND finished_at = ?')
    .bind(move.account_id, move.from_shard, move.finished_at)
    .run()
}
