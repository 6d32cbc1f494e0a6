import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { restoreBackup, wholeRuns } from '../../scripts/backups/restore.ts'
import { type Shard, shardsOf } from '../../src/platform/database/shards.ts'
import { backUp, backUpFiles, pruneBackups } from '../../src/service/backups/backup.ts'
import { readTables } from '../../src/service/backups/backup-store.ts'
import { eraseAgain, keepErasures } from '../../src/service/erasures/erase-again.ts'
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

  it('is deleted after its days, but for the last two whole ones', async () => {
    await emptyInstallation([])
    const manifest = JSON.stringify({ shards: [0] })
    for (const run of ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05']) {
      await BUCKET.put(`backups/${run}/0/a`, 'x')
      if (run < '2026-01-04') await BUCKET.put(`backups/${run}/0/manifest.json`, manifest)
    }
    await pruneBackups(bindings, NOW)
    const { objects } = await BUCKET.list()
    const left = new Set(objects.map(({ key }) => key.split('/')[1]))
    // Those of the last days were never done: the older ones are all that there is.
    expect([...left]).toEqual(['2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'])
  })

  it('has the files of certificates, once', async () => {
    await emptyInstallation([])
    await BUCKET.put('acc/doc', 'a certificate')
    await backUpFiles({ ...bindings, CERTIFICATES: BUCKET }, true)
    expect(await (await BUCKET.get('files/acc/doc'))?.text()).toBe('a certificate')
  })
})

/** A bucket that lets something happen right after the first put of a key with these words. */
function meanwhile(words: string, happens: () => Promise<unknown>): R2Bucket {
  let done = false
  return new Proxy(BUCKET, {
    get: (bucket, name) => {
      const member: unknown = Reflect.get(bucket, name)
      if (typeof member !== 'function') return member
      return async (...values: unknown[]) => {
        const result: unknown = await Reflect.apply(member, bucket, values)
        if (name === 'put' && !done && String(values[0]).includes(words)) {
          done = true
          await happens()
        }
        return result
      }
    },
  })
}

describe('a backup of books in use', () => {
  const COUNT = 'SELECT count(*) AS n FROM customers'
  const exempt = async (owner: { key: string }) => {
    const { body } = await call('POST', '/v1/customers', { ...owner, body: { name: 'Ada' } })
    const exemption = {
      jurisdiction_id: 'US-TX',
      exemption_type: 'resale',
      certificate_number: 'C-1',
      valid_from: '2026-01-01',
    }
    await call('POST', `/v1/customers/${String(body['id'])}/exemptions`, { ...owner, body: exemption })
    return String(body['id'])
  }

  it('is loaded although rows came, and others were written again, between its parts', async () => {
    await cleanStores()
    await loadTestData()
    const owner = await ownerIn(0)
    const first = await exempt(owner)
    await exempt(owner)
    const again = async () => {
      await exempt(owner)
      await exempt(await ownerIn(0))
      const row = await env.DB.prepare('SELECT * FROM customers WHERE id = ?').bind(first).first()
      const names = Object.keys(row ?? {})
      await env.DB.batch([
        env.DB.prepare('PRAGMA defer_foreign_keys = on'),
        env.DB.prepare('DELETE FROM customers WHERE id = ?').bind(first),
        env.DB.prepare(
          `INSERT INTO customers (${names.join()}) VALUES (${names.map(() => '?').join()})` as 'SELECT 1',
        ).bind(...Object.values(row ?? {})),
      ])
    }
    const used = { ...bindings, BACKUPS: meanwhile('/customers/', again) }
    for (const shard of SHARDS) {
      await backUp(used, shard, NOW, RUN)
      for (let ticks = 0; ticks < 20; ticks += 1) await backUp(used, shard, NOW, null)
    }
    await emptyInstallation(await keptObjects())
    const lines: string[] = []
    await restoreBackup({ ...tools, report: (line) => void lines.push(line) }, RUN, false)
    // The two that were there. Those that came may be in it or not, with all that is theirs.
    expect(await env.DB.prepare(COUNT).first('n')).toBeGreaterThanOrEqual(2)
    const lost = 'SELECT count(*) AS n FROM exemptions WHERE customer_id NOT IN (SELECT id FROM customers)'
    expect(await env.DB.prepare(lost).first('n')).toBe(0)
    expect(lines.join()).toContain('changed while it was copied')
  })

  it('has each row once if two ticks copy it at once, and if its tick comes twice', async () => {
    await cleanStores()
    await loadTestData()
    const owner = await ownerIn(0)
    await exempt(owner)
    const [shard] = SHARDS
    if (shard === undefined) throw new Error('no shard')
    // The second tick reads the same part later, with one more row, and ends after the first has gone on.
    const slow = new Proxy(BUCKET, {
      get: (bucket, name) => {
        const member: unknown = Reflect.get(bucket, name)
        if (typeof member !== 'function') return member
        return async (...values: unknown[]) => {
          if (name === 'put' && String(values[0]).includes('/customers/')) {
            await exempt(owner)
            await backUp(bindings, shard, NOW, null)
          }
          return Reflect.apply(member, bucket, values)
        }
      },
    })
    await backUp({ ...bindings, BACKUPS: slow }, shard, NOW, RUN)
    for (let ticks = 0; ticks < 20; ticks += 1) await backUp(bindings, shard, NOW, null)
    await exempt(owner)
    for (let ticks = 0; ticks < 20; ticks += 1) await backUp(bindings, shard, NOW, ticks === 0 ? RUN : null)
    for (const other of SHARDS.slice(1)) {
      await backUp(bindings, other, NOW, RUN)
      for (let ticks = 0; ticks < 20; ticks += 1) await backUp(bindings, other, NOW, null)
    }
    await emptyInstallation(await keptObjects())
    const lines: string[] = []
    await restoreBackup({ ...tools, report: (line) => void lines.push(line) }, RUN, false)
    expect(await env.DB.prepare(COUNT).first('n')).toBe(3)
    expect(lines.join()).not.toContain('customers changed')
  })

  it('erases again who was erased while it was made, after its cursor was read late', async () => {
    await cleanStores()
    await loadTestData()
    const owner = await ownerIn(0)
    const id = await exempt(owner)
    const [shard] = SHARDS
    if (shard === undefined) throw new Error('no shard')
    await eraseAgain(bindings, shard, NOW)
    const erase = async () => {
      await call('DELETE', `/v1/customers/${id}`, owner)
      await keepErasures(bindings, shard.books, NOW)
      await eraseAgain(bindings, shard, NOW)
    }
    for (const each of SHARDS) {
      await backUp({ ...bindings, BACKUPS: meanwhile('/customers/', erase) }, each, NOW, RUN)
      for (let ticks = 0; ticks < 20; ticks += 1) await backUp(bindings, each, NOW, null)
    }
    await emptyInstallation(await keptObjects())
    await restoreBackup(tools, RUN, false)
    expect(await env.DB.prepare(COUNT).first('n')).toBe(1)
    await eraseAgain(bindings, shard, NOW)
    expect(await env.DB.prepare(COUNT).first('n')).toBe(0)
  })
})
