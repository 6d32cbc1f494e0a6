import type { Shard } from '../../platform/database/shards.ts'
import { eachApart } from '../../platform/each-apart.ts'
import { logFault } from '../../platform/kit/log-fault.ts'
import { readHome } from '../../platform/database/home-store.ts'
import { deleteCopy } from './delete-copy.ts'
import { requireElsewhere } from './delete-store.ts'
import { deleteHome } from './fence-store.ts'
import type { Installation } from './installation.ts'
import { deleteEndedMove, type MoveRow, readEndedMoves, readShardOf } from './moves-store.ts'

/** Longer than any isolate reads from an old shard: an hour, if the control database does not answer. */
const KEPT_MS = 65 * 60_000
/**
 * Slices of one table or another in a tick, of four statements each. All jobs of a tick together have 1,000
 * statements. What remains waits for the next tick.
 */
const SLICES_MAX = 60

/**
 * Deletes the books of accounts that have moved out of a shard, an hour after the move. Until then they
 * answer reads of isolates that have the old shard in memory.
 */
export async function deleteOldCopies(installation: Installation, shard: Shard, now: Date): Promise<void> {
  const { control } = installation
  const { number } = shard
  let slices = SLICES_MAX
  const before = new Date(now.getTime() - KEPT_MS).toISOString()
  const end = async (move: MoveRow) => {
    const left = slices > 0 ? await leftHome(installation, shard, move) : 'unclear'
    if (left === 'unclear') return
    // Without a home here, an earlier tick has deleted the copy and died.
    const goOn = async () => slices-- > 0
    if (left === null || (await deleteAwayCopy(shard, move.account_id, goOn)))
      await deleteEndedMove(control, move)
  }
  await eachApart(await readEndedMoves(control, number, before), end, ({ account_id }, thrown) =>
    logFault({ job: 'deleteOldCopies', account_id }, thrown),
  )
}

/**
 * Deletes the books of an account that has left a shard, and its home there, while `goOn` allows it. Returns
 * whether all is gone. `allowed` fails each batch unless that is still right.
 */
export async function deleteAwayCopy(
  { number, books }: Shard,
  account_id: string,
  goOn: () => Promise<boolean>,
  allowed = () => requireElsewhere(books, number, account_id),
): Promise<boolean> {
  const gone = await deleteCopy(
    {
      books,
      account_id,
      allowed,
      // Shard 0 has audit events and kept answers of its own, which belong to the account's keys and profile.
      keep: (table) => number === 0 && table.shared === true,
    },
    goOn,
  )
  if (gone && number > 0) await books.batch([allowed(), deleteHome(books, account_id)])
  return gone
}

/**
 * The home that an account has left. `unclear`: the control database and both homes do not all say that it
 * has, so nothing is deleted.
 */
async function leftHome(
  { control, shardOf }: Installation,
  { books }: Shard,
  { account_id, to_shard }: MoveRow,
): Promise<'away' | null | 'unclear'> {
  const [shard, left, home] = await Promise.all([
    readShardOf(control, account_id),
    readHome(books, account_id),
    readHome(shardOf(to_shard).books, account_id),
  ])
  if (shard !== to_shard || home !== 'open') return 'unclear'
  return left === 'away' || left === null ? left : 'unclear'
}
