import type { ControlDb } from '../../src/platform/database/databases.ts'
import type { Home } from '../../src/platform/database/homes.ts'
import type { Shard } from '../../src/platform/database/shards.ts'
import type { MoveRow } from '../../src/service/shards/moves-store.ts'
import { readAccountPage, readHomesBetween, readLastWrite, readMovesBetween } from './shards-store.ts'

/**
 * Where the databases say that the books of an account are. `shard` null: the control database has no
 * account.
 */
export type Whereabouts = {
  account_id: string
  shard: number | null
  homes: ReadonlyMap<number, Home>
  move: MoveRow | null
}

/**
 * What is wrong with an account. `keep`: the only shard that has its books open, so they are there. Null: a
 * person must decide.
 */
export type ShardFault = { account_id: string; what: string; keep: number | null }

/**
 * What is wrong with the whereabouts of an account; null: the control database, the shards and the move
 * agree. Pure.
 */
export function faultOf({ account_id, shard, homes, move }: Whereabouts): ShardFault | null {
  const fault = (what: string, keep: number | null = null) => ({ account_id, what, keep })
  const with_home = (wanted: Home) =>
    [...homes].flatMap(([number, home]) => (home === wanted ? [number] : []))
  const [open, closing] = [with_home('open'), with_home('closing')]
  const [only] = open
  if (shard === null)
    return open.length === 0
      ? null
      : fault(`shard ${open.join(' and ')} has its books, and no account exists`)
  if (open.length > 1)
    return fault(`shards ${open.join(' and ')} both have its books open; the control database says ${shard}`)
  if (only !== undefined && only !== shard)
    return fault(`its books are open in shard ${only}; the control database says ${shard}`, only)
  if (move !== null && move.finished_at === null)
    return fault(`its move from shard ${move.from_shard} to ${move.to_shard} has not ended`)
  if (only === undefined) return fault(`no database has its books open; the control database says ${shard}`)
  if (closing.length > 0) return fault(`shard ${closing.join(' and ')} is closing, and no move goes on`)
  return null
}

/** The faults of all accounts, and of homes without an account. */
export async function* verifyShards(
  control: ControlDb,
  shards: readonly Shard[],
): AsyncGenerator<{ whereabouts: Whereabouts; fault: ShardFault | null }> {
  let after = ''
  for (;;) {
    const accounts = await readAccountPage(control, after)
    const last = accounts.at(-1)?.id ?? null
    const [moves, ...homes] = await Promise.all([
      readMovesBetween(control, after, last),
      ...shards.map(({ number, books }) => readHomesBetween(books, number, after, last)),
    ])
    const found = homes.flat()
    const byId = Map.groupBy(found, ({ id }) => id)
    const shardOfId = new Map(accounts.map(({ id, shard }) => [id, shard]))
    const moveOf = new Map(moves.map((move) => [move.account_id, move]))
    for (const account_id of new Set([...shardOfId.keys(), ...byId.keys()])) {
      const whereabouts = {
        account_id,
        shard: shardOfId.get(account_id) ?? null,
        homes: new Map((byId.get(account_id) ?? []).map(({ number, home }) => [number, home])),
        move: moveOf.get(account_id) ?? null,
      }
      yield { whereabouts, fault: faultOf(whereabouts) }
    }
    if (last === null) return
    after = last
  }
}

/** The copies of an account that could be its books, each with its home and the moment of its last write. */
export async function describeCopies(
  shards: readonly Shard[],
  { account_id, homes }: Whereabouts,
): Promise<string[]> {
  return Promise.all(
    [...homes].map(async ([number, home]) => {
      const books = shards.find((shard) => shard.number === number)?.books
      const last = books === undefined ? null : await readLastWrite(books, account_id)
      return `shard ${number}: ${home}, last written ${last?.toISOString() ?? 'never'}`
    }),
  )
}
