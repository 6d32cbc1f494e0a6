import { unchecked } from '../src/platform/database/databases.ts'
import type { Shard } from '../src/platform/database/shards.ts'

/** The size of a shard's database in bytes, and the number of accounts with their books there. */
export async function readShardSize({ books }: Shard): Promise<{ bytes: number; accounts: number }> {
  const { results, meta } = await unchecked(books)
    .prepare("SELECT count(*) AS accounts FROM accounts WHERE home = 'open'")
    .all<{ accounts: number }>()
  return { bytes: meta.size_after ?? 0, accounts: results[0]?.accounts ?? 0 }
}

/** The shard whose database has the fewest bytes. It gets the books of new accounts. */
export async function emptiestShard(shards: readonly Shard[]): Promise<Shard> {
  const sized = await Promise.all(shards.map(async (shard) => ({ shard, ...(await readShardSize(shard)) })))
  const [emptiest] = sized.toSorted((one, other) => one.bytes - other.bytes)
  if (emptiest === undefined) throw new Error('There is no shard')
  return emptiest.shard
}

export function shardNumbered(shards: readonly Shard[], number: number): Shard {
  const shard = shards.find((each) => each.number === number)
  if (shard === undefined) throw new Error(`wrangler.toml has no binding BOOKS_${number}`)
  return shard
}
