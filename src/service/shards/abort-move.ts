import { readHome } from '../../platform/database/home-store.ts'
import { deleteCopy } from './delete-copy.ts'
import { deleteHome, drain, endFence, requireFence, writeHome } from './fence-store.ts'
import { fencedBatch, HomesDisagree, type Mover, orTaken } from './mover.ts'
import { deleteAbortedMove, readMove, readShardOf, recordAborted } from './moves-store.ts'

/**
 * Undoes a move that has not switched: opens the old books at once, then deletes the copy, while `goOn`
 * allows it. Can be repeated after a crash. Returns whether nothing is left of the move.
 */
export async function abortMove(mover: Mover, goOn: () => boolean = () => true): Promise<boolean> {
  const { tools, move, from, to } = mover
  const { account_id } = move
  await orTaken(move, tools.control.batch(recordAborted(tools.control, move, tools.clock().toISOString())))
  await fencedBatch(mover, from, null, [writeHome(from, account_id, 'open'), drain(from, move, false)])
  if ((await readHome(to, account_id)) === 'away') {
    const gone = await deleteCopy(
      { books: to, account_id, allowed: () => requireFence(to, move, 'away') },
      async () => goOn() && (await mayDelete(mover)),
    )
    if (!gone) return false
    await fencedBatch(mover, to, 'away', [deleteHome(to, account_id)])
  }
  for (const db of [to, from]) await endFence(db, move).run()
  await deleteAbortedMove(tools.control, move)
  return true
}

/** The control database and both homes must say that the old books are in force. Throws HomesDisagree. */
async function mayDelete({ tools, move, from, to, beat }: Mover): Promise<boolean> {
  const { account_id, owner, from_shard } = move
  await beat()
  const [shard, stored, old_home, new_home] = await Promise.all([
    readShardOf(tools.control, account_id),
    readMove(tools.control, account_id),
    readHome(from, account_id),
    readHome(to, account_id),
  ])
  const undone = stored?.owner === owner && stored.aborted_at !== null && stored.switched_at === null
  if (shard === from_shard && undone && old_home === 'open' && new_home === 'away') return true
  throw new HomesDisagree(account_id, 'the move that is being undone is no longer the one that began')
}
