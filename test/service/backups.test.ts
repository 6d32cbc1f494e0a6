import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertPart } from '../../scripts/backups/restore-store.ts'
import { restoreBackup, wholeRuns } from '../../scripts/backups/restore.ts'
import { type Shard, shardsOf } from '../../src/platform/database/shards.ts'
import { backUp, backUpFiles, pruneBackups } from '../../src/service/backups/backup.ts'
import { readPart, readTables } from '../../src/service/backups/backup-store.ts'
import { gzip, type Manifest } from '../../src/service/backups/manifest.ts'
import { sha256 } from '../../src/platform/kit/sha256.ts'
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
  it('reads the words of sales after the sales, so it has what they name', async () => {
    const names = (await readTables(env.DB)).map(({ name }) => name)
    expect(names.indexOf('words_of_sales')).toBeGreaterThan(names.indexOf('transactions'))
  })

  it('has parts of a megabyte, or of one larger row', async () => {
    await env.DB.prepare('DELETE FROM job_cursors').run()
    const rows = [1_400_000, 300_000, 300_000, 300_000, 300_000].map((bytes) => 'ä'.repeat(bytes / 2))
    for (const [index, after] of rows.entries())
      await env.DB.prepare('INSERT INTO job_cursors (name, after) VALUES (?, ?)')
        .bind(`row ${index}`, after)
        .run()
    const table = (await readTables(env.DB)).find(({ name }) => name === 'job_cursors')
    if (table === undefined) throw new Error('no table')
    const parts: unknown[][] = []
    for (let after = 0; ;) {
      const read = await readPart(env.DB, table, after)
      if (read === null) break
      parts.push(read.part.rows)
      after = read.last
    }
    expect(parts.map(({ length }) => length)).toEqual([1, 3, 1])
    expect(parts.flat()).toEqual(rows.map((after, index) => [`row ${index}`, after]))
    await env.DB.prepare('DELETE FROM job_cursors').run()
  })

  it('is loaded though a part takes more than a statement may have as JSON', async () => {
    await env.DB.prepare('DELETE FROM job_cursors').run()
    const rows = ['\u0001', '"', 'ä'].map((sign, index) => [`row ${index}`, sign.repeat(330_000)])
    const part = { columns: ['name', 'after'], rows }
    await insertPart(env.DB, 'job_cursors', part, { run: 'run', parts: 1, changed: [] })
    const { results } = await env.DB.prepare("SELECT * FROM job_cursors WHERE name LIKE 'row %'").all()
    expect(results.map(({ name, after }) => [name, after])).toEqual(rows)
    await env.DB.prepare('DELETE FROM job_cursors').run()
  })

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

  it('brings back chests of sealed sales, also one that is larger than a file of a certificate', async () => {
    await emptyInstallation(kept)
    await BUCKET.put('chests/books/acct_a/000001-a.gz', new Uint8Array(5_000_001))
    await restoreBackup({ ...tools, chests: BUCKET }, RUN, false)
    expect((await BUCKET.head('books/acct_a/000001-a.gz'))?.size).toBe(5_000_001)
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
    for (const { key, bytes, customMetadata } of kept) {
      const own = key.endsWith('manifest.json')
        ? new TextDecoder().decode(bytes).replaceAll(RUN, '2026-11-29')
        : bytes
      await BUCKET.put(key.replace(RUN, '2026-11-29'), own, { customMetadata })
    }
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

  /** Loads the backup with other manifests. Nothing may be written before they are checked. */
  async function refusal(change: (manifest: Manifest) => unknown, of = 0): Promise<string> {
    await emptyInstallation(kept)
    const key = `backups/${RUN}/${of}/manifest.json`
    const manifest = (await (await BUCKET.get(key))?.json<Manifest>()) as Manifest
    await BUCKET.put(key, JSON.stringify(change(manifest)))
    const thrown = await restoreBackup(tools, RUN, false).then(String, String)
    const begun = "SELECT 1 FROM job_cursors WHERE name = 'restore'"
    expect(await env.DB.prepare(begun).first()).toBeNull()
    return thrown
  }

  it('is refused with parts that are missing, doubled, of another place or of another installation', async () => {
    const parts = (change: (parts: Manifest['parts']) => Manifest['parts'], of = 0) =>
      refusal((manifest) => ({ ...manifest, parts: change(manifest.parts) }), of)
    const isOfAccounts = ({ table }: { table: string }) => table === 'accounts'
    const again = ({ key, ...rest }: Manifest['parts'][number]) => ({
      ...rest,
      key: key.replace('000000', '000001'),
    })
    expect(await parts((all) => [...all, ...all.filter(isOfAccounts)])).toContain('in place of')
    expect(await parts((all) => all.map((part) => (isOfAccounts(part) ? again(part) : part)))).toContain(
      'accounts/000001.json.gz in place of',
    )
    const elsewhere = (part: Manifest['parts'][number]) => ({ ...part, key: part.key.replace('/0/', '/1/') })
    expect(await parts((all) => all.map(elsewhere))).toContain('in place of')
    expect(await refusal((manifest) => ({ ...manifest, run: '2020-01-01' }))).toContain('2020-01-01')
    expect(await refusal((manifest) => ({ ...manifest, shard: 2 }), 1)).toContain('is of database 2')
    expect(await refusal((manifest) => ({ ...manifest, shards: [0, 1] }), 1)).toContain('other databases')
    for (const nothing of [[], 'x', { shards: 3 }, null])
      expect(await refusal(() => nothing, 0)).toContain('no whole backup')
    expect(await refusal(() => ({ shards: [0] }))).toContain('is damaged')
  })

  it('is loaded whatever the order of the parts in its manifest', async () => {
    await emptyInstallation(kept)
    const key = `backups/${RUN}/0/manifest.json`
    const manifest = (await (await BUCKET.get(key))?.json<Manifest>()) as Manifest
    await BUCKET.put(key, JSON.stringify({ ...manifest, parts: manifest.parts.toReversed() }))
    await restoreBackup(tools, RUN, false)
    expect(await Promise.all(SHARDS.map(rowsOf))).toEqual(before)
  })

  /** Loads the backup with another part of the accounts, which its manifest knows. */
  async function refusalOfPart(bytes: Uint8Array<ArrayBuffer>, rows = 1): Promise<string> {
    await emptyInstallation(kept)
    const key = `backups/${RUN}/0/manifest.json`
    const manifest = (await (await BUCKET.get(key))?.json<Manifest>()) as Manifest
    const forged = { rows, sha256: await sha256(bytes) }
    const parts = manifest.parts.map((part) => (part.table === 'accounts' ? { ...part, ...forged } : part))
    await BUCKET.put(parts.find(({ table }) => table === 'accounts')?.key ?? '', bytes)
    await BUCKET.put(key, JSON.stringify({ ...manifest, parts }))
    const thrown = await restoreBackup(tools, RUN, false).then(String, String)
    expect(await env.DB.prepare('SELECT * FROM accounts').all()).toMatchObject({ results: [] })
    return thrown
  }

  it('is refused at a part that is a bomb, or nothing that a table can have', async () => {
    const packed = (part: unknown) => gzip(JSON.stringify(part))
    expect(await refusalOfPart(await gzip(' '.repeat(40_000_000)))).toContain('grows larger than any part')
    expect(await refusalOfPart(await gzip('x'.repeat(1_000)))).toContain('is damaged')
    expect(await refusalOfPart(new Uint8Array(14_000_000))).toContain('larger than any part')
    expect(await refusalOfPart(Uint8Array.from(new TextEncoder().encode('PK\u0003\u0004')))).toContain(
      'is damaged',
    )
    expect(await refusalOfPart((await packed({ columns: ['id'], rows: [['a']] })).slice(0, -9))).toContain(
      'is damaged',
    )
    const injection = 'id") SELECT * FROM x --'
    expect(await refusalOfPart(await packed({ columns: [injection], rows: [['a']] }))).toContain(
      'which its table does not have',
    )
    expect(await refusalOfPart(await packed({ columns: ['id'], rows: [['a', 'b']] }))).toContain(
      'a row with other columns',
    )
    expect(await refusalOfPart(await packed({ columns: ['id'], rows: [['a'], ['b']] }))).toContain(
      '2 rows in place of 1',
    )
    expect(await refusalOfPart(await packed({ columns: ['id'], rows: [[{}]] }))).toContain('is damaged')
  })

  it('is listed beside one that cannot be read', async () => {
    await emptyInstallation(kept)
    await BUCKET.put('backups/2026-12-01/0/manifest.json', 'not JSON')
    await BUCKET.put('backups/2026-12-02/0/manifest.json', 'null')
    expect(await wholeRuns(BUCKET)).toEqual([RUN])
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
