import type { ControlDb } from '../database/databases.ts'
import { insertRows } from '../database/insert-rows.ts'
import type { account_moves } from '../database/tables/accounts.ts'

export type MoveRow = typeof account_moves.$inferSelect

/** The move of an account whose old copy still exists; null if there is none. */
export async function readMove(control: ControlDb, account_id: string): Promise<MoveRow | null> {
  return control.prepare('SELECT * FROM account_moves WHERE account_id = ?').bind(account_id).first<MoveRow>()
}

/** The moves out of a shard that ended before a moment. */
export async function readEndedMoves(
  control: ControlDb,
  from_shard: number,
  before: string,
): Promise<MoveRow[]> {
  const { results } = await control
    .prepare('SELECT * FROM account_moves WHERE from_shard = ? AND switched_at < ? LIMIT 10')
    .bind(from_shard, before)
    .all<MoveRow>()
  return results
}

/** Begins a move, unless one has begun. */
export async function insertMove(
  control: ControlDb,
  move: Pick<MoveRow, 'account_id' | 'from_shard' | 'to_shard' | 'started_at'>,
): Promise<void> {
  await control.batch(insertRows(control, 'account_moves', [move], 'OR IGNORE'))
}

/** Records since when nothing has changed in the old shard. */
export async function recordClosed(control: ControlDb, account_id: string, at: string): Promise<void> {
  await control
    .prepare('UPDATE account_moves SET closed_at = ? WHERE account_id = ? AND closed_at IS NULL')
    .bind(at, account_id)
    .run()
}

/** Sends all isolates that read the account from now on to the new shard. */
export async function switchShard(control: ControlDb, move: MoveRow, at: string): Promise<void> {
  await control.batch([
    control
      .prepare('UPDATE accounts SET shard = ? WHERE id = ? AND shard = ?')
      .bind(move.to_shard, move.account_id, move.from_shard),
    control
      .prepare('UPDATE account_moves SET switched_at = ? WHERE account_id = ? AND switched_at IS NULL')
      .bind(at, move.account_id),
  ])
}

export async function deleteMove(control: ControlDb, account_id: string): Promise<void> {
  await control.prepare('DELETE FROM account_moves WHERE account_id = ?').bind(account_id).run()
}

/** The shard of an account; null if there is no such account. */
export async function readShardOf(control: ControlDb, account_id: string): Promise<number | null> {
  return control.prepare('SELECT shard FROM accounts WHERE id = ?').bind(account_id).first<number>('shard')
}
