import { readManaged } from '../manage-account/accounts-store.ts'
import type { ControlDb } from '../../src/platform/database/databases.ts'
import { readHome } from '../../src/platform/database/home-store.ts'
import { abortMove } from '../../src/service/shards/abort-move.ts'
import {
  beginMoving,
  HomesDisagree,
  type Mover,
  type MoverTools,
  newLease,
} from '../../src/service/shards/mover.ts'
import {
  insertMove,
  type MoveRow,
  type OwnedMove,
  readMove,
  readShardOf,
  takeOver,
} from '../../src/service/shards/moves-store.ts'

/** Begins a move, or takes the place of a mover that died. Throws an Error that says why it cannot. */
export async function beginMove(tools: MoverTools, account_id: string, to_shard: number): Promise<Mover> {
  const { control, shardOf } = tools
  const from_shard = await readShardOf(control, account_id)
  if (from_shard === null) throw new Error(`There is no account ${account_id}`)
  shardOf(to_shard)
  if (to_shard === 0) throw new Error('Books cannot move to shard 0, which is the control database')
  const begun = await readMove(control, account_id)
  if (begun !== null && begun.aborted_at !== null) {
    await undoMove(tools, account_id)
    return beginMove(tools, account_id, to_shard)
  }
  if (begun === null) return beginMoving(tools, await newMove(tools, account_id, from_shard, to_shard))
  if (begun.to_shard !== to_shard) throw new Error(whyNotElsewhere(begun))
  return beginMoving(tools, await continueMove(tools, account_id))
}

/** Undoes a move that has begun. Throws an Error if it has switched, or if its mover lives. */
export async function undoMove(tools: MoverTools, account_id: string): Promise<void> {
  const begun = await readMove(tools.control, account_id)
  if (begun === null) throw new Error(`There is no move of ${account_id}`)
  if (begun.switched_at !== null)
    throw new Error(
      `The books of ${account_id} have been in shard ${begun.to_shard} since ${begun.switched_at}: ` +
        'this move cannot be undone. Move them back after two hours',
    )
  await abortMove(await beginMoving(tools, await continueMove(tools, account_id)))
}

async function newMove(
  tools: MoverTools,
  account_id: string,
  from_shard: number,
  to_shard: number,
): Promise<OwnedMove> {
  const { control, shardOf, clock } = tools
  if (from_shard === to_shard) throw new Error(`The books of ${account_id} are in shard ${to_shard} already`)
  const homes = await Promise.all(
    [from_shard, to_shard].map((number) => readHome(shardOf(number).books, account_id)),
  )
  const [old_home = null, new_home = null] = homes
  if (old_home !== 'open' || new_home !== null)
    throw new HomesDisagree(
      account_id,
      `shard ${from_shard} says ${old_home ?? 'nothing'}, shard ${to_shard} says ${new_home ?? 'nothing'}`,
    )
  const managed = await readManaged(control, account_id)
  if (managed?.held_at)
    throw new Error(`There is a legal hold on ${account_id}: release it before you move its books`)
  if (managed?.suspended_at)
    throw new Error(`${account_id} is suspended: resume it before you move its books`)
  const { owner, until } = newLease(tools)
  const started_at = clock().toISOString()
  const move = { account_id, from_shard, to_shard, started_at, owner, leased_until: until }
  if (!(await insertMove(control, move))) throw await busy(control, account_id)
  return { ...move, closed_at: null, switched_at: null, aborted_at: null, finished_at: null }
}

async function continueMove(tools: MoverTools, account_id: string): Promise<OwnedMove> {
  const { owner, until } = newLease(tools)
  const now = tools.clock().toISOString()
  const move = await takeOver(tools.control, { account_id, owner, now, until })
  if (move === null) throw await busy(tools.control, account_id)
  return move
}

async function busy(control: ControlDb, account_id: string): Promise<Error> {
  const until = (await readMove(control, account_id))?.leased_until
  return new Error(
    `Another process moves ${account_id}. If it has died, run the command again` +
      (until === undefined || until === null ? '' : ` after ${until}`),
  )
}

function whyNotElsewhere({ account_id, to_shard, switched_at }: MoveRow): string {
  return switched_at === null
    ? `A move of ${account_id} to shard ${to_shard} has begun: end it first, or undo it with --abort`
    : `${account_id} moved at ${switched_at} and has an old copy. Try again in two hours`
}
