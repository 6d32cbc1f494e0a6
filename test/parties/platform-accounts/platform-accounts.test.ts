import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { unchecked, wholeDb } from '../../../src/platform/database/databases.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { readHome } from '../../../src/platform/database/home-store.ts'
import { shardOf, shardsOf } from '../../../src/platform/database/shards.ts'
import { endKey } from '../../../scripts/manage-account/end-key.ts'
import { ask, newIssuer } from '../../support/access.ts'
import { callWith, DOWN } from '../../faults/faulty.ts'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

const SELLER = { external_id: 'seller-1', name: 'Example Ceramics' }
const SALE = {
  external_id: 'order-1',
  currency: 'EUR',
  customer: { address: { country: 'DE' } },
  line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
}

const platform = (more: Parameters<typeof newAccount>[0] = {}) =>
  newAccount({ scopes: ['platform:write'], ...more })
const post = (key: string, path: string, body: object, headers: Record<string, string> = {}) =>
  call('POST', path, { key, body, headers })
const get = (key: string, path: string) => call('GET', path, { key })
const make = (key: string, body: object = SELLER) => post(key, '/v1/accounts', body)
const refused = (status: number, reason: string) => ({ status, body: { reason } })

async function made(key: string, body: object = SELLER): Promise<string> {
  const answer = await make(key, body)
  expect(answer.status, answer.text).toBe(201)
  return String(answer.body['id'])
}

/** An account under a platform, with a key. */
async function seller(key: string, external_id: string, scopes = ['*']) {
  const id = await made(key, { external_id, name: `Seller ${external_id}` })
  const answer = await post(key, `/v1/accounts/${id}/api-keys`, { scopes })
  expect(answer.status, answer.text).toBe(201)
  return { id, key: String(answer.body['key']), key_id: String(answer.body['id']) }
}

describe('an account that a platform makes', () => {
  it('is answered, listed and read by the platform', async () => {
    const { key } = await platform({ tier: 'pro' })
    const answer = await make(key)
    expect(answer).toMatchObject({
      status: 201,
      body: { ...SELLER, id: expect.stringMatching(/^acct_/), tier: 'pro', sandbox: false, suspended: false },
    })
    const { queried_at: _, ...account } = answer.body
    const id = String(account['id'])
    expect((await get(key, '/v1/accounts')).body).toMatchObject({ accounts: [account], has_more: false })
    expect((await get(key, `/v1/accounts/${id}`)).body).toMatchObject(account)
    expect((await get(key, '/v1/accounts/external/seller-1')).body).toMatchObject(account)
  })

  it('has books, a profile and people of its own', async () => {
    const { key } = await platform({ sandbox: true })
    const { id, key: own } = await seller(key, 'a')
    expect(own).toMatch(/^tcs_test_/)
    expect((await call('PUT', '/v1/account', { key: own, body: { country: 'DE' } })).body).toMatchObject({
      id,
      name: 'Seller a',
      country: 'DE',
      sandbox: true,
    })
    expect((await post(own, '/v1/transactions', SALE)).status).toBe(201)
    const kim = { email: `${crypto.randomUUID()}@example.com`, name: 'Kim', role: 'owner' }
    expect((await post(own, '/v1/people', kim)).status).toBe(201)
    const issuer = await newIssuer()
    const sales = await ask(issuer.bindings, await issuer.token(kim.email), '/v1/transactions')
    expect(sales.body).toMatchObject({ total: 1 })
  })

  it('has a name that others have too, and is renamed by itself alone', async () => {
    const [one, other] = [await platform(), await platform()]
    const { id, key } = await seller(one.key, 'a')
    expect((await seller(other.key, 'a')).id).not.toBe(id)
    await call('PUT', '/v1/account', { key, body: { name: 'New name' } })
    expect((await get(one.key, `/v1/accounts/${id}`)).body).toMatchObject({ name: 'New name' })
  })

  it('is in the emptiest shard, with a home there', async () => {
    const { key } = await platform()
    const id = await made(key)
    const shard = await env.DB.prepare('SELECT shard FROM accounts WHERE id = ?')
      .bind(id)
      .first<number>('shard')
    expect(await readHome(shardOf(env, shard ?? -1).books, id)).toBe('open')
  })

  it('is in the logs of both accounts, as its key is', async () => {
    const { key, key_id } = await platform({ scopes: ['platform:write', 'audit:read'] })
    const { id, key: own, key_id: made_key } = await seller(key, 'a')
    const events = async (of: string) =>
      (await get(of, '/v1/audit-events')).body['audit_events'] as Record<string, unknown>[]
    expect(await events(key)).toMatchObject([
      { action: 'account.key_created', resource_id: id, key_id, values: { key_id: { new: made_key } } },
      { action: 'account.created', resource_id: id, key_id },
    ])
    expect(await events(own)).toMatchObject([
      { action: 'api_key.created', resource_id: made_key, key_id },
      { action: 'account.created', resource_id: id, key_id },
    ])
  })

  it.each([
    ['external_id', { name: 'x' }],
    ['external_id', { ...SELLER, external_id: '' }],
    ['external_id', { ...SELLER, external_id: '..' }],
    ['external_id', { ...SELLER, external_id: 'x'.repeat(256) }],
    ['external_id', { ...SELLER, external_id: 7 }],
    ['name', { external_id: 'x' }],
    ['name', { ...SELLER, name: ' ' }],
    ['name', { ...SELLER, name: 'x'.repeat(201) }],
    ['tier', { ...SELLER, tier: 'enterprise' }],
    ['sandbox', { ...SELLER, sandbox: false }],
    ['platform_id', { ...SELLER, platform_id: 'x' }],
  ])('needs a good %s: %j', async (path, body) => {
    const { key } = await platform()
    expect(await make(key, body)).toMatchObject({ status: 400, body: { errors: [{ path }] } })
    expect((await get(key, '/v1/accounts')).body).toMatchObject({ accounts: [] })
  })
})

describe('a list of accounts', () => {
  it('is read by cursor, the newest first', async () => {
    const { key } = await platform()
    const ids = []
    for (const external_id of ['a', 'b', 'c']) ids.unshift(await made(key, { external_id, name: 'x' }))
    const read = async (query: string) => {
      const { body } = await get(key, `/v1/accounts?limit=2${query}`)
      return { ids: (body['accounts'] as { id: string }[]).map(({ id }) => id), next: body['next_cursor'] }
    }
    const first = await read('')
    const second = await read(`&cursor=${String(first.next)}`)
    expect([...first.ids, ...second.ids]).toEqual(ids)
    expect(second.next).toBeNull()
  })

  it.each(['limit=0', 'limit=101', 'cursor=acct_1', 'cursor=%25'])('refuses %s', async (query) => {
    const { key } = await platform()
    expect((await get(key, `/v1/accounts?${query}`)).status).toBe(400)
  })
})

describe('the same account again', () => {
  it('is made once, by its external id', async () => {
    const { key } = await platform()
    const [one, two] = [await make(key), await make(key)]
    expect(two).toMatchObject({ status: 201, body: { id: one.body['id'] } })
    expect((await get(key, '/v1/accounts')).body['accounts']).toHaveLength(1)
  })

  it('is answered with the name that it has now, also once its seller renamed itself', async () => {
    const { key } = await platform()
    const renamed = await seller(key, 'seller-1')
    const name = 'Ceramics of Example'
    expect((await call('PUT', '/v1/account', { key: renamed.key, body: { name } })).status).toBe(200)
    const headers = { 'Idempotency-Key': 'again' }
    const answers = [
      await make(key),
      await post(key, '/v1/accounts', SELLER, headers),
      await post(key, '/v1/accounts', SELLER, headers),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(201)
      expect(body).toMatchObject({ id: renamed.id, external_id: 'seller-1', name })
      expect(body).not.toHaveProperty('key')
    }
    expect((await get(key, `/v1/accounts/${renamed.id}`)).body['name']).toBe(name)
  })

  it('is never that of another platform', async () => {
    const [{ key: one }, { key: two }] = [await platform(), await platform()]
    expect(await made(two)).not.toBe(await made(one))
  })

  it('is made once by requests at once, with and without an Idempotency-Key', async () => {
    const { key } = await platform()
    const same = { 'Idempotency-Key': 'once' }
    const answers = await Promise.all([
      make(key),
      make(key),
      post(key, '/v1/accounts', SELLER, same),
      make(key),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1)
    const events =
      "SELECT count(*) AS n FROM audit_events WHERE action = 'account.created' AND resource_id = ?"
    expect(await env.DB.prepare(events).bind(answers[0]?.body['id']).first('n')).toBe(2)
  })

  it('gets its home from the second request if the first one died before it', async () => {
    const { key } = await platform()
    const others = shardsOf(env).filter(({ number }) => number > 0)
    const headers = { 'Idempotency-Key': 'once' }
    const request = { method: 'POST', path: '/v1/accounts', body: SELLER }
    expect((await callWith(withoutHomes(), key, request, headers)).status).toBe(500)
    const { body } = await get(key, '/v1/accounts/external/seller-1')
    const homes = () => Promise.all(others.map(({ books }) => readHome(books, String(body['id']))))
    expect(await homes()).not.toContain('open')
    const again = await post(key, '/v1/accounts', SELLER, headers)
    expect(again).toMatchObject({ status: 201, body: { id: body['id'] } })
    expect(await homes()).toContain('open')
  })

  it('gets its home from its first key if nobody asked again', async () => {
    const { key } = await platform()
    const id = await made(key)
    const [shard] = shardsOf(env).filter(({ number }) => number > 0)
    if (shard === undefined) throw new Error('the tests have shards')
    for (const { books, number } of shardsOf(env))
      if (number > 0) await unchecked(books).prepare('DELETE FROM accounts WHERE id = ?').bind(id).run()
    await env.DB.prepare("UPDATE accounts SET shard = ?, home = 'away' WHERE id = ?")
      .bind(shard.number, id)
      .run()
    const { body } = await post(key, `/v1/accounts/${id}/api-keys`, { scopes: ['*'] })
    expect((await post(String(body['key']), '/v1/transactions', SALE)).status).toBe(201)
  })
})

/** The bindings with shards that tell their size, and fail when a home is made there. */
function withoutHomes() {
  const others = shardsOf(env).filter(({ number }) => number > 0)
  const failing = others.map(({ number, books }) => {
    let trips = 0
    const db = interceptedDatabase(wholeDb(books as never), async (trip) => {
      trips += 1
      if (trips > 1) throw DOWN
      return trip()
    })
    return [`BOOKS_${number}`, db]
  })
  return { ...env, ...Object.fromEntries(failing) }
}

describe('the quota of accounts', () => {
  const few = { ...env, QUOTA_PRO_ACCOUNTS: '2' }
  const request = (external_id: string) => ({
    method: 'POST',
    path: '/v1/accounts',
    body: { external_id, name: 'x' },
  })

  it('refuses a further one, with nothing changed, and answers those that exist', async () => {
    const { key } = await platform({ tier: 'pro', scopes: ['platform:write', 'registrations:read'] })
    for (const external_id of ['a', 'b'])
      expect((await callWith(few, key, request(external_id))).status).toBe(201)
    expect(await callWith(few, key, request('c'))).toMatchObject(refused(403, 'quota_exceeded'))
    expect((await get(key, '/v1/accounts/external/c')).status).toBe(404)
    expect((await callWith(few, key, request('a'))).status).toBe(201)
    const { usage } = (await get(key, '/v1/account/usage')).body
    expect(usage).toMatchObject({ accounts: { stored: 2, quota: 1_000 } })
  })

  it('holds for requests at once', async () => {
    const { key } = await platform({ tier: 'pro' })
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((id) => callWith(few, key, request(id))))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 403, 403])
    expect((await get(key, '/v1/accounts')).body['accounts']).toHaveLength(2)
  })
})

describe('the scope platform:write', () => {
  it('is not contained in *, nor in a role, and only a key that has it grants it', async () => {
    const { key } = await newAccount({ scopes: ['*'] })
    expect(await make(key)).toMatchObject(refused(403, 'missing_scope: platform:write'))
    const wanted = { scopes: ['platform:write'] }
    expect(await post(key, '/v1/api-keys', wanted)).toMatchObject(
      refused(403, 'scope_not_grantable: platform:write'),
    )
    const { key: able } = await newAccount({ scopes: ['*', 'platform:write'] })
    const granted = await post(able, '/v1/api-keys', wanted)
    expect((await make(String(granted.body['key']))).status).toBe(201)
  })

  it('reads and changes no books of its own', async () => {
    const { key } = await platform()
    for (const path of ['/v1/account', '/v1/transactions', '/v1/api-keys', '/v1/people', '/v1/audit-events'])
      expect((await get(key, path)).body['reason'], path).toMatch(/^missing_scope/)
    expect((await post(key, '/v1/calculate', SALE)).status).toBe(403)
  })

  it('is no scope of an account under a platform', async () => {
    const { key } = await platform()
    const id = await made(key)
    for (const scope of ['platform:write', 'operator'])
      expect(await post(key, `/v1/accounts/${id}/api-keys`, { scopes: [scope] })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'scopes[0]' }] },
      })
    const { key: own } = await seller(key, 'a')
    expect(await make(own)).toMatchObject(refused(403, 'missing_scope: platform:write'))
  })
})

describe('a key for an account of a platform', () => {
  it('has the scopes that were asked for, and ends with the key of the platform', async () => {
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    const { key } = await platform({ expires_at })
    const id = await made(key)
    const keys = `/v1/accounts/${id}/api-keys`
    const { body } = await post(key, keys, { name: 'Shop', scopes: ['tax:read', 'tax:read'] })
    expect(body).toMatchObject({ name: 'Shop', scopes: ['tax:read'], expires_at, made_by: null })
    expect((await get(String(body['key']), '/v1/api-keys/current')).body).toMatchObject({ id: body['id'] })
    const later = new Date(Date.now() + 2 * 86_400_000).toISOString()
    for (const wrong of [later, '2020-01-01T00:00:00Z', 'tomorrow'])
      expect(await post(key, keys, { scopes: ['*'], expires_at: wrong })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'expires_at' }] },
      })
  })

  it('is shown once', async () => {
    const { key } = await platform()
    const path = `/v1/accounts/${await made(key)}/api-keys`
    const once = { 'Idempotency-Key': 'once' }
    const [first, again] = [
      await post(key, path, { scopes: ['*'] }, once),
      await post(key, path, { scopes: ['*'] }, once),
    ]
    expect(again.body).toEqual({ ...first.body, key: null })
    const kept = await env.DB.prepare('SELECT group_concat(answer) AS text FROM idempotency_keys').first(
      'text',
    )
    expect(kept).not.toContain(first.body['key'])
  })

  it('counts against the quota of that account', async () => {
    const { key } = await platform({ tier: 'pro' })
    const path = `/v1/accounts/${await made(key)}/api-keys`
    const few = { ...env, QUOTA_PRO_API_KEYS: '1' }
    const request = { method: 'POST', path, body: { scopes: ['*'] } }
    expect((await callWith(few, key, request)).status).toBe(201)
    expect(await callWith(few, key, request)).toMatchObject(refused(403, 'quota_exceeded'))
  })

  it('is not made for a suspended account, nor by a suspended platform', async () => {
    const { key, account_id } = await platform()
    const id = await made(key)
    const suspend = (account: string) =>
      env.DB.prepare('UPDATE accounts SET suspended_at = ? WHERE id = ?').bind('2026-01-01', account).run()
    await suspend(id)
    const path = `/v1/accounts/${id}/api-keys`
    expect(await post(key, path, { scopes: ['*'] })).toMatchObject(refused(403, 'account_suspended'))
    expect((await get(key, `/v1/accounts/${id}`)).body).toMatchObject({ suspended: true })
    await suspend(account_id)
    expect(await make(key, { external_id: 'b', name: 'x' })).toMatchObject({ status: expect.any(Number) })
    expect(
      await env.DB.prepare("SELECT id FROM accounts WHERE external_id = 'b' AND platform_id = ?")
        .bind(account_id)
        .first(),
    ).toBeNull()
  })
})

describe('accounts of one platform, of another one, and of none', async () => {
  const scopes = ['*', 'platform:write'] as const
  const owner = await newAccount({ scopes })
  const rival = await newAccount({ scopes })
  const one = await seller(owner.key, 'one')
  const two = await seller(owner.key, 'two')
  const theirs = await seller(rival.key, 'one')
  const sale = await post(one.key, '/v1/transactions', { ...SALE, external_id: 'of-one' })
  const customer = await post(one.key, '/v1/customers', { external_id: 'of-one', name: 'Secret buyer' })
  it('have books with a sale and a customer', () => {
    expect([sale.status, customer.status]).toEqual([201, 201])
  })

  const readers = [
    ['the platform', owner.key],
    ['another account of it', two.key],
    ['another platform', rival.key],
    ['an account of that', theirs.key],
  ] as const

  it.each(readers)('%s sees nothing of the books of an account', async (_, key) => {
    const ids = [String(sale.body['id']), String(customer.body['id'])]
    for (const path of [
      `/v1/transactions/${ids[0]}`,
      '/v1/transactions/external/of-one',
      `/v1/customers/${ids[1]}`,
      '/v1/customers/external/of-one',
    ])
      expect((await get(key, path)).status, path).toBe(404)
    for (const path of [
      '/v1/transactions',
      '/v1/customers',
      '/v1/api-keys',
      '/v1/people',
      '/v1/reports/summary?from_date=2020-01-01&to_date=2030-12-31',
    ]) {
      const { status, text } = await get(key, path)
      expect(status, path).toBe(200)
      for (const secret of [...ids, 'of-one', 'Secret buyer', one.key_id]) expect(text).not.toContain(secret)
    }
    expect((await post(key, `/v1/transactions/${ids[0]}/refund`, { amount: 1, reason: 'x' })).status).toBe(
      404,
    )
    expect((await call('DELETE', `/v1/api-keys/${one.key_id}`, { key })).status).toBe(404)
  })

  it('another platform sees no account of it, by id, reference, list or cursor', async () => {
    expect((await get(rival.key, `/v1/accounts/${one.id}`)).status).toBe(404)
    expect((await get(rival.key, '/v1/accounts/external/two')).status).toBe(404)
    expect((await post(rival.key, `/v1/accounts/${one.id}/api-keys`, { scopes: ['*'] })).status).toBe(404)
    const { body } = await get(rival.key, '/v1/accounts')
    expect((body['accounts'] as { id: string }[]).map(({ id }) => id)).toEqual([theirs.id])
    const after = await get(rival.key, `/v1/accounts?cursor=${two.id}`)
    expect(after.text).not.toContain(one.id)
  })

  it('no platform reaches itself or an account that the operator made', async () => {
    const { account_id } = await newAccount()
    for (const id of [owner.account_id, rival.account_id, account_id]) {
      expect((await get(owner.key, `/v1/accounts/${id}`)).status).toBe(404)
      expect((await post(owner.key, `/v1/accounts/${id}/api-keys`, { scopes: ['*'] })).status).toBe(404)
    }
  })

  it.each([
    ['an account of it', one.key],
    ['an account of another', theirs.key],
  ])('%s is no platform', async (_, key) => {
    for (const path of ['/v1/accounts', `/v1/accounts/${two.id}`, '/v1/accounts/external/two'])
      expect(await get(key, path)).toMatchObject(refused(403, 'missing_scope: platform:write'))
  })
})

it('a leaked key of a platform ends with the keys of its accounts that it made', async () => {
  const [mine, leaked] = [await platform(), await platform({ scopes: ['keys:write', 'platform:write'] })]
  const [one, two] = [await seller(leaked.key, 'one'), await seller(mine.key, 'two')]
  const child = await post(one.key, '/v1/api-keys', { scopes: ['tax:read'] })
  const ended = await endKey(
    { control: env.DB, shardOf: (number) => shardOf(env, number), clock: () => new Date() },
    leaked.key_id,
    true,
  )
  expect(ended.under).toMatchObject([{ account_id: one.id, keys: [one.key_id, child.body['id']] }])
  forgetAll()
  for (const key of [leaked.key, one.key, String(child.body['key'])])
    expect((await get(key, '/v1/api-keys/current')).status).toBe(401)
  for (const key of [mine.key, two.key]) expect((await get(key, '/v1/api-keys/current')).status).toBe(200)
})

it('an agent with a key of a platform has no tools, and one with a key of an account has those of it', async () => {
  const { key } = await platform()
  const tools = async (of: string) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const request = { method: 'POST', path: '/mcp', body }
    const answer = await callWith(env, of, request, { Accept: 'application/json, text/event-stream' })
    return (answer.body['result'] as { tools: { name: string }[] }).tools.map(({ name }) => name)
  }
  const own = await tools((await seller(key, 'a')).key)
  expect(own).toContain('calculate_tax')
  expect(await tools(key)).not.toContain('calculate_tax')
})
