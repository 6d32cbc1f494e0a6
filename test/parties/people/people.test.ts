import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { removePerson } from '../../../scripts/manage-account/people.ts'
import { ask, newIssuer, person } from '../../support/access.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { keepAccountsIn } from '../../support/shards.ts'

keepAccountsIn(0)

const issuer = await newIssuer()
const { bindings } = issuer

const KIM = { email: 'kim@example.com', name: 'Kim Example', role: 'accountant' }
const add = (key: string, body: object = KIM, headers: Record<string, string> = {}) =>
  call('POST', '/v1/people', { key, body, headers })
const current = async (email: string, account_id: string) =>
  ask(bindings, await issuer.token(email), '/v1/api-keys/current', { headers: { 'X-Account': account_id } })
const as = async (email: string, method: string, path: string, body?: object) =>
  ask(bindings, await issuer.token(email), path, { method, ...(body !== undefined && { body }) })

/** A new account with an owner, whose e-mail is in no other account. */
async function accountWithOwner() {
  const { key, account_id } = await newAccount()
  return { key, account_id, owner: await person(account_id, 'owner') }
}

describe('a person who is added', () => {
  it('has access at once, is listed and read', async () => {
    const { key, account_id } = await newAccount()
    const made = await add(key, { ...KIM, email: ' Kim@Example.com ' })
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...KIM,
        id: expect.stringMatching(/^person_[0-9a-z]{26}$/),
        last_seen_at: null,
        removed_at: null,
      },
    })
    const { queried_at: _, ...added } = made.body
    expect((await call('GET', '/v1/people', { key })).body).toMatchObject({ people: [added], total: 1 })
    const shown = await call('GET', `/v1/people/${String(made.body['id'])}`, { key })
    expect(shown.body).toMatchObject({
      ...added,
      sign_in_url: expect.stringMatching(/^https?:.*\/console\/$/),
    })
    expect((await current(KIM.email, account_id)).body).toMatchObject({ person: { role: 'accountant' } })
  })

  it('is added once, also by requests at once and by a repeated one', async () => {
    const { key } = await newAccount()
    const answers = await Promise.all([add(key), add(key), add(key)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400])
    expect(answers.find(({ status }) => status === 400)?.body['reason']).toBe('person_exists')
    const again = { 'Idempotency-Key': 'once' }
    const other = { ...KIM, email: 'sam@example.com' }
    const [first, second] = [await add(key, other, again), await add(key, other, again)]
    expect(second.body).toEqual(first.body)
    expect((await call('GET', '/v1/people', { key })).body['total']).toBe(2)
  })

  it.each([
    ['email', { email: 'kim' }],
    ['email', { email: 'a@b@c' }],
    ['email', { email: '' }],
    ['email', { email: `${'a'.repeat(250)}@b.de` }],
    ['name', { name: ' ' }],
    ['role', { role: 'operator' }],
    ['role', { role: '*' }],
  ])('needs a good %s: %j', async (path, wrong) => {
    const { key } = await newAccount()
    expect(await add(key, { ...KIM, ...wrong })).toMatchObject({ status: 400, body: { errors: [{ path }] } })
  })

  it('is one of at most a hundred', async () => {
    const { key, account_id } = await newAccount()
    const row = `INSERT INTO people (id, account_id, email, name, role, created_at, updated_at)
      SELECT 'person_' || ?1 || value, ?1, value || '@example.com', 'x', 'auditor', ?2, ?2 FROM json_each(?3)`
    const values = JSON.stringify(Array.from({ length: 99 }, (_, index) => String(index)))
    await env.DB.prepare(row).bind(account_id, new Date().toISOString(), values).run()
    expect((await add(key)).status).toBe(201)
    expect(await add(key, { ...KIM, email: 'next@example.com' })).toMatchObject({
      status: 400,
      body: { reason: 'too_many_people' },
    })
  })
})

describe('who may not do everything', () => {
  it('gives, changes and removes no role with a scope that is lacking', async () => {
    const { account_id, owner } = await accountWithOwner()
    const { key } = await newAccount({
      account: (await env.DB.prepare('SELECT name FROM accounts WHERE id = ?')
        .bind(account_id)
        .first('name')) as string,
      scopes: [
        'people:read',
        'people:write',
        'tax:read',
        'customers:read',
        'customers:write',
        'transactions:read',
        'transactions:write',
        'vat:write',
      ],
    })
    const refused = { status: 403, body: { reason: expect.stringMatching(/^scope_not_grantable/) } }
    expect(await add(key, { ...KIM, role: 'owner' })).toMatchObject(refused)
    const made = await add(key, { ...KIM, role: 'support' })
    expect(made.status).toBe(201)
    const support = `/v1/people/${String(made.body['id'])}`
    expect(await call('PUT', support, { key, body: { role: 'auditor' } })).toMatchObject(refused)
    expect(await call('PUT', `/v1/people/${owner.id}`, { key, body: { name: 'x' } })).toMatchObject(refused)
    expect(await call('PUT', `/v1/people/${owner.id}`, { key, body: { role: 'support' } })).toMatchObject(
      refused,
    )
    expect(await call('DELETE', `/v1/people/${owner.id}`, { key })).toMatchObject(refused)
    expect((await call('DELETE', support, { key })).status).toBe(200)
  })
})

describe('the last owner', () => {
  it('is neither removed nor given another role, also by two at once', async () => {
    const { key, owner } = await accountWithOwner()
    const refused = { status: 400, body: { reason: 'last_owner' } }
    const path = `/v1/people/${owner.id}`
    expect(await call('DELETE', path, { key })).toMatchObject(refused)
    expect(await call('DELETE', `${path}?erase=true`, { key })).toMatchObject(refused)
    expect(await call('PUT', path, { key, body: { role: 'auditor' } })).toMatchObject(refused)
    expect(await as(owner.email, 'DELETE', path)).toMatchObject(refused)
    const made = await add(key, { ...KIM, role: 'owner' })
    const other = `/v1/people/${String(made.body['id'])}`
    const answers = await Promise.all([
      call('DELETE', path, { key }),
      call('DELETE', other, { key }),
      call('PUT', other, { key, body: { role: 'filer' } }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('does not keep others in an account that never had an owner', async () => {
    const { key } = await newAccount()
    const made = await add(key)
    expect((await call('DELETE', `/v1/people/${String(made.body['id'])}`, { key })).status).toBe(200)
  })

  it('stays on the command line too', async () => {
    const { account_id, owner } = await accountWithOwner()
    await expect(removePerson(env.DB, account_id, owner.email, new Date())).rejects.toThrow('last owner')
  })
})

describe('a person who is changed', () => {
  it('has the new role from the next request on', async () => {
    const { key, account_id } = await accountWithOwner()
    const made = await add(key)
    const path = `/v1/people/${String(made.body['id'])}`
    const changed = await call('PUT', path, { key, body: { role: 'auditor' } })
    expect(changed.body).toMatchObject({ name: KIM.name, role: 'auditor' })
    expect((await current(KIM.email, account_id)).body).toMatchObject({ person: { role: 'auditor' } })
    const named = await call('PUT', path, { key, body: { name: 'Kim B.' } })
    expect(named.body).toMatchObject({ name: 'Kim B.', role: 'auditor' })
  })
})

describe('a person who is removed', () => {
  it('has no access from the next request on, stays readable, and may be added again', async () => {
    const { key, account_id } = await accountWithOwner()
    const made = await add(key)
    const path = `/v1/people/${String(made.body['id'])}`
    expect((await current(KIM.email, account_id)).status).toBe(200)
    for (let times = 0; times < 2; times += 1)
      expect((await call('DELETE', path, { key })).body).toMatchObject({ id: made.body['id'], deleted: true })
    expect(await current(KIM.email, account_id)).toMatchObject({
      status: 403,
      body: { reason: 'not_a_member' },
    })
    expect((await call('GET', path, { key })).body).toMatchObject({
      email: KIM.email,
      removed_at: expect.any(String),
    })
    expect((await call('PUT', path, { key, body: { role: 'owner' } })).status).toBe(404)
    expect((await call('GET', '/v1/people', { key })).body['total']).toBe(1)
    expect((await add(key)).status).toBe(201)
    const { body } = await call('GET', '/v1/audit-events', { key })
    const actions = Object(body['audit_events']).map(({ action }: { action: string }) => action)
    expect(actions.filter((action: string) => action === 'person.removed')).toHaveLength(1)
  })

  it('cannot write with a request that had begun', async () => {
    const { account_id } = await accountWithOwner()
    const second = await person(account_id, 'owner')
    const token = await issuer.token(second.email)
    const original = env.DB.batch.bind(env.DB)
    const DB = new Proxy(env.DB, {
      get(db, name) {
        if (name === 'batch')
          return async (statements: D1PreparedStatement[]) => {
            await db.prepare('UPDATE people SET removed_at = updated_at WHERE id = ?').bind(second.id).run()
            return original(statements)
          }
        const member: unknown = Reflect.get(db, name)
        return typeof member === 'function' ? member.bind(db) : member
      },
    })
    const answer = await ask({ ...bindings, DB }, token, '/v1/api-keys', {
      method: 'POST',
      body: { scopes: ['*'] },
    })
    expect(answer).toMatchObject({ status: 403, body: { reason: 'not_a_member' } })
  })

  it('leaves the keys that the person made', async () => {
    const { key, owner } = await accountWithOwner()
    const second = await add(key, { ...KIM, role: 'owner' })
    const made = await as(owner.email, 'POST', '/v1/api-keys', { scopes: ['*'] })
    await call('DELETE', `/v1/people/${owner.id}`, { key })
    expect(second.status).toBe(201)
    expect((await call('GET', '/v1/account', { key: String(made.body['key']) })).status).toBe(200)
  })
})

describe('a person who is erased', () => {
  it('leaves no name and no e-mail, not even in a kept answer, also if removed before', async () => {
    const { key, account_id } = await accountWithOwner()
    const made = await add(
      key,
      { ...KIM, email: 'erased@example.com', name: 'Zoe Erased' },
      { 'Idempotency-Key': 'a' },
    )
    const path = `/v1/people/${String(made.body['id'])}`
    await call('DELETE', path, { key })
    for (let times = 0; times < 2; times += 1)
      expect((await call('DELETE', `${path}?erase=true`, { key })).status).toBe(200)
    expect((await call('GET', path, { key })).body).toMatchObject({ email: '', name: '' })
    const tables = await Promise.all(
      ['people', 'audit_events', 'idempotency_keys', 'erasures'].map(async (table) => {
        const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE account_id = ?`)
          .bind(account_id)
          .all()
        return results
      }),
    )
    expect(JSON.stringify(tables)).not.toMatch(/erased@example|Zoe/)
    expect(JSON.stringify(tables[3])).toContain(String(made.body['id']))
  })

  it('is not erased during a legal hold, and not removed by the attempt', async () => {
    const { key, account_id } = await accountWithOwner()
    const made = await add(key)
    await env.DB.prepare('UPDATE accounts SET held_at = created_at WHERE id = ?').bind(account_id).run()
    expect(await call('DELETE', `/v1/people/${String(made.body['id'])}?erase=true`, { key })).toMatchObject({
      status: 400,
      body: { reason: 'legal_hold' },
    })
    expect((await current(KIM.email, account_id)).status).toBe(200)
    await env.DB.prepare('UPDATE accounts SET held_at = NULL WHERE id = ?').bind(account_id).run()
  })
})
