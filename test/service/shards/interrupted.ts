import { env } from 'cloudflare:workers'
import { type BooksDb, wholeDb } from '../../../src/platform/database/databases.ts'
import { type Shard, shardOf } from '../../../src/platform/database/shards.ts'
import { moveAccount } from '../../../scripts/move-account/move-account.ts'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { type Owner, tools } from './moving.ts'

/** Databases of which `before` is called before each trip, with its number. */
function paused(before: (trip: number) => Promise<void>) {
  let trips = 0
  const around = <T>(trip: () => Promise<T>) => {
    trips += 1
    return before(trips).then(trip)
  }
  return {
    control: interceptedDatabase(env.DB, around),
    shardOf: (number: number): Shard => {
      const books: BooksDb = interceptedDatabase(wholeDb(shardOf(env, number).books), around)
      return { number, books }
    },
  }
}

export const outcomeOf = (moved: Promise<unknown>) =>
  moved.then(
    () => 'moved',
    (thrown: unknown) => String(thrown),
  )

/** A move, with `inside` called once before trip number `at`. Returns its outcome, and whether it got there. */
export async function moveWith(owner: Owner, at: number, inside: () => Promise<void>) {
  let reached = false
  const databases = paused(async (trip) => {
    if (trip !== at) return
    reached = true
    await inside()
  })
  return { outcome: await outcomeOf(moveAccount(tools(databases), owner.account_id, 2)), reached }
}

/**
 * Moves the books of an account until its process dies at a trip to a database: before it, or after it, when
 * its answer is lost. Returns false if the move ended before.
 */
export async function dieAt(
  owner: Pick<Owner, 'account_id'>,
  last: number,
  lost: boolean,
  to = 2,
): Promise<boolean> {
  let trips = 0
  const dying = (db: D1Database) =>
    interceptedDatabase(wholeDb(db), async (trip) => {
      trips += 1
      if (trips > last || (trips === last && !lost)) throw new Error('killed')
      const answer = await trip()
      if (trips === last) throw new Error('killed')
      return answer
    })
  const shard = (number: number) => ({ number, books: dying(shardOf(env, number).books) })
  return moveAccount(tools({ control: dying(env.DB), shardOf: shard }), owner.account_id, to).then(
    () => false,
    () => true,
  )
}
