import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { forgetPrincipals } from '../../src/parties/accounts/authenticate.ts'
import { app } from '../../src/service/app.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { ROUTES } from '../../src/interfaces/routes.ts'
import { verifyTotals } from '../../scripts/verify/totals.ts'
import { newAccount } from '../support/account.ts'
import { requestTo } from '../support/requests.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { callWith, DOWN, everything, failing, withDatabase, withoutDatabase } from './faulty.ts'
import { forgetAll } from '../../src/platform/kit/memory.ts'
import { keepAccountsIn } from '../support/shards.ts'

keepAccountsIn(0)
await loadTestData()
const { key, account_id } = await newAccount()

// Example books need an empty account for tests. test/interfaces/example-books/interrupted.test.ts interrupts them.
const named = ROUTES.filter(({ path }) => path !== '/v1/account/example-books').map((route) => ({
  route,
  name: `${route.method.toUpperCase()} ${route.path}`,
}))
const writing = named.filter(({ route }) => route.idempotent || ['put', 'delete'].includes(route.method))
const keyed = named.filter(({ route }) => route.idempotent && !route.path.includes(':delivery_id'))
/** How many events the deed of a route writes into the audit log, if it is not one. */
const AUDITED: Readonly<Record<string, readonly number[]>> = {
  '/v1/transactions/batch': [1, 2],
  '/v1/metadata/sync': [0, 1],
  // The link, and the key of the shop.
  '/v1/saleor/installs': [2],
  // The same reason once more changes nothing.
  '/v1/obligations/:id': [0, 1],
  // In the log of the platform, and in that of the account.
  '/v1/accounts': [2],
  '/v1/accounts/:id/api-keys': [2],
  // The old key, and the new one.
  '/v1/api-keys/:id/rotate': [2],
}
const CALCULATE = {
  method: 'POST',
  path: '/v1/calculate',
  body: {
    currency: 'EUR',
    seller: { country: 'DE' },
    customer: { address: { country: 'DE' } },
    line_items: [{ amount: 10_000, product_type: 'saas' }],
  },
}

afterEach(() => {
  vi.useRealTimers()
  // What was held by a clock that tests had set.
  forgetPrincipals(account_id)
})

/** Fails the n-th trip: before it is made, or after it was, when its answer is lost on the way. */
function failingAt(n: number, made: boolean) {
  let trips = 0
  const bindings = withDatabase(async (trip) => {
    trips += 1
    if (trips !== n) return trip()
    if (made) await trip()
    throw DOWN
  })
  return { bindings, reached: () => trips >= n }
}

/** Without the parts of files that an upload begins with. No exemption has them, and a job deletes them. */
function withoutUploads(rows: Awaited<ReturnType<typeof everything>>): typeof rows {
  const account_usage = rows['account_usage']?.map((row) => ({ ...Object(row), document_bytes: 0 })) ?? []
  return { ...rows, account_usage, document_erasures: [], document_parts: [] }
}

/**
 * Whether nothing was written; or, where a PUT failed only when it looked at what it had done, all of it,
 * which the audit event of the same batch tells: it may be sent again. Each return of a batch is filed alone.
 */
async function wholeOrNothing(
  { method, path }: Pick<Route, 'method' | 'path'>,
  before: Awaited<ReturnType<typeof everything>>,
): Promise<boolean> {
  const after = await everything()
  if (after === before) return true
  const kept = path === '/v1/exemptions/:id/document' ? withoutUploads : (rows: typeof before) => rows
  if (JSON.stringify(kept(after)) === JSON.stringify(kept(before))) return true
  const again = method === 'put' || path === '/v1/returns/batch'
  return again && after['audit_events']?.length === (before['audit_events']?.length ?? 0) + 1
}

describe.each(named)('$name', ({ route }) => {
  it('says that it is our fault when the database is down, or answers without it', async () => {
    const request = await requestTo(route, key)
    forgetPrincipals(account_id)
    const cold = await callWith(withoutDatabase(), key, request)
    expect(cold.body).toMatchObject({
      error_code: 'INTERNAL_ERROR',
      reason: 'internal_error',
      request_id: expect.any(String),
    })
    await call('GET', '/v1/rates?jurisdiction=DE', { key })
    await callWith(env, key, CALCULATE)
    const warm = await callWith(withoutDatabase(), key, request)
    expect([route.status, 404, 500]).toContain(warm.status)
    if (warm.status === 500) expect(warm.body).toMatchObject({ reason: 'internal_error' })
    expect(warm.text).not.toContain('D1_ERROR')
  })
})

describe.each(writing)('$name', ({ route }) => {
  it('writes nothing when any one of its trips to the database fails', async () => {
    let request = await requestTo(route, key)
    await callWith(env, key, CALCULATE)
    for (let n = 1; ; n += 1) {
      const { bindings, reached } = failingAt(n, false)
      const before = await everything()
      const { status, text } = await callWith(bindings, key, request)
      if (!reached()) {
        expect([route.status, 404], text).toContain(status)
        break
      }
      if (status >= 400) expect(await wholeOrNothing(route, before)).toBe(true)
      // A trip that failed after the write does not undo it, and some deeds can be done only once.
      else request = await requestTo(route, key)
    }
  })
})

describe.each(keyed)('$name', ({ route }) => {
  it('is done once when its answer is lost and it is sent again with its key', async () => {
    for (let n = 1; ; n += 1) {
      const request = await requestTo(route, key)
      await callWith(env, key, CALCULATE)
      const audited = async () =>
        (await env.DB.prepare('SELECT count(*) AS n FROM audit_events').first<number>('n')) ?? 0
      const before = await audited()
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const { bindings, reached } = failingAt(n, true)
      const first = await callWith(bindings, key, request, headers)
      const again = await callWith(env, key, request, headers)
      expect(again.status, `${first.text}\n${again.text}`).toBe(route.status)
      const expected = AUDITED[route.path] ?? [1]
      expect(expected).toContain((await audited()) - before)
      if (!reached()) break
    }
  })
})

it('keeps its sums through all of that', async () => {
  expect(await verifyTotals(env.DB, account_id)).toEqual([])
})

describe('a checkout', () => {
  it('goes on for an hour while the database is down, though keys are looked up every minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const before = await callWith(env, key, CALCULATE)
    for (const minutes of [1, 10, 59]) {
      vi.setSystemTime(Date.now() + minutes * 20_000)
      const { status, body } = await callWith(withoutDatabase(), key, CALCULATE)
      expect({ status, tax: body['tax_amount'] }).toEqual({ status: 200, tax: before.body['tax_amount'] })
    }
    const write = { method: 'POST', path: '/v1/customers', body: { name: 'Acme' } }
    expect((await callWith(withoutDatabase(), key, write)).status).toBe(500)
    vi.setSystemTime(Date.now() + 3_600_000)
    expect((await callWith(withoutDatabase(), key, CALCULATE)).status).toBe(500)
    expect((await callWith(env, key, CALCULATE)).status).toBe(200)
  })

  it('does not wait for a database that takes its time', async () => {
    await callWith(env, key, CALCULATE)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    let asked = 0
    const slow = withDatabase((trip) => {
      asked += 1
      return new Promise((resolve) => setTimeout(() => resolve(trip()), 5_000))
    })
    for (let index = 0; index < 20; index += 1)
      expect((await callWith(slow, key, CALCULATE)).status).toBe(200)
    // Once, for the first of them; then for some seconds nobody asks.
    expect(asked).toBe(1)
  })

  it('lets nobody in who was not known, or was refused, when the database is down', async () => {
    const other = await newAccount()
    expect((await callWith(withoutDatabase(), other.key, CALCULATE)).status).toBe(500)
    await callWith(env, other.key, CALCULATE)
    await env.DB.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?')
      .bind(new Date().toISOString(), other.key_id)
      .run()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect((await callWith(env, other.key, CALCULATE)).status).toBe(401)
    vi.setSystemTime(Date.now() + 60_000)
    expect((await callWith(withoutDatabase(), other.key, CALCULATE)).status).toBe(500)
  })

  it('is answered to an agent, too, ten minutes after its last message', async () => {
    const { line_items, ...sale } = CALCULATE.body as { line_items: unknown }
    const params = { name: 'calculate_tax', arguments: { ...sale, line_items } }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const message = { method: 'POST', path: '/mcp', body }
    const taxOf = async (bindings: Bindings) => {
      const answer = await callWith(bindings, key, message)
      return (answer.body['result'] as { structuredContent?: object } | undefined)?.structuredContent
    }
    expect(await taxOf(env)).toMatchObject({ tax_amount: 1_900 })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    expect(await taxOf(withoutDatabase())).toMatchObject({ tax_amount: 1_900 })
  })

  it('is answered by a cold isolate without KV, from the database', async () => {
    forgetAll()
    const { status, body } = await callWith({ ...env, KV: failing(env.KV) }, key, CALCULATE)
    expect({ status, tax: body['tax_amount'] }).toEqual({ status: 200, tax: 1_900 })
  })

  it('is answered when the limiter fails', async () => {
    expect(
      (await callWith({ ...env, RATE_LIMIT_ENTERPRISE: failing(env.RATE_LIMIT_ENTERPRISE) }, key, CALCULATE))
        .status,
    ).toBe(200)
  })

  it('is answered when the clock goes back by an hour, and the books stay whole', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const sale = { ...CALCULATE, path: '/v1/transactions' }
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await callWith(env, key, sale, headers)
    vi.setSystemTime(Date.now() - 3_600_000)
    expect((await callWith(env, key, CALCULATE)).status).toBe(200)
    const again = await callWith(env, key, sale, headers)
    expect(again.body['id']).toBe(first.body['id'])
    expect((await callWith(env, key, sale)).status).toBe(201)
    expect(await verifyTotals(env.DB, account_id)).toEqual([])
  })
})

describe('without KV', () => {
  it.each(named.filter(({ route }) => !route.path.includes(':delivery_id')))(
    '$name is answered as ever',
    async ({ route }) => {
      const request = await requestTo(route, key)
      const { status, text } = await callWith({ ...env, KV: failing(env.KV) }, key, request)
      expect(status, text).toBe(route.status)
    },
  )
})

describe('without queues', () => {
  const bindings = {
    ...env,
    WEBHOOK_EVENTS: failing(env.WEBHOOK_EVENTS),
    WEBHOOK_DELIVERIES: failing(env.WEBHOOK_DELIVERIES),
    WORK: failing(env.WORK),
    VALIDATIONS: failing(env.VALIDATIONS),
  }

  it.each(writing.filter(({ route }) => !route.path.includes(':delivery_id')))(
    '$name is done, and the sweep does what the message would have done',
    async ({ route }) => {
      const { status, text } = await callWith(bindings, key, await requestTo(route, key))
      expect(status, text).toBe(route.status)
    },
  )
})

describe('GET /health', () => {
  const health = async (bindings: Partial<typeof env>) => {
    const response = await app.fetch(
      new Request('https://service.test/health'),
      { ...env, ...bindings },
      createExecutionContext(),
    )
    return {
      status: response.status,
      body: await response.json<{ status: string; checks: Record<string, { status: string }> }>(),
    }
  }

  it('tells which of its stores is down', async () => {
    expect(await health({ DB: withoutDatabase().DB })).toMatchObject({
      status: 503,
      body: { status: 'unhealthy', checks: { database: { status: 'fail' } } },
    })
    expect(await health({ KV: failing(env.KV) })).toMatchObject({
      status: 503,
      body: { status: 'unhealthy', checks: { kv: { status: 'fail' } } },
    })
  })
})
