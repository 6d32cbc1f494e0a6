import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Moves the clock that the service reads once a request. Nothing waits. */
function passSeconds(seconds: number): void {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(now + seconds * 1000)
}

const make = async (key: string, body: object = { scopes: ['tax:read'] }) =>
  call('POST', '/v1/api-keys', { key, body })
const works = async (key: unknown) => (await call('GET', '/v1/account', { key: String(key) })).status

describe('a new key', () => {
  it('works at once, is shown once and is stored only as a hash', async () => {
    const { key } = await newAccount()
    const made = await make(key, { name: 'Shop', scopes: ['registrations:read'] })
    expect(made.status).toBe(201)
    expect(made.body['key']).toMatch(/^tcs_live_[0-9A-Za-z]{38}$/)
    expect(await works(made.body['key'])).toBe(200)
    const listed = await call('GET', '/v1/api-keys', { key })
    expect(listed.text).not.toContain(String(made.body['key']))
    expect(listed.body['api_keys']).toContainEqual(
      expect.objectContaining({ id: made.body['id'], prefix: String(made.body['key']).slice(0, 12) }),
    )
    const tables = await Promise.all(
      ['api_keys', 'audit_events', 'idempotency_keys'].map((table) =>
        env.DB.prepare(`SELECT * FROM ${table}`).all(),
      ),
    )
    expect(JSON.stringify(tables)).not.toContain(String(made.body['key']))
  })

  it('of a sandbox account says that it is for tests', async () => {
    const { key } = await newAccount({ sandbox: true })
    expect((await make(key)).body['key']).toMatch(/^tcs_test_/)
  })

  it('cannot have a scope that the granting key lacks', async () => {
    const { key } = await newAccount({ scopes: ['keys:write', 'tax:read'] })
    for (const scopes of [['*'], ['tax:read', 'keys:read']]) {
      const refused = await make(key, { scopes })
      expect(refused.status).toBe(403)
      expect(refused.body['reason']).toMatch(/^scope_not_grantable/)
    }
    expect((await make(key, { scopes: ['tax:read'] })).status).toBe(201)
  })

  it('cannot outlive the granting key', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const { key } = await newAccount({ expires_at })
    expect((await make(key)).body['expires_at']).toBe(expires_at)
    expect(
      (await make(key, { scopes: ['*'], expires_at: '2099-01-01T00:00:00Z' })).body['errors'],
    ).toMatchObject([{ path: 'expires_at' }])
  })

  it.each([
    ['no scopes', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['tax:write'] }, 'scopes[0]'],
    ['an expiry that has passed', { scopes: ['*'], expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['an expiry without a zone', { scopes: ['*'], expires_at: '2030-01-01T00:00:00' }, 'expires_at'],
    ['a name with NUL', { scopes: ['*'], name: 'a\0b' }, 'name'],
    ['a name with half a character', { scopes: ['*'], name: '\ud800' }, 'name'],
  ])('is refused with %s', async (_, body, path) => {
    const { key } = await newAccount()
    const refused = await make(key, body)
    expect(refused.status).toBe(400)
    expect(refused.body['errors']).toMatchObject([{ path }])
  })
})

describe('the end of a key', () => {
  it('stops a revoked key at once where it was revoked', async () => {
    const { key } = await newAccount()
    const made = await make(key, { scopes: ['*'] })
    expect(await works(made.body['key'])).toBe(200)
    expect((await call('DELETE', `/v1/api-keys/${String(made.body['id'])}`, { key })).body).toMatchObject({
      id: made.body['id'],
      deleted: true,
    })
    expect(await works(made.body['key'])).toBe(401)
    expect((await call('DELETE', `/v1/api-keys/${String(made.body['id'])}`, { key })).status).toBe(404)
  })

  it('stops a key that was revoked elsewhere within 60 seconds', async () => {
    const { key, key_id } = await newAccount()
    expect(await works(key)).toBe(200)
    await env.DB.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?')
      .bind(new Date().toISOString(), key_id)
      .run()
    passSeconds(60)
    expect(await works(key)).toBe(401)
  })

  it('stops a key that was revoked elsewhere, also if the clock of the isolate goes back', async () => {
    const { key, key_id } = await newAccount()
    expect(await works(key)).toBe(200)
    await env.DB.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?')
      .bind('2026-01-01T00:00:00.000Z', key_id)
      .run()
    passSeconds(-120)
    expect(await works(key)).toBe(401)
  })

  it('stops a key on the moment of its expiry, though it is held in memory', async () => {
    const { key } = await newAccount({ expires_at: new Date(Date.now() + 20_000).toISOString() })
    expect(await works(key)).toBe(200)
    passSeconds(20)
    expect(await works(key)).toBe(401)
  })

  it('does not hold a miss for long: a key made a moment later works', async () => {
    const { key, key_id } = await newAccount()
    await env.DB.prepare('UPDATE api_keys SET hash = hash || ? WHERE id = ?').bind('x', key_id).run()
    expect(await works(key)).toBe(401)
    await env.DB.prepare("UPDATE api_keys SET hash = replace(hash, 'x', '') WHERE id = ?").bind(key_id).run()
    passSeconds(5)
    expect(await works(key)).toBe(200)
  })
})

describe('an expired key', () => {
  it('is listed no longer, and cannot be rotated into a new key that is dead', async () => {
    const { key } = await newAccount()
    const made = await make(key, {
      scopes: ['tax:read'],
      expires_at: new Date(Date.now() + 20_000).toISOString(),
    })
    const path = `/v1/api-keys/${String(made.body['id'])}`
    expect((await call('GET', '/v1/api-keys', { key })).body['total']).toBe(2)
    passSeconds(20)
    const { body } = await call('GET', '/v1/api-keys', { key })
    expect([body['total'], body['api_keys']]).toEqual([
      1,
      [expect.not.objectContaining({ id: made.body['id'] })],
    ])
    expect((await call('POST', `${path}/rotate`, { key, body: {} })).body['reason']).toBe(
      'api_key_not_active',
    )
    expect((await call('DELETE', path, { key })).status).toBe(200)
  })
})

describe('rotation', () => {
  it('gives a key of the same scopes and leaves the old one its grace period', async () => {
    const { key, key_id } = await newAccount({ scopes: ['keys:write', 'registrations:read'] })
    const rotated = await call('POST', `/v1/api-keys/${key_id}/rotate`, { key, body: { grace_hours: 1 } })
    expect(rotated.status).toBe(201)
    expect(rotated.body).toMatchObject({
      scopes: ['registrations:read', 'keys:write'],
      replaces: { id: key_id },
    })
    expect([await works(key), await works(rotated.body['key'])]).toEqual([200, 200])
    passSeconds(3_600)
    expect([await works(key), await works(rotated.body['key'])]).toEqual([401, 200])
  })

  it('without grace ends the old key at once', async () => {
    const { key, key_id } = await newAccount()
    expect(
      (await call('POST', `/v1/api-keys/${key_id}/rotate`, { key, body: { grace_hours: 0 } })).status,
    ).toBe(201)
    expect(await works(key)).toBe(401)
  })

  it('of a stronger key is refused, for it would hand out what the caller lacks', async () => {
    const { key_id, account_id } = await newAccount({ account: 'Strong' })
    const { key } = await newAccount({ account: 'Strong', scopes: ['keys:write'] })
    expect(account_id).toBeTruthy()
    expect((await call('POST', `/v1/api-keys/${key_id}/rotate`, { key, body: {} })).status).toBe(403)
  })

  it('keeps the expiry', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const { key, key_id } = await newAccount({ expires_at })
    expect((await call('POST', `/v1/api-keys/${key_id}/rotate`, { key, body: {} })).body['expires_at']).toBe(
      expires_at,
    )
  })

  it('happens once, however many ask at the same time', async () => {
    const { key, key_id } = await newAccount()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', `/v1/api-keys/${key_id}/rotate`, { key, body: {} })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body['reason']))).toEqual(
      new Set(['api_key_not_active']),
    )
    expect((await call('GET', '/v1/api-keys', { key })).body['total']).toBe(2)
  })
})

describe('another account', () => {
  it('gets the answer of a key that never existed', async () => {
    const { key_id } = await newAccount()
    const { key } = await newAccount()
    for (const [method, tail, body] of [
      ['DELETE', '', undefined],
      ['POST', '/rotate', {}],
    ] as const) {
      const foreign = await call(method, `/v1/api-keys/${key_id}${tail}`, { key, body })
      const unknown = await call(method, `/v1/api-keys/key_00000000000000000000000000${tail}`, { key, body })
      expect(foreign.status).toBe(404)
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
    }
  })
})

describe('authentication', () => {
  it('reads the scheme in any case, and nothing that is not a bearer key', async () => {
    const { key } = await newAccount()
    for (const header of [`bearer ${key}`, `BEARER  ${key}`])
      expect((await call('GET', '/v1/account', { headers: { Authorization: header } })).status).toBe(200)
    for (const header of [
      key,
      `Basic ${key}`,
      `Bearer ${key} x`,
      `Bearer ${key},${key}`,
      'Bearer',
      'Bearer null',
    ]) {
      expect((await call('GET', '/v1/account', { headers: { Authorization: header } })).status, header).toBe(
        401,
      )
    }
  })

  it('records the day of the last use', async () => {
    const { key, key_id } = await newAccount()
    await works(key)
    expect(
      await env.DB.prepare('SELECT last_used_at FROM api_keys WHERE id = ?')
        .bind(key_id)
        .first('last_used_at'),
    ).toBe(new Date().toISOString().slice(0, 10))
  })

  it('asks the database once for a key that is used again and again', async () => {
    const { key } = await newAccount({ scopes: ['tax:read'] })
    forgetAll()
    await call('GET', '/v1/metadata/product-types', { key })
    const prepare = vi.spyOn(env.DB, 'prepare')
    const get = vi.spyOn(env.KV, 'get')
    for (let index = 0; index < 5; index += 1)
      expect((await call('GET', '/v1/metadata/product-types', { key })).status).toBe(200)
    expect(prepare).not.toHaveBeenCalled()
    expect(get).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })
})
