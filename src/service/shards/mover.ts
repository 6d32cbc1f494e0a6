import type { AnyDb, BooksDb } from '../../platform/database/databases.ts'
import { guardFailure } from '../../platform/database/guard.ts'
import { readHome } from '../../platform/database/home-store.ts'
import { insertHome } from '../../platform/database/new-home-store.ts'
import type { Home } from '../../platform/database/homes.ts'
import { newId } from '../../platform/database/ids.ts'
import { ApiError } from '../../platform/errors.ts'
import { fence, requireFence } from './fence-store.ts'
import type { Installation } from './installation.ts'
import { type OwnedMove, readShardOf, renewLease } from './moves-store.ts'

/** Longer than any one step of a move: a statement of D1 takes at most 30 seconds. */
const LEASE_MS = 90_000

/** What a process needs to move books. `lease_ms`: how long it may be silent before another takes over. */
export type MoverTools = Installation & { clock: () => Date; lease_ms?: number }

/** A process that moves the books of an account, alone. */
export type Mover = {
  tools: MoverTools
  move: OwnedMove
  from: BooksDb
  to: BooksDb
  /** Prolongs the lease if a third of it is over. Throws MoveTaken if another process has it. */
  beat: () => Promise<void>
}

/** Another process moves the account. This one has stopped, and has harmed nothing. */
class MoveTaken extends Error {
  constructor(account_id: string) {
    super(`Another process has taken over the move of ${account_id}`)
  }
}

/**
 * The control database and the shards say different things of an account. No command guesses who is right.
 */
export class HomesDisagree extends Error {
  constructor(account_id: string, what: string) {
    super(
      `The databases disagree about ${account_id}: ${what}. Nothing was changed. ` +
        'Run npm run verify-shards',
    )
  }
}

/** The name of this process as a mover, and the end of a lease that begins now. */
export function newLease({ clock, lease_ms = LEASE_MS }: MoverTools): { owner: string; until: string } {
  return { owner: newId('mov'), until: new Date(clock().getTime() + lease_ms).toISOString() }
}

/**
 * Begins to work under a lease: fences all earlier movers off, then makes sure that the databases agree.
 * Throws MoveTaken, and HomesDisagree.
 */
export async function beginMoving(tools: MoverTools, move: OwnedMove): Promise<Mover> {
  const [from, to] = [tools.shardOf(move.from_shard).books, tools.shardOf(move.to_shard).books]
  let beaten_at = tools.clock().getTime()
  const beat = async (at_once = false) => {
    const now = tools.clock().getTime()
    if (!at_once && now - beaten_at < (tools.lease_ms ?? LEASE_MS) / 3) return
    beaten_at = now
    if (!(await renewLease(tools.control, move, newLease(tools).until))) throw new MoveTaken(move.account_id)
  }
  const mover = { tools, move, from, to, beat: () => beat() }
  try {
    for (const db of [to, from]) await orTaken(move, db.batch(fence(db, move)))
    // A process that slept between its lease and its fence finds out here.
    await beat(true)
    await requireAgreement(mover)
    return mover
  } catch (thrown) {
    await endLease(tools, move)
    throw thrown
  }
}

/** Lets another process take over at once: this one has failed, and did not die. */
export async function endLease({ control, clock }: MoverTools, move: OwnedMove): Promise<void> {
  await renewLease(control, move, clock().toISOString()).catch(() => undefined)
}

async function requireAgreement({ tools, move, from, to }: Mover): Promise<void> {
  const { account_id, from_shard, to_shard, switched_at } = move
  const [shard, old_home, new_home] = await Promise.all([
    readShardOf(tools.control, account_id),
    readHome(from, account_id),
    readHome(to, account_id),
  ])
  const said = `the control database says shard ${shard}, shard ${from_shard} says ${old_home ?? 'nothing'}, \
shard ${to_shard} says ${new_home ?? 'nothing'}`
  const agrees =
    switched_at === null
      ? shard === from_shard && old_home !== null && (new_home === null || new_home === 'away')
      : shard === to_shard && new_home !== null && new_home !== 'closing' && old_home !== 'open'
  if (!agrees) throw new HomesDisagree(account_id, said)
}

/**
 * Runs statements in one batch, if this is still the last mover of the account and the account has this home
 * in the database; null: any home. Throws MoveTaken otherwise.
 */
export async function fencedBatch(
  { move }: Pick<Mover, 'move'>,
  db: AnyDb,
  home: Home | null,
  statements: readonly D1PreparedStatement[],
): Promise<D1Result[]> {
  const results = await orTaken(move, db.batch([requireFence(db, move, home), ...statements]))
  return results.slice(1)
}

/** Makes a home for the copy in the new shard, which is closed until the end. */
export async function prepareHome(mover: Mover): Promise<void> {
  const { tools, move, to } = mover
  await fencedBatch(mover, to, null, [insertHome(to, move.account_id, 'away', tools.clock())])
}

/** The result of a batch, or MoveTaken if one of its guards failed. */
export async function orTaken<T>({ account_id }: OwnedMove, batch: Promise<T>): Promise<T> {
  try {
    return await batch
  } catch (thrown) {
    const failure = guardFailure(thrown)
    throw failure instanceof ApiError ? new MoveTaken(account_id) : thrown
  }
}
