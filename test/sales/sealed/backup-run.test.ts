import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { makeBackup } from '../../../scripts/backups/make-backup.ts'
import { restoreBackup } from '../../../scripts/backups/restore.ts'
import { wholeDb } from '../../../src/platform/database/databases.ts'
import { shardsOf } from '../../../src/platform/database/shards.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { thawSales } from '../../../src/sales/sealed/thaw.ts'
import { backUp } from '../../../src/service/backups/backup.ts'
import { cleanStores } from '../../support/clean-stores.ts'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { accountWith, askSealed, BUCKET, saleOf, seal, sellMany, WITH_CHESTS } from './sealed.ts'
import { differencesOfMonths } from './totals.ts'

keepAccountsIn(0)

/** Backs up all shards. `meanwhile` comes after the tables before one are copied. */
async function backUpAll(table: string, meanwhile: () => Promise<void>): Promise<void> {
  let state: 'before' | 'now' | 'after' = 'before'
  const asking = new Proxy(env.DB, {
    get(db, name) {
      const member: unknown = Reflect.get(db, name)
      if (typeof member !== 'function') return member
      return (...values: unknown[]) => {
        if (state === 'before' && /FROM "(\w+)"\s+WHERE rowid/.exec(String(values[0]))?.[1] === table)
          state = 'now'
        return member.apply(db, values) as unknown
      }
    },
  })
  const books = interceptedDatabase(asking, async (trip) => {
    if (state === 'now') {
      state = 'after'
      await meanwhile()
    }
    return trip()
  })
  for (const { number, ...shard } of shardsOf(env)) {
    const copied = { number, books: number === 0 ? books : shard.books }
    await backUp({ ...env, BACKUPS: BUCKET }, copied, new Date(), 'run')
    for (let ticks = 0; ticks < 20; ticks += 1)
      await backUp({ ...env, BACKUPS: BUCKET }, copied, new Date(), null)
  }
  expect(state).toBe('after')
}

async function restore(): Promise<void> {
  const { objects } = await BUCKET.list({ include: ['customMetadata'] })
  const kept = await Promise.all(
    objects.map(async ({ key, customMetadata = {} }) => ({
      key,
      customMetadata,
      bytes: (await (await BUCKET.get(key))?.arrayBuffer()) ?? new ArrayBuffer(0),
    })),
  )
  await cleanStores()
  for (const { key, bytes, customMetadata } of kept) await BUCKET.put(key, bytes, { customMetadata })
  await restoreBackup({ bucket: BUCKET, shards: shardsOf(env), report: () => undefined }, 'run', false)
  forgetAll()
}

it.each([
  ['chest_refs', 'chests', 500],
  ['transaction_lines', 'transactions', 0],
])('restores sales that came back after the copy of %s', async (_, next, given_back) => {
  await cleanStores()
  await loadTestData()
  forgetAll()
  const { key, account_id } = await accountWith(10)
  await seal()
  await sellMany(key, 10, 1)
  const { body } = await askSealed('GET', '/v1/transactions/external/order-3', key)
  const refund = { amount: 500, reason: 'partial' }
  const refundOf = async () => askSealed('POST', `/v1/transactions/${String(body['id'])}/refund`, key, refund)
  await backUpAll(next, async () => {
    const source = { env: WITH_CHESTS, books: env.DB, principal: { account_id } }
    await thawSales(source, { ids: [], external_ids: ['order-5'] })
    if (given_back > 0) expect((await refundOf()).status).toBe(200)
    else await askSealed('POST', '/v1/transactions', key, saleOf(20))
  })
  await restore()
  const list = await askSealed('GET', '/v1/transactions?limit=50', key)
  const names = (list.body['transactions'] as { external_id: string }[]).map(({ external_id }) => external_id)
  expect(names.toSorted()).toEqual(Array.from({ length: 11 }, (__, index) => `order-${index}`).toSorted())
  for (const name of names)
    expect((await askSealed('GET', `/v1/transactions/external/${name}`, key)).status, name).toBe(200)
  expect(await differencesOfMonths(account_id)).toEqual([])
  const again = await askSealed('GET', '/v1/transactions/external/order-3', key)
  expect(again.body['amount_refunded']).toBe(given_back)
  // And the next chest takes what was thawed: no ref of it is left.
  expect((await refundOf()).status).toBe(200)
  await askSealed('POST', `/v1/transactions/${await idOf(key, 'order-5')}/refund`, key, refund)
  expect(await differencesOfMonths(account_id)).toEqual([])
})

async function idOf(key: string, name: string): Promise<string> {
  return String((await askSealed('GET', `/v1/transactions/external/${name}`, key)).body['id'])
}

it('copies chests that were sealed before there was a bucket of backups', async () => {
  await cleanStores()
  await loadTestData()
  forgetAll()
  const { account_id } = await accountWith(10)
  await seal()
  const chests = async () =>
    (await BUCKET.list({ prefix: `chests/books/${account_id}/` })).objects.map((object) => object.key)
  expect(await chests()).toEqual([])
  // The two buckets are one here: the one of chests has no other files.
  const CHESTS = new Proxy(BUCKET, {
    get(bucket, name) {
      const member: unknown = Reflect.get(bucket, name)
      if (name === 'list')
        return async (options: R2ListOptions) => bucket.list({ ...options, prefix: 'books/' })
      return typeof member === 'function' ? member.bind(bucket) : member
    },
  })
  const shards = shardsOf(env)
  const opened = { db: wholeDb(env.DB), shards, kv: env.KV, buckets: { BACKUPS: BUCKET, CHESTS } }
  await makeBackup(opened, new Date())
  expect(await chests()).toHaveLength(1)
})
