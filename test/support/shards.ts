import { env } from 'cloudflare:workers'
import { type WholeDb, wholeDb } from '../../src/platform/database/databases.ts'
import { type Shard, shardOf, shardsOf } from '../../src/platform/database/shards.ts'

let kept: number | null = null
let made = 0

/** The shard of the next account of a test. Accounts are spread over all shards, unless a test keeps them. */
export function nextShard(): Shard {
  if (kept !== null) return shardOf(env, kept)
  const shards = shardsOf(env)
  made += 1
  return shardOf(env, made % shards.length)
}

/** All later accounts of this test file get their books in one shard: for tests that look into the tables. */
export function keepAccountsIn(number: number): { number: number; books: WholeDb } {
  kept = number
  return { number, books: wholeDb(shardOf(env, number).books) }
}

/** Accounts are spread over all shards again, at the start of a test file. */
export function spreadAccounts(): void {
  kept = null
  made = 0
}
