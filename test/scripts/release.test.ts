import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wholeDb } from '../../src/platform/database/databases.ts'
import { deployPlan, describeStep, rollbackPlan } from '../../scripts/deploy-plan.ts'
import {
  keepRelease,
  migrationsIn,
  readRelease,
  type Release,
  releaseBefore,
} from '../../scripts/kept-release.ts'
import { loadShippedData } from '../../scripts/load-data.ts'
import { applyMigrations } from '../../scripts/migrations.ts'
import { runWorker } from '../../scripts/run-worker.ts'
import { PROJECT } from '../../scripts/wrangler.ts'
import { createAccountAndKey } from '../../scripts/create-account-and-key.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')

describe('a deploy', () => {
  const steps = (exists: boolean) =>
    deployPlan({ exist: exists }, ['DB', 'BOOKS_1'], '0.1.0+abc').map((step) => describeStep(step, '--env=x'))

  it('applies the migrations before the code, so that no release meets tables older than itself', () => {
    const [, first, shard, second] = steps(true)
    expect(first).toContain('wrangler d1 migrations apply DB --remote --env=x')
    expect(shard).toContain('wrangler d1 migrations apply BOOKS_1 --remote --env=x')
    expect(second).toContain('wrangler deploy --message 0.1.0+abc --env=x')
  })

  it('uploads the Worker first only where that makes the database', () => {
    expect(steps(false)[1]).toContain('wrangler deploy --message 0.1.0+abc --env=x')
  })

  it('looks first what its token may do', () => {
    for (const [first] of [steps(true), steps(false)]) expect(first).toContain('what the token may do')
  })

  it('is rolled back without a change of the tables', () => {
    const text = rollbackPlan('v-1').map((step) => describeStep(step, '--env=x'))
    expect(text).toEqual([
      expect.stringContaining('what the token may do'),
      expect.stringContaining('books in force'),
      expect.stringContaining('wrangler rollback v-1'),
    ])
  })
})

/** The columns of every table after some migrations, as `table.column`. */
function columnsAfter(files: readonly string[]): Set<string> {
  const db = new DatabaseSync(':memory:')
  for (const file of files) db.exec(readFileSync(join(FOLDER, file), 'utf8'))
  const rows = db
    .prepare(
      `SELECT tables.name || '.' || columns.name AS name
       FROM pragma_table_list tables, pragma_table_info(tables.name) columns WHERE tables.schema = 'main'`,
    )
    .all()
  return new Set(rows.map(({ name }) => String(name)))
}

it('the migrations since the release before keep every table and column that it uses', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))
  const before = columnsAfter(releaseBefore().migrations.map(({ name }) => name))
  const now = columnsAfter(files.toSorted())
  expect([...before].filter((column) => !now.has(column))).toEqual([])
})

it('the migrations keep every index that the release before names, without which its statements fail', () => {
  const db = new DatabaseSync(':memory:')
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))
  for (const file of files.toSorted()) db.exec(readFileSync(join(FOLDER, file), 'utf8'))
  const rows = db.prepare("SELECT name FROM sqlite_master WHERE type = 'index'").all()
  const kept = new Set(rows.map(({ name }) => String(name)))
  const named = releaseBefore().modules.flatMap(({ contents }) =>
    [...String(contents).matchAll(/INDEXED BY (\w+)/g)].map(([, name = '']) => name),
  )
  expect(named).toContain('tax_totals_of_jurisdiction')
  expect(named.filter((name) => !kept.has(name))).toEqual([])
})

it('the migrations of the release before are as it applied them, and come first', () => {
  const { migrations } = releaseBefore()
  expect(migrationsIn(PROJECT).slice(0, migrations.length)).toEqual(migrations)
})

it('a release is kept whole, and replaces the one before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  const entry = { name: 'worker.js', contents: 'import"./part-a.js"' }
  const parts = ['part-a.js', 'part-b.js'].map((name) => ({ name, contents: 'old' }))
  try {
    const [first, second] = ['1.sql', '2.sql'].map((name) => ({ name, sha256: name }))
    if (first === undefined || second === undefined) throw new Error('two migrations')
    const old = { tag: null, commit: 'a', migrations: [first] }
    keepRelease({ ...old, modules: [entry, ...parts] }, folder)
    const next: Release = {
      tag: 'v2',
      commit: 'b',
      migrations: [first, second],
      modules: [entry, { name: 'part-a.js', contents: 'new' }],
    }
    keepRelease(next, folder)
    expect(readRelease(folder)).toEqual(next)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe('the release before, with the tables of this one', () => {
  let miniflare: Miniflare
  let origin = ''
  let key = ''

  beforeAll(async () => {
    const variables = { ENVIRONMENT: 'test', ENCRYPTION_KEY: 'a key for tests' }
    ;({ miniflare, origin } = await runWorker(releaseBefore().modules, {
      variables,
      offline: true,
      limits: false,
    }))
    const db = wholeDb(await miniflare.getD1Database('DB'))
    await applyMigrations(db)
    // The types of miniflare and of the Workers describe the same namespace.
    const kv = (await miniflare.getKVNamespace('KV')) as unknown as KVNamespace
    await loadShippedData(db, kv, new Date())
    const request = { account: 'Acme', tier: 'pro', scopes: ['*'], sandbox: false } as const
    key = (await createAccountAndKey(db, request, new Date())).key
  })
  afterAll(() => miniflare.dispose())

  async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const json: Record<string, unknown> = JSON.parse(await response.text())
    return { status: response.status, body: json }
  }

  it('reads and writes as before', async () => {
    const sale = {
      currency: 'EUR',
      customer: { address: { country: 'DE' } },
      line_items: [{ amount: 10_000, product_type: 'saas' }],
    }
    expect((await send('POST', '/v1/calculate', sale)).status).toBe(200)
    const customer = await send('POST', '/v1/customers', { name: 'Acme' }, { 'Idempotency-Key': 'c' })
    expect(customer.status).toBe(201)
    const certificate = {
      jurisdiction_id: 'DE',
      exemption_type: 'other',
      certificate_number: 'c-1',
      valid_from: '2026-01-01',
    }
    const customer_path = `/v1/customers/${String(customer.body['id'])}`
    expect((await send('POST', `${customer_path}/exemptions`, certificate)).status).toBe(201)
    const key_of = { 'Idempotency-Key': 's' }
    const made = await send('POST', '/v1/transactions', sale, key_of)
    expect(made.status).toBe(201)
    expect((await send('POST', '/v1/transactions', sale, key_of)).body['id']).toBe(made.body['id'])
    const refund = { amount: 100, reason: 'Returned' }
    expect((await send('POST', `/v1/transactions/${String(made.body['id'])}/refund`, refund)).status).toBe(
      200,
    )
    expect((await send('POST', '/v1/transactions/batch', { transactions: [sale, sale] })).status).toBe(200)
    const registration = { jurisdiction_id: 'DE', valid_from: '2026-01-01' }
    expect((await send('POST', '/v1/registrations', registration)).status).toBe(201)
    expect((await send('POST', '/v1/api-keys', { scopes: ['tax:read'] })).status).toBe(201)
    for (const path of [
      '/v1/account',
      '/v1/customers',
      customer_path,
      '/v1/transactions',
      '/v1/registrations',
      '/v1/api-keys',
      '/v1/audit-events',
      '/v1/nexus',
      '/v1/metadata/sync-status',
      '/v1/reports/summary?from_date=2026-01-01&to_date=2026-12-31',
      '/v1/reports/filing?type=oss_union&period=2026-Q3',
      '/health',
    ])
      expect((await send('GET', path)).status, path).toBe(200)
    expect((await send('DELETE', customer_path)).status).toBe(200)
    // What it records needs no tick to be found after the upgrade.
    const db = await miniflare.getD1Database('DB')
    const count = 'SELECT count(*) AS sales, sum(searchable) AS found FROM transactions'
    expect(await db.prepare(count).first()).toEqual({ sales: 3, found: 3 })
  })

  it('keeps webhooks and their deliveries, and tells nobody the events of an account', async () => {
    const url = 'https://hooks.example.com/release'
    const made = await send('POST', '/v1/webhooks', { url, events: ['*'] })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const path = `/v1/webhooks/${String(made.body['id'])}`
    for (const each of ['/v1/webhooks', path, `${path}/deliveries`, '/v1/webhooks/events/list'])
      expect((await send('GET', each)).status, each).toBe(200)
    expect((await send('PUT', path, { status: 'disabled' })).status).toBe(200)
    expect((await send('POST', `${path}/rotate-secret`)).status).toBe(200)
    const db = await miniflare.getD1Database('DB')
    // The query by which the release before finds events to send to all accounts.
    await db
      .prepare(
        `INSERT INTO events (id, type, data, created_at, fanned_out_at, owner_account_id, account_pending)
         VALUES ('evt_1', 'webhook.disabled', '{}', 'now', 'now', 'acct_1', 1)`,
      )
      .run()
    const { results } = await db.prepare('SELECT id FROM events WHERE fanned_out_at IS NULL').all()
    expect(results).toEqual([])
    expect((await send('DELETE', path)).status).toBe(200)
  })
})
