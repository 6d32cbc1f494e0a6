import { readHome } from '../../src/platform/database/home-store.ts'
import { abortMove } from '../../src/service/shards/abort-move.ts'
import { drain, writeHome } from '../../src/service/shards/fence-store.ts'
import { finishMove } from '../../src/service/shards/finish-move.ts'
import {
  endLease,
  fencedBatch,
  type Mover,
  type MoverTools,
  orTaken,
  prepareHome,
} from '../../src/service/shards/mover.ts'
import { readMove, recordClosed, switchShard } from '../../src/service/shards/moves-store.ts'
import { MOVED_TABLES } from '../../src/service/shards/tables.ts'
import { beginMove } from './begin-move.ts'
import { insertCopies, readRows } from './copy-store.ts'
import { copyWords } from './copy-words.ts'
import { differenceOf } from './difference.ts'
import { copySharedEvents } from './events-store.ts'
import { countLeases } from './leases-store.ts'

/**
 * How the books of an account move. In each database, `accounts.home` says what may be written there: all
 * (`open`), only the outcome of attempts at deliveries that have begun (`closing`), nothing (`away`). In the
 * control database, `accounts.shard` says where requests go, and `account_moves` has the move.
 *
 * One process moves an account. `account_moves.owner` names it, and it renews `leased_until` all the time. A
 * process that takes over writes its name into `move_fences` in both databases first. Each batch of a mover
 * requires its own name there, so a process that was believed dead harms nothing when it wakes up.
 *
 * The states of a move, by old and new home:
 *
 * 1. open, -: the move is recorded. After a crash all goes on as before the move.
 * 2. open, away: the new shard gets a home, and the events for all. No attempt at a delivery begins any more,
 *    and those that have begun end, within a minute. Writes go on.
 * 3. closing, away: writes are refused.
 * 4. away, away: `closed_at` is set. The words of sales and all rows are copied, and the rows compared. A
 *    crash leaves a part of the copy.
 * 5. away, away, and `accounts.shard` names the new shard: `switched_at` is set in the same batch.
 * 6. away, open: the books are open in the new shard. Deliveries of events for all whose fan-out was not
 *    finished are made (`deliverMissed`), then `finished_at` is set.
 * 7. -, open: after 65 minutes the old copy, its home and the move are deleted, in slices that can be
 *    repeated. Shard 0 keeps its row of the account, and the rows that belong to keys and profile.
 *
 * A crash leaves reads unharmed: run the command again, or undo the move with `--abort` before state 5. If
 * nobody does, a tick of the service undoes it after some minutes, or finishes it from state 5 on. An undone
 * move has `aborted_at`: the old home opens first, then the copy is deleted. Each step can be repeated.
 */
export type MoveTools = MoverTools & {
  /** Waits before the next look at attempts at deliveries. */
  wait: () => Promise<void>
}

/** The copied rows, and how long writes were refused. */
type MoveResult = { rows: number; refused_ms: number; switched_at: string }

/**
 * Moves the books of an account to another shard. Call it again after a crash. Throws an Error if a row or a
 * total differs: then the books stay. Throws MoveTaken if another process takes over, and HomesDisagree
 * before it changes anything if the databases contradict each other. Books never move into shard 0, which
 * has rows of its own in some tables.
 */
export async function moveAccount(
  tools: MoveTools,
  account_id: string,
  to_shard: number,
): Promise<MoveResult> {
  const mover = await beginMove(tools, account_id, to_shard)
  try {
    return await runMove(mover, tools.wait)
  } catch (thrown) {
    await endLease(tools, mover.move)
    throw thrown
  }
}

async function runMove(mover: Mover, wait: MoveTools['wait']): Promise<MoveResult> {
  const { tools, move } = mover
  const { control, clock } = tools
  let rows = 0
  if (move.switched_at === null) {
    await prepareHome(mover)
    await copySharedEvents(control, mover.to, clock())
    await closeBooks(mover, wait)
    // The books are closed, so no sale names words that come later.
    await copyWords(mover.from, mover.to, mover.beat)
    rows = await copyBooks(mover)
    await verifyOrAbort(mover)
    await orTaken(move, control.batch(switchShard(control, move, clock().toISOString())))
  }
  const { closed_at = null, switched_at = null } = (await readMove(control, move.account_id)) ?? {}
  if (closed_at === null || switched_at === null)
    throw new Error(`The move of ${move.account_id} has no times`)
  await finishMove({ ...mover, move: { ...move, closed_at, switched_at } })
  return { rows, refused_ms: Date.parse(switched_at) - Date.parse(closed_at), switched_at }
}

/** Waits for the attempts at deliveries that have begun, then refuses all writes. */
async function closeBooks(mover: Mover, wait: MoveTools['wait']): Promise<void> {
  const { tools, move, from } = mover
  const { account_id } = move
  const waitForLeases = async () => {
    while ((await countLeases(from, account_id, tools.clock().toISOString())) > 0) {
      await wait()
      await mover.beat()
    }
  }
  if ((await readHome(from, account_id)) === 'open') {
    await fencedBatch(mover, from, 'open', [drain(from, move)])
    await waitForLeases()
    await fencedBatch(mover, from, 'open', [writeHome(from, account_id, 'closing')])
  }
  await waitForLeases()
  await fencedBatch(mover, from, null, [writeHome(from, account_id, 'away')])
  await recordClosed(tools.control, move, tools.clock().toISOString())
}

/** Copies all rows. Rows that an interrupted copy has written stay. Returns the number of rows. */
async function copyBooks(mover: Mover): Promise<number> {
  const { move, from } = mover
  let copied = 0
  // Side by side, because most books have one page in most tables, and writes are refused meanwhile.
  const first = await Promise.all(
    MOVED_TABLES.map(async (table) => ({ table, page: await readRows(from, table, move.account_id, null) })),
  )
  for (const { table, page: firstPage } of first) {
    let page = firstPage
    for (;;) {
      await insertCopies(mover, table.table, page.rows)
      copied += page.rows.length
      if (page.next === null) break
      await mover.beat()
      page = await readRows(from, table, move.account_id, page.next)
    }
  }
  return copied
}

/** Compares all rows and the totals. If anything differs, undoes the move and throws an Error. */
async function verifyOrAbort(mover: Mover): Promise<void> {
  const fault = await differenceOf(mover)
  if (fault === null) return
  await abortMove(mover)
  throw new Error(`The copy differs, so the books stay where they are: ${fault}`)
}
