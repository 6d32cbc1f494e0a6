import type { ControlDb } from '../../src/platform/database/databases.ts'
import { required } from '../../src/platform/database/guard.ts'
import { readHome } from '../../src/platform/database/home-store.ts'
import type { Shard } from '../../src/platform/database/shards.ts'
import { deleteAwayCopy } from '../../src/service/shards/delete-old-copies.ts'
import { requireElsewhere } from '../../src/service/shards/delete-store.ts'
import { readMove, readShardOf } from '../../src/service/shards/moves-store.ts'
import { shardNumbered } from '../shard-numbered.ts'

/**
 * The owner of the fence of a copy that is being deleted. A mover takes its place, and ends the deletion.
 * `keepBooks` refuses a copy with this fence: it has lost rows. In shard 0 the fence stays, because the
 * account's home does.
 */
export const DROPPED = 'dropped'

/**
 * Deletes the copy of an account's books that is left in a shard after `keepBooks`. The control database and
 * both homes must say that the books are elsewhere: they are asked before each slice, and each slice also
 * requires it in its own batch. Can be repeated after a crash. Returns false if there is no copy. Throws an
 * Error if the books are, or may be, in this shard.
 */
export async function dropCopy(
  control: ControlDb,
  shards: readonly Shard[],
  account_id: string,
  number: number,
): Promise<boolean> {
  const copy = shardNumbered(shards, number)
  if ((await readHome(copy.books, account_id)) === null) return false
  const requireLeft = () => refuseUnlessElsewhere(control, shards, account_id, copy)
  await requireLeft()
  await copy.books.batch([
    requireElsewhere(copy.books, number, account_id),
    required(
      copy.books,
      'NOT EXISTS (SELECT 1 FROM move_fences WHERE account_id = ? AND owner <> ?)',
      [account_id, DROPPED],
      'account_moving',
    ),
    copy.books
      .prepare('INSERT OR IGNORE INTO move_fences (account_id, owner) VALUES (?, ?)')
      .bind(account_id, DROPPED),
  ])
  const goOn = async () => {
    await requireLeft()
    return true
  }
  await deleteAwayCopy(copy, account_id, goOn, () => requireDropped(copy, account_id))
  if (number > 0)
    await copy.books
      .prepare('DELETE FROM move_fences WHERE account_id = ? AND owner = ?')
      .bind(account_id, DROPPED)
      .run()
  return true
}

/** A statement that fails its batch unless the copy may still be deleted, by what its own database says. */
function requireDropped({ number, books }: Shard, account_id: string): D1PreparedStatement {
  const condition: string = `EXISTS
      (SELECT 1 FROM accounts WHERE id = ?1 AND home = 'away' AND (?2 > 0 OR shard > 0))
    AND EXISTS (SELECT 1 FROM move_fences WHERE account_id = ?1 AND owner = ?3)`
  return required(books, condition, [account_id, number, DROPPED], 'account_moving')
}

async function refuseUnlessElsewhere(
  control: ControlDb,
  shards: readonly Shard[],
  account_id: string,
  { number, books }: Shard,
): Promise<void> {
  const [shard, home, move] = await Promise.all([
    readShardOf(control, account_id),
    readHome(books, account_id),
    readMove(control, account_id),
  ])
  if (move !== null)
    throw new Error(
      `${account_id} was moved, or is being moved: the service deletes its old copy an hour later`,
    )
  if (shard === null) throw new Error(`The control database has no account ${account_id}`)
  if (shard === number || home !== 'away')
    throw new Error(`Shard ${number} is not a left copy of ${account_id}: its home there is ${home}`)
  const kept = await readHome(shardNumbered(shards, shard).books, account_id)
  if (kept !== 'open')
    throw new Error(`Shard ${shard} should have the books of ${account_id}, and its home there is ${kept}`)
}
