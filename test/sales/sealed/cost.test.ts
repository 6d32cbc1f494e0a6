import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { accountWith, askSealed, BUCKET, count, seal, sellMany, WITH_CHESTS } from './sealed.ts'

keepAccountsIn(0)
await loadTestData()

/** Rows that the database reads for each sale that one run of the job seals. */
async function rowsReadBySealing(sales: number): Promise<number> {
  const { account_id } = await accountWith(sales)
  let rows = 0
  const DB = interceptedDatabase(env.DB, async (trip) => {
    const result = await trip()
    const results = [result].flat() as ({ meta?: { rows_read?: number } } | null)[]
    for (const each of results) rows += each?.meta?.rows_read ?? 0
    return result
  })
  await seal({ DB })
  const sealed = sales - (await count('transactions', account_id))
  expect(sealed).toBeGreaterThan(0)
  return rows / sealed
}

it('reads as many rows to seal a sale, however many the account has', async () => {
  const few = await rowsReadBySealing(40)
  expect(few).toBeGreaterThan(0)
  expect(await rowsReadBySealing(200)).toBeLessThan(1.5 * few)
}, 60_000)

it('reads the blocks of a page alone, if the books have more sales than a page', async () => {
  const { key, account_id } = await accountWith(100)
  while ((await count('transactions', account_id)) > 0) await seal()
  await sellMany(key, 100, 12)
  expect(await count('transactions', account_id)).toBe(12)
  let gets = 0
  const CHESTS = new Proxy(BUCKET, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (name === 'get') gets += 1
      return (...values: unknown[]) => member.apply(target, values) as unknown
    },
  })
  const page = '/v1/reports/transactions?from_date=2026-01-01&to_date=2026-12-31&limit=5'
  const { body } = await askSealed('GET', page, key, undefined, { ...WITH_CHESTS, CHESTS })
  expect(body['transactions']).toHaveLength(5)
  // One run of blocks.
  expect(gets).toBeLessThanOrEqual(6)
}, 60_000)
