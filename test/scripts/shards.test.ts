import { expect, it } from 'vitest'
import type { BooksDb } from '../../src/platform/database/databases.ts'
import { emptiestShard } from '../../src/platform/database/shard-sizes.ts'

it('the emptiest shard is that with the fewest bytes', async () => {
  const shard = (number: number, bytes: number) => {
    const all = async () => ({ results: [{ accounts: 1 }], meta: { size_after: bytes } })
    return { number, books: { prepare: () => ({ all }) } as unknown as BooksDb }
  }
  expect((await emptiestShard([shard(0, 900), shard(1, 200), shard(2, 300)])).number).toBe(1)
})
