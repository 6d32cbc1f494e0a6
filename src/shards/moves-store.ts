import type { ControlDb } from '../database/databases.ts'
import type { account_moves } from '../database/tables/accounts.ts'

export type MoveRow = typeof account_moves.$inferSelect

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

export async function deleteMove(control: ControlDb, account_id: string): Promise<void> {
  await control.prepare('DELETE FROM account_moves WHERE account_id = ?').bind(account_id).run()
}

/** The shard of an account; null if there is no such account. */
export async function readShardOf(control: ControlDb, account_id: string): Promise<number | null> {
  return control.prepare('SELECT shard FROM accounts WHERE id = ?').bind(account_id).first<number>('shard')
}
