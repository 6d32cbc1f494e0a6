import type { WholeDb } from '../../../src/platform/database/databases.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { queueDueSyncs, runLocal, runSync } from '../../../src/tax-data/status/sync.ts'
import { EMPTY_RUN } from '../../support/collected-weeks.ts'
import { insertSharedEvents } from '../../../src/notices/events/events.ts'
import { SYNCED } from '../../notices/subscribing.ts'
import { callWith, DOWN, withDatabase, withoutDatabase, withoutTable } from '../../faults/faulty.ts'
import { newAccount } from '../../support/account.ts'
import { countingDatabase } from '../../support/intercepted-database.ts'
import { listening } from '../../support/queues.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

keepAccountsIn(0)

await loadTestData()
afterEach(() => vi.useRealTimers())

const CALCULATE = {
  method: 'POST',
  path: '/v1/calculate',
  body: {
    currency: 'EUR',
    customer: { address: { country: 'DE' } },
    line_items: [{ amount: 10_000, product_type: 'saas' }],
  },
}

describe('a database that only reads', () => {
  it('answers a key on its first use of the day', async () => {
    const { key } = await newAccount()
    forgetAll()
    const readOnly = withDatabase(async (trip) => trip())
    const prepare = readOnly.DB.prepare.bind(readOnly.DB)
    const DB = new Proxy(readOnly.DB, {
      get: (db, name) =>
        name === 'prepare'
          ? (sql: string) => {
              if (/^\s*(UPDATE|INSERT|DELETE)/.test(sql)) throw DOWN
              return prepare(sql)
            }
          : Reflect.get(db, name),
    })
    expect((await callWith({ ...env, DB }, key, CALCULATE)).status).toBe(200)
    const list = { method: 'GET', path: '/v1/transactions', body: undefined }
    expect((await callWith({ ...env, DB }, key, list)).status).toBe(200)
  })
})

describe("one tenant's settings", () => {
  it("leave another tenant's key in memory, also during an outage", async () => {
    const { key: alice } = await newAccount()
    const { key: bob } = await newAccount()
    await callWith(env, alice, CALCULATE)
    await call('PUT', '/v1/account', { key: bob, body: { country: 'FR' } })
    const { db, trips } = countingDatabase(env.DB)
    expect((await callWith({ ...env, DB: db }, alice, CALCULATE)).status).toBe(200)
    expect(trips()).toBe(0)
    expect((await callWith(withoutDatabase(), alice, CALCULATE)).status).toBe(200)
  })
})

describe('the scope operator', () => {
  const sync = (key: string, region: string) => call('POST', '/v1/metadata/sync', { key, body: { region } })

  it('is not contained in *, and no request can grant it', async () => {
    const { key } = await newAccount({ scopes: ['*'] })
    expect((await sync(key, 'AU')).body).toMatchObject({ reason: 'missing_scope: operator' })
    const { key: operator } = await newAccount()
    const made = await call('POST', '/v1/api-keys', { key: operator, body: { scopes: ['operator'] } })
    expect(made).toMatchObject({ status: 400, body: { errors: [{ path: 'scopes[0]' }] } })
  })

  it('requests a region once in ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const { key } = await newAccount()
    expect((await sync(key, 'CA')).status).toBe(200)
    const again = await sync(key, 'CA')
    expect(again).toMatchObject({ status: 429, body: { reason: 'sync_too_soon' } })
    expect(again.headers.get('Retry-After')).toBe('600')
    expect((await sync(key, 'UK')).status).toBe(200)
    vi.setSystemTime(Date.now() + 600_000)
    expect((await sync(key, 'CA')).status).toBe(200)
  })
})

describe('a run of a collector', () => {
  const NOW = new Date()
  it('is alone in its region, and a dead one ends with its lease', async () => {
    let runs = 0
    const finish: (() => void)[] = []
    const collect = async () => {
      runs += 1
      await new Promise<void>((resolve) => finish.push(resolve))
      return { run: EMPTY_RUN }
    }
    const first = runSync(env, 'NZ', NOW, collect)
    await vi.waitFor(() => expect(runs).toBe(1))
    await runSync(env, 'NZ', NOW, collect)
    await runSync(env, 'NZ', new Date(NOW.getTime() + 15 * 60_000), collect)
    expect(runs).toBe(1)
    const late = runSync(env, 'NZ', new Date(NOW.getTime() + 17 * 60_000), collect)
    await vi.waitFor(() => expect(runs).toBe(2))
    for (const end of finish) end()
    await Promise.all([first, late])
  })

  it('that failed after it wrote events sends them all the same', async () => {
    const { queue, heard } = listening()
    const collect = async () => {
      await env.DB.batch(insertSharedEvents(env.DB, [SYNCED], NOW))
      throw new Error('KV takes nothing')
    }
    const later = new Date(NOW.getTime() + 86_400_000)
    const bindings = { ...env, WEBHOOK_EVENTS: queue }
    const event = { kind: 'event', id: expect.any(String), shard: 0 }
    await expect(runSync(bindings, 'NZ', later, collect)).rejects.toThrow('KV takes')
    expect(heard).toEqual([event])
    await expect(runLocal(bindings, 'GA', later, collect)).rejects.toThrow('KV takes')
    expect(heard).toHaveLength(3)
  })

  it('keeps its outcome if its events cannot be read: the sweep sends them', async () => {
    const later = new Date(NOW.getTime() + 2 * 86_400_000)
    const bindings = { ...env, DB: withoutTable('events WHERE fanned_out_at IS NULL') }
    const failed = () => Promise.reject(new Error('KV takes nothing'))
    await expect(runSync(bindings, 'NZ', later, failed)).rejects.toThrow('KV takes')
    await runSync(bindings, 'NZ', later, async () => ({ run: EMPTY_RUN }))
  })

  it('is left out if the region is not due any more', async () => {
    await env.DB.prepare(
      `INSERT INTO collector_states (region, consecutive_failures, parse_failures, next_run_at)
       VALUES ('US', 0, 0, ?)`,
    )
      .bind(new Date(NOW.getTime() + 60_000).toISOString())
      .run()
    let runs = 0
    const collect = async () => {
      runs += 1
      return { run: EMPTY_RUN }
    }
    await runSync(env, 'US', NOW, collect)
    expect(runs).toBe(0)
    const { queue, heard } = listening()
    await queueDueSyncs({ ...env, WORK: queue }, NOW)
    expect(heard).not.toContainEqual({ kind: 'sync', id: 'US' })
  })
})

describe('a key that may write keys', () => {
  it('cannot revoke a stronger key, and can revoke an equal one and itself', async () => {
    const account = crypto.randomUUID()
    const { key_id: strong } = await newAccount({ account })
    const { key, key_id } = await newAccount({ account, scopes: ['keys:write', 'keys:read'] })
    const { key_id: equal } = await newAccount({ account, scopes: ['keys:read'] })
    const revoke = (id: string) => call('DELETE', `/v1/api-keys/${id}`, { key })
    expect(await revoke(strong)).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
    expect((await revoke(equal)).status).toBe(200)
    expect((await revoke(key_id)).status).toBe(200)
  })
})

describe('GET /health', () => {
  it('is read at most every five seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    const first = await call('GET', '/health')
    expect(first.body['cached']).toBe(false)
    const second = await call('GET', '/health')
    expect(second.body).toMatchObject({ cached: true, timestamp: first.body['timestamp'] })
    vi.setSystemTime(Date.now() + 5_000)
    expect((await call('GET', '/health')).body['cached']).toBe(false)
  })

  it('warns when the database is more than 80 % full', async () => {
    const full = new Proxy(env.DB, {
      get: (db, name) =>
        name === 'prepare'
          ? () => ({ all: async () => ({ results: [{}], meta: { size_after: 8_500_000_000 } }) })
          : Reflect.get(db, name),
    })
    const { status, body } = await callWith({ ...env, DB: full }, 'none', {
      method: 'GET',
      path: '/health',
      body: undefined,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'degraded',
      checks: { database: { status: 'warn', message: expect.stringContaining('85 % full') } },
    })
  })

  it('shows the fill of each shard, and warns if one is full or does not answer', async () => {
    const filled = (bytes: number) => ({
      prepare: () => ({ all: async () => ({ results: [{}], meta: { size_after: bytes } }) }),
    })
    const bindings = { ...env, BOOKS_1: filled(8_100_000_000) as unknown as WholeDb }
    const down = {
      prepare: () => ({ all: () => Promise.reject(new Error('the database does not answer')) }),
    } as unknown as WholeDb
    const asked = { method: 'GET' as const, path: '/health', body: undefined }
    const { body } = await callWith({ ...bindings, BOOKS_2: down }, 'none', asked)
    expect(body).toMatchObject({
      status: 'degraded',
      checks: {
        database: {
          status: 'warn',
          message: 'Shard 1 is 81 % full: see docs/storage.md. Shard 2 does not answer',
          shards: [
            { shard: 0, status: 'pass' },
            { shard: 1, status: 'warn', fill: 0.81 },
            { shard: 2, status: 'fail', fill: null },
          ],
        },
      },
    })
  })
})
