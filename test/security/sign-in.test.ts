import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { newSigningKey } from '../../scripts/access/assertion.ts'
import { ask, newIssuer, person } from '../support/access.ts'
import { newAccount } from '../support/account.ts'
import { badAssertions } from '../support/bad-assertions.ts'
import { keepAccountsIn } from '../support/shards.ts'

keepAccountsIn(0)
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const issuer = await newIssuer()
const { bindings } = issuer
const { key, account_id } = await newAccount()
const owner = await person(account_id, 'owner')
const CURRENT = '/v1/api-keys/current'
const current = async (email: string, headers: Record<string, string> = {}) =>
  ask(bindings, await issuer.token(email), CURRENT, { headers })

/** The clock of the service is set; the tokens have the same time. */
function at(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: ms })
}

describe('a person who has signed in', () => {
  it('is the caller, with the scopes of the role', async () => {
    const { status, body } = await current(owner.email)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: owner.id,
      scopes: ['*'],
      expires_at: null,
      person: {
        id: owner.id,
        email: owner.email,
        name: 'Kim Example',
        role: 'owner',
        accounts: [{ id: account_id, role: 'owner', sandbox: false }],
      },
      account: { id: account_id },
    })
  })

  it('is found whatever the case of the e-mail', async () => {
    expect((await current(owner.email.toUpperCase())).status).toBe(200)
  })

  it('is named by the audit log', async () => {
    const made = await ask(bindings, await issuer.token(owner.email), '/v1/api-keys', {
      method: 'POST',
      body: { name: 'Checkout', scopes: ['tax:read'] },
    })
    expect(made.status).toBe(201)
    const { body } = await ask(bindings, await issuer.token(owner.email), '/v1/audit-events')
    expect(body['audit_events']).toContainEqual(
      expect.objectContaining({ action: 'api_key.created', key_id: owner.id }),
    )
  })

  it('sends a header that no page of another origin can send', async () => {
    for (const headers of [{ 'X-Client': '' }, { 'X-Client': ' ' }])
      expect(await current(owner.email, headers)).toMatchObject({
        status: 403,
        body: { reason: 'client_header_required' },
      })
  })

  it('is seen on that day, and the day is written once', async () => {
    const read = () =>
      env.DB.prepare('SELECT last_seen_at FROM people WHERE id = ?')
        .bind(owner.id)
        .first<string>('last_seen_at')
    at(Date.now() + 86_400_000)
    await current(owner.email)
    expect(await read()).toBe(new Date().toISOString().slice(0, 10))
    const prepare = vi.spyOn(env.DB, 'prepare')
    await current(owner.email)
    expect(prepare.mock.calls.flat().filter((sql) => sql.startsWith('UPDATE'))).toEqual([])
  })

  it('is told by a lacking scope what the role lacks', async () => {
    const auditor = await person(account_id, 'auditor')
    const answer = await ask(bindings, await issuer.token(auditor.email), '/v1/people', {
      method: 'POST',
      body: {},
    })
    expect(answer).toMatchObject({
      status: 403,
      body: {
        reason: 'missing_scope: people:write',
        message: 'The role auditor lacks the scope people:write',
      },
    })
  })
})

describe('an assertion', () => {
  const bad = badAssertions(issuer, owner.email)

  it('that is bad signs in nobody, and says why', async () => {
    for (const [name, token, cause] of await bad) {
      const answer = await ask(bindings, token, CURRENT)
      expect([answer.status, answer.body['reason']], name).toEqual([401, 'invalid_sign_in'])
      expect(answer.body['message'], name).toMatch(cause)
      expect(answer.headers.get('WWW-Authenticate'), name).toBe('Bearer')
      expect(answer.text, name).not.toContain(owner.email)
    }
  })

  it('that is bad does not matter beside a good key, and a bad key is not mended by a good assertion', async () => {
    for (const [name, token] of await bad)
      expect(
        (await ask(bindings, token, CURRENT, { headers: { Authorization: `Bearer ${key}` } })).body['person'],
        name,
      ).toBeNull()
    for (const Authorization of ['', 'Bearer', 'Bearer x', `Basic ${btoa('a:b')}`])
      expect(await current(owner.email, { Authorization })).toMatchObject({
        status: 401,
        body: { reason: 'invalid_api_key' },
      })
  })

  it('is not read from the cookie', async () => {
    const headers = { Cookie: `CF_Authorization=${await issuer.token(owner.email)}` }
    expect((await ask(bindings, '', CURRENT, { headers })).status).toBe(401)
  })

  it('means nothing to a service without the variables', async () => {
    for (const without of [
      { ...bindings, ACCESS_ISSUER: undefined },
      { ...bindings, ACCESS_ISSUER: '' },
    ])
      expect(await ask(without as typeof bindings, await issuer.token(owner.email), CURRENT)).toMatchObject({
        status: 401,
        body: { reason: 'invalid_api_key' },
      })
  })

  it('is refused as out of use if a variable is wrong, and keys go on', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    for (const wrong of [
      { ACCESS_AUDIENCE: '' },
      { ACCESS_AUDIENCE: ' , ' },
      { ACCESS_ISSUER: 'team' },
      { ACCESS_ISSUER: 'http://team.cloudflareaccess.test' },
      { ACCESS_ISSUER: `${issuer.url}/path` },
    ]) {
      const set = { ...bindings, ...wrong }
      const token = await issuer.token(owner.email)
      expect(await ask(set, token, CURRENT), JSON.stringify(wrong)).toMatchObject({
        status: 503,
        body: { reason: 'sign_in_unavailable' },
      })
      expect((await ask(set, token, CURRENT, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(
        200,
      )
    }
    expect(log.mock.calls.flat().join()).toContain('ACCESS_ISSUER')
  })

  it.each([
    ['ended 50 s ago', (now: number) => ({ exp: now - 50 })],
    ['begins in 50 s', (now: number) => ({ nbf: now + 50, iat: now + 50 })],
  ])('that %s by the clock of the service is taken: clocks differ', async (_, claims) => {
    const token = await issuer.token(owner.email, claims(Math.floor(Date.now() / 1000)))
    expect((await ask(bindings, token, CURRENT)).status).toBe(200)
  })

  it('fails so often an address until it is told to wait', async () => {
    const headers = { 'CF-Connecting-IP': '198.51.100.77' }
    const statuses = new Set<number>()
    for (let index = 0; index < 121; index += 1)
      statuses.add((await ask(bindings, 'a.b.c', CURRENT, { headers })).status)
    expect(statuses).toEqual(new Set([401, 429]))
    expect((await current(owner.email, headers)).status).toBe(200)
  })
})

describe('the account of a person', () => {
  it('is chosen by X-Account, else the first that has added the person', async () => {
    const { account_id: second } = await newAccount()
    const { email } = await person(account_id, 'accountant')
    await person(second, 'auditor', email)
    const in_first = await current(email)
    expect(in_first.body).toMatchObject({ account: { id: account_id }, person: { role: 'accountant' } })
    expect(Object(in_first.body['person']).accounts).toEqual([
      expect.objectContaining({ id: account_id, role: 'accountant' }),
      expect.objectContaining({ id: second, role: 'auditor' }),
    ])
    const in_second = await current(email, { 'X-Account': second })
    expect(in_second.body).toMatchObject({ account: { id: second }, person: { role: 'auditor' } })
    await env.DB.prepare('UPDATE accounts SET suspended_at = ? WHERE id = ?')
      .bind('2026-01-01', account_id)
      .run()
    expect((await current(email)).body).toMatchObject({ account: { id: second } })
    expect(await current(email, { 'X-Account': account_id })).toMatchObject({
      status: 403,
      body: { reason: 'account_suspended' },
    })
    await env.DB.prepare('UPDATE accounts SET suspended_at = NULL WHERE id = ?').bind(account_id).run()
  })

  it.each([
    ['of somebody else', async () => (await newAccount()).account_id],
    ['that does not exist', async () => 'acct_00000000000000000000000000'],
    ['of no name', async () => ''],
    ['of another form', async () => "' OR 1=1 --"],
  ])('cannot be one %s', async (_, account) => {
    expect(await current(owner.email, { 'X-Account': await account() })).toMatchObject({
      status: 403,
      body: { reason: 'not_a_member', error_code: 'FORBIDDEN' },
    })
  })

  it('is none for somebody whom nobody has added', async () => {
    expect(await current('stranger@example.com')).toMatchObject({
      status: 403,
      body: { reason: 'not_a_member' },
    })
  })
})

describe('the keys of the issuer', () => {
  const signedBy = async (own: Awaited<ReturnType<typeof newIssuer>>, signer = own.key) =>
    ask(own.bindings, await own.token(owner.email, {}, signer), CURRENT)

  it('are read once, and again when a token names a new one, at most twice a minute', async () => {
    const own = await newIssuer()
    for (let index = 0; index < 5; index += 1) expect((await signedBy(own)).status).toBe(200)
    expect(await own.asked()).toBe(1)
    const next = await newSigningKey()
    for (let index = 0; index < 5; index += 1) expect((await signedBy(own, next)).status).toBe(401)
    expect(await own.asked()).toBe(1)
    await own.publish({ keys: [next.public_jwk, own.key.public_jwk] })
    at(Date.now() + 31_000)
    expect((await signedBy(own, next)).status).toBe(200)
    expect((await signedBy(own)).status).toBe(200)
    expect(await own.asked()).toBe(2)
  })

  it('that are not published any more sign in nobody after ten minutes and one request', async () => {
    const own = await newIssuer()
    expect((await signedBy(own)).status).toBe(200)
    await own.publish({ keys: [(await newSigningKey()).public_jwk] })
    at(Date.now() + 600_001)
    expect((await signedBy(own)).status).toBe(200)
    expect((await signedBy(own)).status).toBe(401)
  })

  it.each([
    ['fails', { keys: [], status: 500 }],
    ['redirects', { keys: [], status: 302 }],
    ['publishes none', { keys: 'none' as unknown as object[] }],
  ])(
    'are out of use for a sign-in while the issuer %s, and those in memory go on for a day',
    async (_, away) => {
      vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const own = await newIssuer()
      const begin = Date.now()
      expect((await signedBy(own)).status).toBe(200)
      await own.publish(away)
      at(begin + 23 * 3_600_000)
      expect((await signedBy(own)).status).toBe(200)
      at(begin + 25 * 3_600_000)
      expect(await signedBy(own)).toMatchObject({ status: 503, body: { reason: 'sign_in_unavailable' } })
      await own.publish({ keys: [own.key.public_jwk] })
      at(begin + 25 * 3_600_000 + 6_000)
      expect((await signedBy(own)).status).toBe(200)
    },
  )

  it('are asked for once in five seconds while the issuer fails, and nobody gets a 500', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const own = await newIssuer()
    await own.publish({ keys: [], status: 500 })
    const answers = await Promise.all(Array.from({ length: 3 }, () => signedBy(own)))
    const before = await own.asked()
    for (let index = 0; index < 10; index += 1) answers.push(await signedBy(own))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    expect(answers[0]?.headers.get('Retry-After')).toBe('5')
    expect(await own.asked()).toBe(before)
  })

  it('of one issuer sign in nobody at another', async () => {
    const [one, other] = [await newIssuer(), await newIssuer()]
    expect((await signedBy(one)).status).toBe(200)
    expect((await signedBy(other)).status).toBe(200)
    const foreign = await other.token(owner.email, { iss: one.url })
    expect(await ask(one.bindings, foreign, CURRENT)).toMatchObject({ status: 401 })
  })
})

describe('doors that only take keys', () => {
  const DOORS: [string, string, object | undefined][] = [
    ['POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    ['POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_customers' } }],
    ['GET', '/v2/categories', undefined],
    ['GET', '/taxjar/v2/categories', undefined],
    ['POST', '/saleor/sal_00000000000000000000000000/webhook', {}],
    ['GET', '/calendar/any.ics', undefined],
  ]
  it.each(DOORS)('%s %s takes no sign-in', async (method, path, body) => {
    await ask(bindings, await issuer.token(owner.email), '/v1/account', {
      method: 'PUT',
      body: { taxjar_api: { enabled: true } },
    })
    const answer = await ask(bindings, await issuer.token(owner.email), path, {
      method,
      ...(body !== undefined && { body }),
    })
    expect([401, 404]).toContain(answer.status)
  })
})
