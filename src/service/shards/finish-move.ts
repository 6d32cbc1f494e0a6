import { deliverMissed } from './missed-deliveries-store.ts'
import { endFence, writeHome } from './fence-store.ts'
import { fencedBatch, type Mover } from './mover.ts'
import { recordFinished } from './moves-store.ts'

/**
 * Ends a move that has switched: opens the books in the new shard, and delivers the events for all that the
 * account would have missed. Can be repeated after a crash.
 */
export async function finishMove(mover: Mover): Promise<void> {
  const { tools, move, from, to } = mover
  const { account_id, closed_at } = move
  await fencedBatch(mover, to, null, [writeHome(to, account_id, 'open')])
  if (closed_at !== null) await deliverMissed(from, to, account_id, closed_at, tools.clock())
  await mover.beat()
  for (const db of [to, from]) await endFence(db, move).run()
  await recordFinished(tools.control, move, tools.clock().toISOString())
}
