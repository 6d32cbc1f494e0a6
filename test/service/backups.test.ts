import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { restoreBackup, wholeRuns } from '../../scripts/backups/restore.ts'
import { type Shard, shardsOf } from '../../src/platform/database/shards.ts'
import { backUp, backUpFiles, pruneBackups } from '../../src/service/backups/backup.ts'
import { readTables } from '../../src/service/backups/backup-store.ts'
import { cleanStores } from '../support/clean-stores.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { fill, ownerIn } from './shards/moving.ts'

const BUCKET = env.TEST_BUCKET
const bindings = { ...env, BACKUPS: BUCKET }
const SHARDS = shardsOf(env)
const NOW = new Date()
const RUN = '2026-11-28'
const tools = { bucket: BUCKET, shards: SHARDS, report: () => undefined }

type Kept = { key: string; bytes: ArrayBuffer; customMetadata: Record<string, string> }

/** All rows of a database, but for what says how far jobs are. */
async function rowsOf({ books }: Shard): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {}
  for (const { name } of await readTables(books)) {
    if (name === 'job_cursors') continue
    const { results } = await (books as unknown as D1Database).prepare(`SELECT * FROM "${name}"`).all()
    rows[name] = results.map((row) => JSON.stringify(row)).toSorted()
  }
  return rows
}

async function keptObjects(): Promise<Kept[]> {
  const { objects } = await BUCKET.list({ include: ['customMetadata'] })
  return Promise.all(
    objects.map(async ({ key, customMetadata = {} }) => ({
      key,
      customMetadata,
      bytes: (await (await BUCKET.get(key))?.arrayBuffer()) ?? new ArrayBuffer(0),
    })),
  )
}

/** An installation without rows, with the bucket of the other one. */
async function emptyInstallation(kept: readonly Kept[]): Promise<void> {
  await cleanStores()
  for (const { key, bytes, customMetadata } of kept) await BUCKET.put(key, bytes, { customMetadata })
}

describe('a backup', () => {
  let before: Record<string, unknown[]>[] = []
  let kept: Kept[] = []
  let owner = { key: '', account_id: '' }

  beforeAll(async () => {
    await loadTestData()
    owner = await ownerIn(1)
    await fill(owner)
    await fill(await ownerIn(0))
    for (const shard of SHARDS) {
      await backUp(bindings, shard, NOW, RUN)
      for (let ticks = 0; ticks < 20; ticks += 1) await backUp(bindings, shard, NOW, null)
    }
    before = await Promise.all(SHARDS.map(rowsOf))
    kept = await keptObjects()
  })

  it('is loaded into an empty installation, row by row equal, and serves', async () => {
    await emptyInstallation(kept)
    expect(await wholeRuns(BUCKET)).toEqual([RUN])
    expect(await restoreBackup(tools, RUN, false)).toBeGreaterThan(100)
    expect(await Promise.all(SHARDS.map(rowsOf))).toEqual(before)
    expect((await call('GET', '/v1/transactions', { key: owner.key })).body['total']).toBeGreaterThan(0)
    await expect(restoreBackup(tools, RUN, false)).rejects.toThrow('has accounts')
    await expect(restoreBackup(tools, RUN, true)).rejects.toThrow('has accounts')
  })

  it('goes on after a death with its own restore alone', async () => {
    await emptyInstallation(kept)
    let gets = 0
    const dying = new Proxy(BUCKET, {
      get: (bucket, name) => {
        if (name === 'get' && (gets += 1) === 12) throw new Error('dead')
        const member: unknown = Reflect.get(bucket, name)
        return typeof member === 'function' ? member.bind(bucket) : member
      },
    })
    await expect(restoreBackup({ ...tools, bucket: dying }, RUN, false)).rejects.toThrow('dead')
    await expect(restoreBackup(tools, RUN, false)).rejects.toThrow('go on with it by --continue')
    for (const { key, bytes, customMetadata } of kept)
      await BUCKET.put(key.replace(RUN, '2026-11-29'), key.endsWith('manifest.json') ? bytes : bytes, {
        customMetadata,
      })
    await expect(restoreBackup(tools, '2026-11-29', true)).rejects.toThrow(`restore of ${RUN} was begun`)
    await restoreBackup(tools, RUN, true)
    expect(await Promise.all(SHARDS.map(rowsOf))).toEqual(before)
  })

  it('is refused if a part was changed, and is none without all of its manifests', async () => {
    await emptyInstallation(kept)
    const part = kept.find(({ key }) => key.includes('/accounts/'))
    await BUCKET.put(part?.key ?? '', new Uint8Array([1, 2, 3]))
    await expect(restoreBackup(tools, RUN, false)).rejects.toThrow('another hash than the manifest')
    await emptyInstallation(kept.filter(({ key }) => !key.endsWith('/1/manifest.json')))
    expect(await wholeRuns(BUCKET)).toEqual([])
    await expect(restoreBackup(tools, RUN, false)).rejects.toThrow('no whole backup')
  })

  it('is deleted after its days, but for the last two', async () => {
    await emptyInstallation([])
    for (const run of ['2026-01-01', '2026-01-02', '2026-01-03'])
      for (const name of ['a', 'b']) await BUCKET.put(`backups/${run}/0/${name}`, 'x')
    await pruneBackups(bindings, NOW)
    const { objects } = await BUCKET.list()
    expect(objects.map(({ key }) => key.split('/')[1])).toEqual([
      '2026-01-02',
      '2026-01-02',
      '2026-01-03',
      '2026-01-03',
    ])
  })

  it('has the files of certificates, once', async () => {
    await emptyInstallation([])
    await BUCKET.put('acc/doc', 'a certificate')
    await backUpFiles({ ...bindings, CERTIFICATES: BUCKET }, true)
    expect(await (await BUCKET.get('files/acc/doc'))?.text()).toBe('a certificate')
  })
})
