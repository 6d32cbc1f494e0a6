import type { ControlDb } from '../database/databases.ts'
import type { Shard } from '../database/shards.ts'
import { deleteHome, readHome } from '../database/home-store.ts'
import { deleteCopy } from './delete-copy.ts'
import { deleteMove, type MoveRow, readEndedMoves, readShardOf } from './moves-store.ts'

/** Longer than any isolate reads from an old shard: an hour, if the control database does not answer. */
const KEPT_MS = 65 * 60_000
/**
 * Slices of one table or another in a tick, of three statements each. All jobs of a tick together have 1,000
 * statements. What remains waits for the next tick.
 */
const SLICES_MAX = 100

/**
 * Deletes the books of accounts that have moved out of a shard, an hour after the move. Until then they
 * answer reads of isolates that have the old shard in memory.
 */
export async function deleteOldCopies(control: ControlDb, shard: Shard, now: Date): Promise<void> {
  let slices = SLICES_MAX
  const before = new Date(now.getTime() - KEPT_MS).toISOString()
  for (const move of await readEndedMoves(control, shard.number, before)) {
    if (!(await isElsewhere(control, shard, move))) continue
    const goOn = () => slices-- > 0
    // Shard 0 has audit events and kept answers of its own, which belong to the account's keys and profile.
    const keep = (table: { shared?: true }) => shard.number === 0 && table.shared === true
    if (!(await deleteCopy(shard.books, move.account_id, goOn, keep))) return
    if (shard.number > 0) await deleteHome(shard.books, move.account_id)
    await deleteMove(control, move.account_id)
  }
}

/** Both databases must say that the account has left, before anything is deleted. */
async function isElsewhere(
  control: ControlDb,
  { number, books }: Shard,
  { account_id }: MoveRow,
): Promise<boolean> {
  return (await readShardOf(control, account_id)) !== number && (await readHome(books, account_id)) === 'away'
}
