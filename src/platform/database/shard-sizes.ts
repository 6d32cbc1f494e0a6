import { invariant } from '../../engine/ground/invariant.ts'
import { unchecked } from './databases.ts'
import type { Shard } from './shards.ts'

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
  return invariant(emptiest, 'there is a shard').shard
}
