import { env } from 'cloudflare:workers'
import { shardsOf } from '../../../src/platform/database/shards.ts'
import { sealSales } from '../../../src/sales/sealed/seal.ts'
import { askSealed, type Asked, WITH_CHESTS } from '../../sales/sealed/sealed.ts'

/** So small that the sales of a year fill several chests. */
const SIZES = { chest: 20, block: 6, slice: 2 }

/** Reads from a service with a bucket for chests. */
export async function readSealed(
  path: string,
  key: string,
): Promise<Pick<Asked, 'status' | 'body' | 'text'>> {
  return askSealed('GET', path, key)
}

/** Seals all that may be sealed, as ticks of a later year do. Returns how many sales that were. */
export async function sealBooks(): Promise<number> {
  const later = new Date(Date.now() + 500 * 86_400_000)
  let sealed = 0
  for (const shard of shardsOf(env)) {
    const { books } = shard
    // The time zone of the account was set before its sales, so none has to move.
    await books.prepare('DELETE FROM day_changes').run()
    const count = async () =>
      await books
        .prepare('SELECT sum(sales) AS n, count(*) AS chests FROM chests')
        .first<{ n: number; chests: number }>()
    const before = await count()
    for (let [last, now] = [-1, before?.chests ?? 0]; last !== now; now = (await count())?.chests ?? 0) {
      last = now
      await sealSales(WITH_CHESTS, shard, later, SIZES)
    }
    sealed += ((await count())?.n ?? 0) - (before?.n ?? 0)
  }
  return sealed
}
