import { logFault } from '../../platform/kit/log-fault.ts'
import { abortMove } from './abort-move.ts'
import { finishMove } from './finish-move.ts'
import type { Installation } from './installation.ts'
import { beginMoving, endLease, type MoverTools, newLease } from './mover.ts'
import { type MoveRow, readUnfinishedMoves, takeOver } from './moves-store.ts'

/** The moves that a tick ends, of about 20 statements each. There is hardly ever more than one. */
const ENDED_MAX = 3
/** The moves that a tick names in the log. */
const NAMED_MAX = 10
/** A mover that was silent for so long after its lease is dead: nobody runs the command again. */
const SILENT_MS = 10 * 60_000
/**
 * Slices of copies that a tick deletes, of eight statements each. What remains waits for the next tick. All
 * jobs of a tick together have 1,000 statements.
 */
const SLICES_MAX = 30

/**
 * Names the moves that have not ended in the log, and ends those whose process has died: a move that has
 * switched is finished, another one is undone. So no account waits for its writes until somebody looks.
 */
export async function endDeadMoves(installation: Installation, now: Date): Promise<void> {
  let slices = SLICES_MAX
  let ended = 0
  const silent_since = new Date(now.getTime() - SILENT_MS).toISOString()
  for (const move of await readUnfinishedMoves(installation.control, NAMED_MAX)) {
    logMove(move)
    // An undone move is not given time to go on: only rows of its copy are left.
    const quiet_since = move.aborted_at === null ? silent_since : now.toISOString()
    if (move.leased_until !== null && move.leased_until > quiet_since) continue
    if (ended === ENDED_MAX) continue
    try {
      await endMove({ ...installation, clock: () => now }, move, () => slices-- > 0)
      // One that cannot be ended must not stop those after it.
      ended += 1
    } catch (thrown) {
      logFault({ step: 'end a move', account_id: move.account_id }, thrown)
    }
  }
}

function logMove({ account_id, from_shard, to_shard, started_at, closed_at, ...move }: MoveRow): void {
  const state = move.aborted_at === null ? (move.switched_at === null ? 'copies' : 'ends') : 'is undone'
  const about = { account_id, from_shard, to_shard, started_at, closed_at, leased_until: move.leased_until }
  console.warn(JSON.stringify({ level: 'warn', unfinished_move: state, ...about }))
}

async function endMove(tools: MoverTools, { account_id }: MoveRow, goOn: () => boolean): Promise<void> {
  const { owner, until } = newLease(tools)
  const now = tools.clock().toISOString()
  const move = await takeOver(tools.control, { account_id, owner, now, until })
  if (move === null) return
  const mover = await beginMoving(tools, move)
  if (move.switched_at !== null) await finishMove(mover)
  else if (!(await abortMove(mover, goOn))) await endLease(tools, move)
}
