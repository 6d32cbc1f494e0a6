import type { Shard } from '../src/platform/database/shards.ts'

export function shardNumbered(shards: readonly Shard[], number: number): Shard {
  const shard = shards.find((each) => each.number === number)
  if (shard === undefined) throw new Error(`wrangler.toml has no binding BOOKS_${number}`)
  return shard
}
