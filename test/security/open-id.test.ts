import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readSession, sessionCookie } from '../../src/parties/people/cookies.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { app } from '../../src/service/app.ts'
import { person } from '../support/access.ts'
import { newAccount } from '../support/account.ts'
import { type Behaviour, CLIENT, OPEN_ID_DOMAIN } from '../support/open-id-server.ts'
import { newAddress } from '../support/service.ts'
import { keepAccountsIn } from '../support/shards.ts'

keepAccountsIn(0)
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const { key, account_id } = await newAccount()
const owner = await person(account_id, 'owner')
const HOST = 'https://books.test'
const CURRENT = '/v1/api-keys/current'

type Asked = { method?: string; cookie?: string; headers?: Record<string, string>; body?: object }

/** A browser or a program at the service, which follows no redirect. */
async function ask(bindings: Bindings, path: string, { method = 'GET', cookie, headers, body }: Asked = {}) {
  const context = createExecutionContext()
  const response = await app.fetch(
    new Request(new URL(path, HOST), {
      method,
      headers: {
        'CF-Connecting-IP': newAddress(),
        ...(cookie !== undefined && { Cookie: cookie }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
    bindings,
    context,
  )
  const text = await response.text()
  await waitOnExecutionContext(context)
  const cookies = response.headers.getSetCookie()
  return {
    status: response.status,
    headers: response.headers,
    text,
    cookies,
    location: response.headers.get('Location'),
  }
}

const jar = (cookies: readonly string[]) => cookies.map((each) => each.split(';')[0]).join('; ')

/** A provider that behaves so, and this service as its client. */
async function newProvider(behaviour: Behaviour = {}) {
  const url = `https://${crypto.randomUUID()}${OPEN_ID_DOMAIN}`
  const behave = async (next: Behaviour) =>
    void (await (await fetch(url, { method: 'PUT', body: JSON.stringify(next) })).text())
  await behave(behaviour)
  const bindings: Bindings = {
    ...env,
    OIDC_ISSUER: url,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
  }
  const asked = async (): Promise<string[]> => (await fetch(`${url}/?asked`)).json()
  return { url, bindings, behave, asked }
}

/** Goes to the provider, and comes back with the address and the cookies for the callback. */
async function atProvider(bindings: Bindings, path = '/sign-in') {
  const begun = await ask(bindings, path)
  expect(begun.status).toBe(302)
  const sent = await fetch(begun.location ?? '', { redirect: 'manual' })
  await sent.text()
  return { begun, back: sent.headers.get('Location') ?? '', cookie: jar(begun.cookies) }
}

/** Signs in as a browser does. Returns the answer of the callback. */
async function signIn(bindings: Bindings, path = '/sign-in') {
  const { back, cookie } = await atProvider(bindings, path)
  return ask(bindings, back, { cookie })
}

const known = { claims: { email: owner.email } }

describe('a sign-in at an OpenID Connect provider', () => {
  it('makes the person the caller, with the scopes of the role', async () => {
    const { bindings } = await newProvider(known)
    const { status, location, cookies } = await signIn(
      bindings,
      `/sign-in?view=${encodeURIComponent('#/returns?type=x')}`,
    )
    expect([status, location]).toEqual([302, '/console/#/returns?type=x'])
    expect(cookies[0]).toMatch(
      /^__Host-session=[\w+/=.]+; Max-Age=43200; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    )
    expect(cookies[1]).toBe('__Host-sign-in=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax')
    const current = await ask(bindings, CURRENT, { cookie: jar(cookies), headers: { 'X-Client': 'test' } })
    expect([current.status, JSON.parse(current.text)]).toMatchObject([
      200,
      {
        id: owner.id,
        scopes: ['*'],
        person: { email: owner.email, role: 'owner' },
        account: { id: account_id },
      },
    ])
  })

  it('asks with PKCE, state and nonce, each of them new, and keeps them from the address and from scripts', async () => {
    const { bindings } = await newProvider(known)
    const [one, two] = [await ask(bindings, '/sign-in'), await ask(bindings, '/sign-in?again')]
    const [first, second] = [one, two].map(({ location }) => new URL(location ?? '').searchParams)
    expect(Object.fromEntries(first ?? [])).toEqual({
      client_id: CLIENT.id,
      redirect_uri: `${HOST}/sign-in/callback`,
      response_type: 'code',
      scope: 'openid email',
      state: expect.stringMatching(/^.{43}$/),
      nonce: expect.stringMatching(/^.{43}$/),
      code_challenge: expect.stringMatching(/^.{43}$/),
      code_challenge_method: 'S256',
    })
    expect(second?.get('prompt')).toBe('login')
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(first?.get(name)).not.toBe(second?.get(name))
    expect(one.cookies[0]).toMatch(
      /^__Host-sign-in=.*; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    )
    expect(decodeURIComponent(one.cookies.join())).not.toContain(first?.get('state'))
    expect(one.headers.get('Cache-Control')).toBe('no-store')
  })

  it('is at CONSOLE_URL if that is set', async () => {
    const { bindings } = await newProvider(known)
    const { location } = await ask({ ...bindings, CONSOLE_URL: 'https://people.test' }, '/sign-in')
    expect(new URL(location ?? '').searchParams.get('redirect_uri')).toBe(
      'https://people.test/sign-in/callback',
    )
  })

  it('finds an e-mail that only the userinfo endpoint tells', async () => {
    const userinfo = { email: owner.email.toUpperCase(), email_verified: 'true' }
    const { bindings } = await newProvider({ userinfo, claims: { email_verified: null } })
    expect((await signIn(bindings)).status).toBe(302)
  })

  it('takes a public client, without a secret, no further than the provider does', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { bindings } = await newProvider(known)
    const { status, text } = await signIn({ ...bindings, OIDC_CLIENT_SECRET: '' })
    expect([status, text]).toEqual([503, expect.stringContaining('Nobody can sign in now')])
  })

  it('is only one after Access, which comes first', async () => {
    const { bindings } = await newProvider(known)
    const both = { ...bindings, ACCESS_ISSUER: 'https://team.cloudflareaccess.test', ACCESS_AUDIENCE: 'a' }
    for (const other of [both, { ...env }])
      for (const path of ['/sign-in', '/sign-in/callback?code=a&state=b'])
        expect((await ask(other, path)).status).toBe(404)
    const way = async (of: Bindings) => JSON.parse((await ask(of, '/sign-in/way')).text)
    expect([await way(bindings), await way(both), await way(env)]).toEqual(
      [true, false, false].map((open_id) => ({ open_id })),
    )
    const cookie = (await sessionCookie(bindings, owner.email, new Date())).split(';')[0] ?? ''
    const headers = { 'X-Client': 'test' }
    expect((await ask(bindings, CURRENT, { cookie, headers })).status).toBe(200)
    for (const other of [both, { ...env }])
      expect((await ask(other, CURRENT, { cookie, headers })).status).toBe(401)
  })

  it.each([
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '#//evil.test\r\nSet-Cookie: a=b',
    '#"><script>',
    'javascript:1',
  ])('leads to the console, also if it was asked for %s', async (view) => {
    const { bindings } = await newProvider(known)
    const { location } = await signIn(
      bindings,
      `/sign-in?view=${encodeURIComponent(view)}&to=${encodeURIComponent(view)}`,
    )
    expect(location).toBe('/console/')
  })
})

describe('a sign-in that signs in nobody', () => {
  const wrong: [string, Behaviour, RegExp][] = [
    ['from another issuer', { claims: { iss: 'https://evil.test' } }, /iss/],
    ['for another application', { claims: { aud: 'another' } }, /aud/],
    [
      'for several applications and no party',
      { claims: { aud: [CLIENT.id, 'another'] } },
      /untrusted audiences/,
    ],
    ['of another sign-in', { claims: { nonce: 'another' } }, /nonce/],
    ['of no sign-in', { claims: { nonce: null } }, /nonce/],
    ['that has ended', { claims: { exp: 1_700_000_000 } }, /exp/],
    ['without an end', { claims: { exp: null } }, /exp/],
    ['without a begin', { claims: { iat: null } }, /iat/],
    ['without a signature', { signature: 'none' }, /alg/],
    ['signed with a key that is not published', { signature: 'other_key' }, /key/],
    ['with another payload than was signed', { signature: 'forged' }, /signature/],
    ['whose e-mail is not verified', { claims: { email_verified: false } }, /not verified/],
    [
      'that does not say whether the e-mail is verified',
      { claims: { email_verified: null } },
      /not verified/,
    ],
    ['whose e-mail is verified by a number', { claims: { email_verified: 1 } }, /not verified/],
    ['without an e-mail', { claims: { email: null } }, /tells no e-mail/],
    ['with two e-mails', { claims: { email: [owner.email] } }, /tells no e-mail/],
    ['with an e-mail of blanks', { claims: { email: 'a b@example.com' } }, /tells no e-mail/],
    ['whose other answer is of another person', { claims: { email: null }, userinfo: { sub: 'sam' } }, /sub/],
    ['that the person refuses', { error: 'access_denied' }, /access_denied/],
  ]
  it.each(wrong)('%s', async (_, behaviour, cause) => {
    const claims = { email: owner.email, ...behaviour.claims }
    const { bindings } = await newProvider({ ...behaviour, claims })
    const { status, text, cookies, headers } = await signIn(bindings)
    expect(status).toBe(401)
    expect(text).toMatch(cause)
    expect(headers.get('Content-Type')).toContain('text/html')
    expect(cookies.join()).not.toContain('session')
    expect(text).not.toContain(owner.email)
  })

  it('is one whose code was used before, though the browser still has its cookie', async () => {
    const { bindings } = await newProvider(known)
    const { back, cookie } = await atProvider(bindings)
    expect((await ask(bindings, back, { cookie })).status).toBe(302)
    const again = await ask(bindings, back, { cookie })
    expect([again.status, again.text]).toEqual([401, expect.stringContaining('code is used')])
    expect(again.cookies.join()).not.toContain('session')
  })

  it('is one that another browser has begun, or that was begun too long ago', async () => {
    const { bindings, asked } = await newProvider(known)
    const [mine, other] = [await atProvider(bindings), await atProvider(bindings)]
    const before = (await asked()).length
    expect((await ask(bindings, mine.back)).status).toBe(401)
    expect((await ask(bindings, mine.back, { cookie: other.cookie })).status).toBe(401)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_001 })
    expect((await ask(bindings, mine.back, { cookie: mine.cookie })).status).toBe(401)
    // No code went to the provider.
    expect((await asked()).slice(before)).not.toContain('/token')
  })

  it('is one whose answer comes from another provider', async () => {
    const { bindings } = await newProvider(known)
    const { back, cookie } = await atProvider(bindings)
    for (const iss of ['https://evil.test', null]) {
      const url = new URL(back)
      if (iss === null) url.searchParams.delete('iss')
      else url.searchParams.set('iss', iss)
      expect((await ask(bindings, url.href, { cookie })).status).toBe(401)
    }
  })

  it('is none of the service, whatever the callback is sent', async () => {
    const { bindings } = await newProvider(known)
    const { cookie } = await atProvider(bindings)
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom('code', 'state', 'iss', 'error', 'id_token'), fc.string()),
        async (sent) => {
          const { status } = await ask(
            bindings,
            `/sign-in/callback?${new URLSearchParams(sent).toString()}`,
            { cookie },
          )
          expect(status).toBe(401)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('is told to try again while the provider is away or another one answers, and keys go on', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const begins: Behaviour[] = [
      { statuses: { '/.well-known/openid-configuration': 500 } },
      { statuses: { '/.well-known/openid-configuration': 404 } },
      { statuses: { '/.well-known/openid-configuration': 302 } },
      { discovery: { issuer: 'https://evil.test' } },
      { discovery: { authorization_endpoint: 'javascript:alert(1)' } },
      { discovery: { padding: 'a'.repeat(100_000) } },
    ]
    for (const behaviour of begins) {
      const { bindings } = await newProvider(behaviour)
      const { status, headers } = await ask(bindings, '/sign-in')
      expect([status, headers.get('Retry-After')], JSON.stringify(behaviour).slice(0, 80)).toEqual([503, '5'])
      const Authorization = `Bearer ${key}`
      expect((await ask(bindings, CURRENT, { headers: { Authorization } })).status).toBe(200)
    }
    for (const path of ['/token', '/keys']) {
      const { bindings } = await newProvider({ ...known, statuses: { [path]: 500 } })
      expect((await signIn(bindings)).status).toBe(503)
    }
    const { bindings } = await newProvider(known)
    for (const off of [
      { OIDC_CLIENT_ID: ' ' },
      { OIDC_ISSUER: 'http://idp.test' },
      { OIDC_ISSUER: 'idp' },
      { ENCRYPTION_KEY: '' },
    ])
      expect((await ask({ ...bindings, ...off }, '/sign-in')).status, JSON.stringify(off)).toBe(503)
    expect(log.mock.calls.flat().join()).toContain('OIDC_ISSUER')
  })
})

describe('a session', () => {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof newProvider>>>()
  void newProvider(known).then(resolve)
  const headers = { 'X-Client': 'test' }
  const sessionOf = async (email: string, now = new Date()) => {
    const { bindings } = await promise
    return (await sessionCookie(bindings, email, now)).split(';')[0] ?? ''
  }
  const current = async (cookie: string, more: Partial<Bindings> = {}) => {
    const { bindings } = await promise
    const { status, text } = await ask({ ...bindings, ...more }, CURRENT, { cookie, headers })
    return { status, reason: JSON.parse(text).reason as unknown }
  }
  const ended = { status: 401, reason: 'invalid_sign_in' }

  it('sends a header that no page of another origin can send', async () => {
    const { bindings } = await promise
    for (const sent of [{}, { 'X-Client': '' }, { 'X-Client': ' ' }]) {
      const { status, text } = await ask(bindings, CURRENT, {
        cookie: await sessionOf(owner.email),
        headers: sent,
      })
      expect([status, JSON.parse(text).reason]).toEqual([403, 'client_header_required'])
    }
  })

  it('ends after twelve hours', async () => {
    const cookie = await sessionOf(owner.email)
    const begun = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: begun + 43_100_000 })
    expect((await current(cookie)).status).toBe(200)
    vi.setSystemTime(begun + 43_201_000)
    expect(await current(cookie)).toEqual(ended)
  })

  it('ends at once when the person is removed, and does not begin again when the person is added again', async () => {
    const { email, id } = await person(account_id, 'auditor')
    const cookie = await sessionOf(email, new Date(Date.now() - 60_000))
    expect((await current(cookie)).status).toBe(200)
    const { bindings } = await promise
    const Authorization = `Bearer ${key}`
    expect(
      (await ask(bindings, `/v1/people/${id}`, { method: 'DELETE', headers: { Authorization } })).status,
    ).toBe(200)
    expect(await current(cookie)).toEqual({ status: 403, reason: 'not_a_member' })
    const body = { email, name: 'Kim', role: 'auditor' }
    expect(
      (await ask(bindings, '/v1/people', { method: 'POST', headers: { Authorization }, body })).status,
    ).toBe(201)
    expect(await current(cookie)).toEqual(ended)
    expect((await current(await sessionOf(email, new Date(Date.now() + 1_000)))).status).toBe(200)
  })

  it('ends in all browsers when the person signs out, and another one begins', async () => {
    const { bindings } = await promise
    const { email } = await person(account_id, 'auditor')
    const before = new Date(Date.now() - 1_000)
    const [one, two] = [await sessionOf(email, before), await sessionOf(email, before)]
    const out = async (sent: Record<string, string>, cookie = one) =>
      ask(bindings, '/sign-in/end', { method: 'POST', cookie, headers: sent })
    expect((await out({})).status).toBe(403)
    expect((await current(one)).status).toBe(200)
    const answer = await out(headers)
    expect([answer.status, answer.cookies]).toEqual([
      200,
      ['__Host-session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Strict'],
    ])
    expect([await current(one), await current(two)]).toEqual([ended, ended])
    expect((await current(await sessionOf(owner.email))).status).toBe(200)
    const later = await sessionOf(email, new Date(Date.now() + 1_000))
    expect((await current(later)).status).toBe(200)
    expect((await out(headers, '')).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect((await out(headers)).status).toBe(200)
    expect((await current(later)).status).toBe(200)
  })

  it('that has ended does not begin again in an account that adds the person later', async () => {
    const { bindings } = await promise
    const { email } = await person(account_id, 'auditor')
    const cookie = await sessionOf(email, new Date(Date.now() - 1_000))
    await ask(bindings, '/sign-in/end', { method: 'POST', cookie, headers })
    const other = await newAccount()
    const added = await ask(bindings, '/v1/people', {
      method: 'POST',
      headers: { Authorization: `Bearer ${other.key}` },
      body: { email, name: 'Kim', role: 'auditor' },
    })
    expect(added.status, added.text).toBe(201)
    const sent = { cookie, headers: { ...headers, 'X-Account': other.account_id } }
    expect((await ask(bindings, CURRENT, sent)).status).toBe(401)
    const again = await sessionOf(email, new Date(Date.now() + 1_000))
    expect((await ask(bindings, CURRENT, { ...sent, cookie: again })).status).toBe(200)
  })

  it('is of its provider, its client and its key alone, and nobody can make or change one', async () => {
    const { bindings } = await promise
    const cookie = await sessionOf(owner.email)
    for (const other of [
      { OIDC_ISSUER: 'https://other.openid.test' },
      { OIDC_CLIENT_ID: 'another' },
      { ENCRYPTION_KEY: 'another key' },
      { ENCRYPTION_KEY: '' },
    ])
      expect(await current(cookie, other), JSON.stringify(other)).toEqual(ended)
    expect((await current(cookie, { ENCRYPTION_KEY_NEXT: 'a next key' })).status).toBe(200)
    // A sign-in that has only begun is no session.
    const begun = await ask(bindings, '/sign-in')
    expect(await current(jar(begun.cookies).replace('__Host-sign-in', '__Host-session'))).toEqual(ended)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(cookie.length - 16),
        fc.string({ minLength: 1, maxLength: 1 }),
        async (index, letter) => {
          const at = 15 + index
          const changed = `${cookie.slice(0, at)}${letter}${cookie.slice(at + 1)}`
          fc.pre(changed !== cookie && !/[;\s]/.test(letter))
          const session = await readSession(bindings, changed, new Date())
          // The last letter of a text in base64 has bits that say nothing.
          expect(session === null || session.email === owner.email).toBe(true)
        },
      ),
    )
    for (const made of ['__Host-session=', '__Host-session=a.b.c', `__Host-session=${'a'.repeat(9_000)}`])
      expect(await current(made)).toEqual(ended)
  })

  it('does not matter beside a key, and a bad key is not mended by it', async () => {
    const { bindings } = await promise
    const cookie = await sessionOf(owner.email)
    const asked = async (Authorization: string) =>
      ask(bindings, CURRENT, { cookie, headers: { ...headers, Authorization } })
    expect(JSON.parse((await asked(`Bearer ${key}`)).text).person).toBeNull()
    expect((await asked('Bearer x')).status).toBe(401)
  })

  it('that is not there leaves the refusal of a request without a key as it is', async () => {
    for (const cookie of ['', 'theme=dark'])
      expect(await current(cookie)).toEqual({ status: 401, reason: 'invalid_api_key' })
  })

  it('fails so often an address until it is told to wait', async () => {
    const { bindings } = await promise
    const from = { 'CF-Connecting-IP': '198.51.100.78', ...headers }
    const statuses = new Set<number>()
    for (let index = 0; index < 121; index += 1)
      statuses.add((await ask(bindings, CURRENT, { cookie: '__Host-session=a.b.c', headers: from })).status)
    expect(statuses).toEqual(new Set([401, 429]))
  })

  it.each(['/mcp', '/v2/categories', '/calendar/any.ics'])('signs in nobody at %s', async (path) => {
    const { bindings } = await promise
    const cookie = await sessionOf(owner.email)
    expect([401, 404, 405]).toContain((await ask(bindings, path, { cookie, headers })).status)
  })
})
