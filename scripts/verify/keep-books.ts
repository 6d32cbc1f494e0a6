import { type BooksDb, type ControlDb, unchecked } from '../../src/platform/database/databases.ts'
import { required } from '../../src/platform/database/guard.ts'
import { readHome } from '../../src/platform/database/home-store.ts'
import type { Shard } from '../../src/platform/database/shards.ts'
import { doListAgain } from '../../src/service/erasures/list-store.ts'
import { writeHome } from '../../src/service/shards/fence-store.ts'
import { readMove } from '../../src/service/shards/moves-store.ts'
import { shardNumbered } from '../shard-numbered.ts'
import { DROPPED } from './drop-copy.ts'

/**
 * Decides after a restore that the books of an account are those in one shard. All other copies are closed,
 * and none is deleted. Can be repeated after a crash, and decided anew. Throws an Error if the shard has no
 * books of the account or has lost a part of them to `dropCopy`, or if a move that has not ended could still
 * delete a copy.
 */
export async function keepBooks(
  control: ControlDb,
  shards: readonly Shard[],
  account_id: string,
  number: number,
): Promise<void> {
  const kept = shardNumbered(shards, number).books
  if ((await readHome(kept, account_id)) === null)
    throw new Error(`Shard ${number} has no books of ${account_id}`)
  await refuseDropped(kept, account_id, number)
  const now = new Date().toISOString()
  const lease = (await readMove(control, account_id))?.leased_until ?? ''
  if (lease > now) throw new Error(`A process moves ${account_id}: wait until ${lease}, or end it`)
  // Closed first: two open copies could both get writes. Without a fence, no mover can write any more.
  for (const { number: other, books } of shards)
    await books.batch([
      books.prepare('DELETE FROM move_fences WHERE account_id = ? AND owner <> ?').bind(account_id, DROPPED),
      ...(other === number ? [] : [writeHome(books, account_id, 'away')]),
    ])
  await control.batch([
    required(
      control,
      `NOT EXISTS (SELECT 1 FROM account_moves WHERE account_id = ?1 AND leased_until > ?2)`,
      [account_id, now],
      'account_moving',
    ),
    control.prepare('DELETE FROM account_moves WHERE account_id = ?').bind(account_id),
    unchecked(control).prepare('UPDATE accounts SET shard = ? WHERE id = ?').bind(number, account_id),
  ])
  await kept.batch([
    required(
      kept,
      'NOT EXISTS (SELECT 1 FROM move_fences WHERE account_id = ? AND owner = ?)',
      [account_id, DROPPED],
      'account_moving',
    ),
    writeHome(kept, account_id, 'open'),
    // Whoever was erased while the books were elsewhere.
    doListAgain(kept),
  ])
}

/** A copy that is being deleted, or was, has no longer all rows. */
async function refuseDropped(books: BooksDb, account_id: string, number: number): Promise<void> {
  const dropped = await books
    .prepare('SELECT 1 AS dropped FROM move_fences WHERE account_id = ? AND owner = ?')
    .bind(account_id, DROPPED)
    .first()
  if (dropped !== null)
    throw new Error(
      `The copy of ${account_id} in shard ${number} was dropped, or a part of it: keep another one`,
    )
}
