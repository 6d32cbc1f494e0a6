import type { ControlDb } from '../../src/database/databases.ts'
import { insertRows } from '../../src/database/insert-rows.ts'
import type { MoveRow } from '../../src/shards/moves-store.ts'

/** The move of an account whose old copy still exists; null if there is none. */
export async function readMove(control: ControlDb, account_id: string): Promise<MoveRow | null> {
  return control.prepare('SELECT * FROM account_moves WHERE account_id = ?').bind(account_id).first<MoveRow>()
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
