import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { makeBackup } from '../../../scripts/backups/make-backup.ts'
import { restoreBackup } from '../../../scripts/backups/restore.ts'
import { verifyAudit } from '../../../scripts/verify/audit.ts'
import { faultsOfChests } from '../../../scripts/verify/chests.ts'
import { verifyReturns } from '../../../scripts/verify/returns.ts'
import { putAwayEvents } from '../../../src/platform/audit/put-away/put-away.ts'
import { sealAuditEvents } from '../../../src/platform/audit/seal.ts'
import { wholeDb } from '../../../src/platform/database/databases.ts'
import { shardOf, shardsOf } from '../../../src/platform/database/shards.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { file, linesInBooks, sealLines, seller, sellMany } from '../../returns/sealed/sealing.ts'
import { move } from '../../service/shards/moving.ts'
import { deleteOldCopies } from '../../../src/service/shards/delete-old-copies.ts'
import { installationOf } from '../../../src/service/shards/installation.ts'
import { cleanStores } from '../../support/clean-stores.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { askSealed, BUCKET, count, putAway, seal, shownOf, wholeLog } from './sealed.ts'
import { differencesOfMonths } from './totals.ts'

keepAccountsIn(0)

type Owner = { key: string; account_id: string }

/** Books with packed events, sealed sales and a sealed return, all in part. */
async function sealedBooks(buckets: { CHESTS?: R2Bucket } = { CHESTS: BUCKET }): Promise<Owner> {
  await cleanStores()
  await loadTestData()
  forgetAll()
  const owner = await seller()
  await sellMany(owner.key, 0, 24)
  await file(owner.key, '2026-Q1')
  await sellMany(owner.key, 24, 3)
  await env.DB.prepare('UPDATE transactions SET searchable = 1').run()
  await sealAuditEvents(shardOf(env, 0), new Date(Date.now() + 86_400_000))
  for (let tick = 0; tick < 4; tick += 1)
    await putAwayEvents(buckets, shardOf(env, 0), new Date(Date.now() + 500 * 86_400_000), 4)
  await sealLines()
  await seal()
  expect(await count('audit_chests', owner.account_id)).toBeGreaterThan(3)
  expect(await count('transactions', owner.account_id)).toBeLessThan(10)
  expect(await linesInBooks(owner.account_id)).toBe(0)
  return owner
}

const PATHS = [
  '/v1/transactions?limit=100&sort=oldest',
  '/v1/returns',
  '/v1/returns/reconciliation',
  '/v1/reports/lines?from_date=2026-01-01&to_date=2026-12-31&limit=100',
  '/v1/reports/filing?type=oss_union&period=2026-Q2',
]

async function shown({ key }: Owner): Promise<unknown[]> {
  const answers: unknown[] = [await wholeLog(key)]
  for (const path of PATHS) answers.push(shownOf(await askSealed('GET', path, key)))
  return answers
}

const later = () => new Date(Date.now() + 3_600_000)

async function expectWhole({ account_id }: Owner): Promise<void> {
  const db = wholeDb(env.DB)
  expect((await verifyAudit(db, account_id, later(), null, { chests: BUCKET })).faults).toEqual([])
  expect(await verifyReturns(env.DB, account_id, { chests: BUCKET })).toEqual([])
  const source = { env: { CHESTS: BUCKET }, books: env.DB, principal: { account_id } }
  expect(await faultsOfChests(source)).toEqual([])
  expect(await differencesOfMonths(account_id)).toEqual([])
}

it.each([
  ['with the bucket of chests', { CHESTS: BUCKET }],
  ['with events in rows of chests', {}],
])('restores books with packed events, sealed sales and sealed returns, %s', async (_, buckets) => {
  const owner = await sealedBooks(buckets)
  const before = await shown(owner)
  await expectWhole(owner)
  const CHESTS = new Proxy(BUCKET, {
    get(bucket, name) {
      const member: unknown = Reflect.get(bucket, name)
      if (name === 'list')
        return async (options: R2ListOptions) => {
          const { objects, ...rest } = await bucket.list(options)
          return { ...rest, objects: objects.filter(({ key }) => /^(books|log|returns)\//.test(key)) }
        }
      return typeof member === 'function' ? member.bind(bucket) : member
    },
  })
  const opened = { db: wholeDb(env.DB), shards: shardsOf(env), kv: env.KV }
  const run = await makeBackup({ ...opened, buckets: { BACKUPS: BUCKET, CHESTS } }, new Date())
  const { objects } = await BUCKET.list({ include: ['customMetadata'] })
  const kept = []
  for (const { key, customMetadata = {} } of objects)
    if (!/^(books|log|returns)\//.test(key))
      kept.push({ key, customMetadata, bytes: await (await BUCKET.get(key))?.arrayBuffer() })
  await cleanStores()
  for (const { key, bytes, customMetadata } of kept)
    await BUCKET.put(key, bytes ?? new ArrayBuffer(0), { customMetadata })
  const tools = { bucket: BUCKET, chests: BUCKET, shards: shardsOf(env), report: () => undefined }
  await restoreBackup(tools, run, false)
  forgetAll()
  await loadTestData()
  expect(await shown(owner)).toEqual(before)
  await expectWhole(owner)
  await putAway({}, 3)
  await seal()
  await sealLines()
  expect(await shown(owner)).toEqual(before)
  await expectWhole(owner)
})

it('stay whole if their account moves, is packed there, and comes back', async () => {
  const owner = await sealedBooks()
  await sellMany(owner.key, 30, 20)
  await sealAuditEvents(shardOf(env, 0), new Date(Date.now() + 86_400_000))
  const before = await shown(owner)
  const at = new Date(Date.now() + 500 * 86_400_000)
  for (const shard of [1, 2, 1]) {
    await move(owner, shard)
    forgetAll()
    const two_hours = new Date(Date.now() + 2 * 3_600_000)
    for (const each of shardsOf(env)) await deleteOldCopies(installationOf(env), each, two_hours)
    expect(await shown(owner), `shard ${shard}`).toMatchObject(before)
    const { number, books } = shardOf(env, shard)
    await putAwayEvents({ CHESTS: BUCKET }, { number, books }, at, 4)
    expect(await shown(owner), `shard ${shard}`).toMatchObject(before)
    for (const db of [env.DB, books as never]) {
      const { faults } = await verifyAudit(wholeDb(db), owner.account_id, later(), null, { chests: BUCKET })
      expect(faults, `shard ${shard}`).toEqual([])
    }
  }
})
