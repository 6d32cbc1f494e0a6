import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/interfaces/routes.ts'
import { ROLE_IDS, ROLES } from '../../src/platform/database/values/roles.ts'
import { allows, SCOPES } from '../../src/platform/database/values/scopes.ts'
import { ask, newIssuer, person } from '../support/access.ts'
import { newAccount } from '../support/account.ts'
import { badAssertions } from '../support/bad-assertions.ts'
import { requestTo } from '../support/requests.ts'
import { loadTestData } from '../support/service-data.ts'
import { keepAccountsIn } from '../support/shards.ts'

keepAccountsIn(0)
await loadTestData()

const issuer = await newIssuer()
const { bindings } = issuer
const { key, account_id } = await newAccount()
const { account_id: foreign } = await newAccount()
const owner = await person(account_id, 'owner')
const token = await issuer.token(owner.email)
const bad = await badAssertions(issuer, owner.email)
const people = await Promise.all(
  ROLE_IDS.map(async (role) => ({ role, token: await issuer.token((await person(account_id, role)).email) })),
)

/** Somebody who was removed, and somebody of another account. */
const removed = await person(account_id, 'owner')
await env.DB.prepare('UPDATE people SET removed_at = created_at WHERE id = ?').bind(removed.id).run()
const stranger = await person(foreign, 'owner')

const each = ROUTES.map((route) => ({
  ...route,
  name: `${route.method.toUpperCase()} ${route.path}`,
  verb: route.method.toUpperCase(),
  url: route.path.replace(/:\w+/g, 'none_00000000000000000000000000'),
}))

describe.each(each)('$name', ({ verb, url, scope, body }) => {
  const sent = { method: verb, ...(body !== null && { body: {} }) }

  it('lets in nobody with a bad token', async () => {
    for (const [name, assertion] of bad) {
      const answer = await ask(bindings, assertion, url, sent)
      expect([answer.status, answer.body['reason']], name).toEqual([401, 'invalid_sign_in'])
    }
  })

  it('lets in nobody who is not one of the people', async () => {
    const refused = { status: 403, body: { reason: 'not_a_member' } }
    expect(await ask(bindings, await issuer.token(removed.email), url, sent)).toMatchObject(refused)
    const headers = { 'X-Account': account_id }
    const answer = await ask(bindings, await issuer.token(stranger.email), url, { ...sent, headers })
    expect(answer).toMatchObject(refused)
    const other = await ask(bindings, token, url, { ...sent, headers: { 'X-Account': foreign } })
    expect(other).toMatchObject(refused)
  })

  it('refuses a request that a page of another origin could send', async () => {
    const answer = await ask(bindings, token, url, { ...sent, headers: { 'X-Client': '' } })
    expect(answer).toMatchObject({ status: 403, body: { reason: 'client_header_required' } })
  })

  it('allows exactly the roles that have its scope', async () => {
    for (const { role, token: of } of people) {
      // Who has the scope is told of the faults of the request, and nothing is done.
      const asked = { method: verb, ...(body !== null && { raw: '{' }) }
      const { status, body: told } = await ask(bindings, of, `${url}?no_such_field=1`, asked)
      const lacks = scope !== null && !allows(new Set(ROLES[role]), scope)
      if (lacks) expect([status, told['reason']], role).toEqual([403, `missing_scope: ${scope}`])
      else expect(status, role).not.toBe(403)
    }
  })
})

it('has scopes of keys alone in its roles, and operator and platform:write in none', () => {
  for (const role of ROLE_IDS) {
    expect(ROLES[role].filter((scope) => !SCOPES.includes(scope))).toEqual([])
    expect(allows(new Set(ROLES[role]), 'operator')).toBe(false)
    expect(allows(new Set(ROLES[role]), 'platform:write')).toBe(false)
  }
})

describe('an auditor', () => {
  let auditor = ''
  beforeAll(async () => {
    auditor = await issuer.token((await person(account_id, 'auditor')).email)
  })
  const log = () =>
    env.DB.prepare('SELECT count(*) AS n FROM audit_events WHERE account_id = ?')
      .bind(account_id)
      .first<number>('n')
  /** It only stores what an authority says. */
  const ASKS = '/v1/vat/checks'

  /** What concerns other accounts is done with keys. */
  const OF_KEYS: readonly unknown[] = ['operator', 'platform:write']
  const reads = ROUTES.filter(({ method, scope }) => method === 'get' && !OF_KEYS.includes(scope))
  it.each(reads.map((route) => ({ ...route, name: route.path })))('reads $name', async (route) => {
    const request = await requestTo(route, key)
    const { status, text } = await ask(bindings, auditor, request.path)
    expect([200, 400, 404], text).toContain(status)
  })

  const writes = ROUTES.filter(
    ({ method, idempotent, path }) => (method !== 'get' || idempotent) && path !== ASKS,
  )
  it.each(writes.map((route) => ({ ...route, name: `${route.method} ${route.path}` })))(
    'changes nothing by $name',
    async (route) => {
      const request = await requestTo(route, key)
      const before = await log()
      const { method, path, body, raw } = request
      await ask(bindings, auditor, path, { method, body, ...(raw !== undefined && { raw }) })
      expect(await log()).toBe(before)
    },
  )
})

afterAll(async () => {
  // What later files of the same Worker count.
  await env.DB.prepare('DELETE FROM people').run()
})
