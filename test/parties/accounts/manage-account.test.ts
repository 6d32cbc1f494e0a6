import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createAccountAndKey } from '../../../scripts/create-account-and-key.ts'
import { endKey } from '../../../scripts/manage-account/end-key.ts'
import { eraseAccount } from '../../../scripts/manage-account/erase.ts'
import { moveAccount } from '../../../scripts/move-account/move-account.ts'
import { changeTier, resumeAccount, suspendAccount } from '../../../scripts/manage-account/manage-account.ts'
import { wholeDb } from '../../../src/platform/database/databases.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { insertSweptEvents } from '../../../src/notices/events/events.ts'
import { beginAttempt } from '../../../src/notices/delivery/attempt.ts'
import { fanOut } from '../../../src/notices/delivery/fan-out.ts'
import { resealSecrets } from '../../../src/notices/subscriptions/reseal.ts'
import { countSealedOtherwise } from '../../../src/notices/subscriptions/reseal-store.ts'
import { keyIdOf } from '../../../src/notices/delivery/secrets.ts'
import { moveWith, outcomeOf } from '../../service/shards/interrupted.ts'
import { fill, type Owner, ownerIn, rowsIn, sell, tools as movingTools } from '../../service/shards/moving.ts'
import { newAddress, call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { letters } from '../../notices/subscribing.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { keepAccountsIn } from '../../support/shards.ts'

keepAccountsIn(0)
beforeAll(loadTestData)

const tools = {
  control: env.DB,
  shardOf: (number: number) => shardOf(env, number),
  clock: () => new Date(),
}

const statusOf = async (key: string) => (await call('GET', '/v1/account', { key })).status

/** A webhook of the account, with the host of its receiver. */
async function listen(key: string): Promise<{ id: string; host: string }> {
  const host = `${crypto.randomUUID()}.receivers.example`
  const body = { url: `https://${host}/`, events: ['transaction.created'] }
  const made = await call('POST', '/v1/webhooks', { key, body })
  expect(made.status, made.text).toBe(201)
  return { id: String(made.body['id']), host }
}

async function calendarOf(key: string): Promise<string> {
  return String((await call('POST', '/v1/obligations/calendar', { key })).body['url'])
}

async function calendarStatus(link: string): Promise<number> {
  const headers = { 'CF-Connecting-IP': newAddress() }
  const response = await exports.default.fetch(link, { headers })
  await response.text()
  return response.status
}

/** Writes an event of the account, makes its deliveries and attempts them. Returns their number. */
async function deliver({ account_id }: Owner, shard: number): Promise<number> {
  // Later than the clock of the local queue, which must not make the attempts of the test.
  const at = new Date(Date.now() + 60_000)
  const { books } = shardOf(env, shard)
  const data = {
    webhook_id: 'wh_x',
    url: 'https://x.example.com/',
    consecutive_failures: 5,
    last_failed_at: null,
  }
  await books.batch(insertSweptEvents(books, [{ type: 'webhook.disabled', account_id, data }], at))
  const { results } = await wholeDb(books)
    .prepare('SELECT id FROM events WHERE owner_account_id = ?')
    .bind(account_id)
    .all<{ id: string }>()
  for (const { id } of results) await fanOut(env, shardOf(env, shard), id, at)
  const waiting = await wholeDb(books)
    .prepare('SELECT id FROM webhook_deliveries WHERE account_id = ?')
    .bind(account_id)
    .all<{ id: string }>()
  for (const { id } of waiting.results)
    await (
      await beginAttempt(env, shardOf(env, shard), id, () => at)
    )?.ended
  return waiting.results.length
}

describe.each([0, 1])('an account in shard %i', (shard) => {
  it('that is suspended gets no answers, deliveries or calendar, until it is resumed', async () => {
    const owner = await ownerIn(shard)
    const { key } = owner
    const body = { url: `https://${crypto.randomUUID()}.receivers.example/`, events: ['*'] }
    const hook = await call('POST', '/v1/webhooks', { key, body })
    const host = new URL(String(hook.body['url'])).hostname
    const calendar = await calendarOf(key)
    expect(await deliver(owner, shard)).toBe(1)
    expect(await letters(host)).toHaveLength(1)

    await suspendAccount(tools, owner.account_id)
    await suspendAccount(tools, owner.account_id)
    // Isolates that do not know it yet write nothing.
    const sale = await sell(owner, 'late')
    expect([401, 403]).toContain(sale.status)
    forgetAll()
    const refused = await call('GET', '/v1/account', { key })
    expect([refused.status, refused.body['reason']]).toEqual([403, 'account_suspended'])
    expect(await calendarStatus(calendar)).toBe(404)
    await deliver(owner, shard)
    expect(await letters(host)).toHaveLength(1)

    await resumeAccount(tools, owner.account_id)
    forgetAll()
    expect(await statusOf(key)).toBe(200)
    expect(await calendarStatus(calendar)).toBe(200)
    await deliver(owner, shard)
    expect((await letters(host)).length).toBeGreaterThan(1)
    const audit = await call('GET', '/v1/audit-events?limit=100', { key })
    const actions = (audit.body['audit_events'] as { action: string }[]).map(({ action }) => action)
    expect(actions.filter((action) => /suspended|resumed/.test(action)).toSorted()).toEqual([
      'account.resumed',
      'account.suspended',
    ])
  })

  it('that is erased keeps its books and loses its people, twice the same', async () => {
    const owner = await ownerIn(shard)
    await fill(owner)
    const { id } = await listen(owner.key)
    const calendar = await calendarOf(owner.key)
    const before = await rowsIn(shardOf(env, shard), owner.account_id)
    const first = await eraseAccount(tools, owner.account_id)
    expect(first.erased).toMatchObject({
      customers: 1,
      exemptions: 1,
      certificate_requests: 1,
      taxjar_documents: 1,
      webhooks: 2,
    })
    const second = await eraseAccount(tools, owner.account_id)
    expect(Object.values(second.erased).every((rows) => rows === 0)).toBe(true)
    const after = await rowsIn(shardOf(env, shard), owner.account_id)
    for (const table of ['transactions', 'transaction_lines', 'refunds', 'tax_totals', 'transaction_counts'])
      expect(after[table], table).toBe(before[table])
    for (const table of ['customers', 'exemptions', 'webhooks', 'idempotency_keys', 'taxjar_documents'])
      expect(after[table], table).toBeUndefined()
    expect(second.kept['transactions']).toBe(before['transactions'])
    expect(id).toMatch(/^wh_/)
    forgetAll()
    expect(await statusOf(owner.key)).toBe(401)
    expect(await calendarStatus(calendar)).toBe(404)
    await expect(resumeAccount(tools, owner.account_id)).rejects.toThrow('was erased')
  })

  it('loses with a key what the key made, and the keys that those made, and nothing else', async () => {
    const owner = await ownerIn(shard)
    const make = async (key: string) => {
      const { body } = await call('POST', '/v1/api-keys', { key, body: { scopes: ['*'] } })
      return { key: String(body['key']), id: String(body['id']) }
    }
    const leaked = await make(owner.key)
    const child = await make(leaked.key)
    const rotated = await call('POST', `/v1/api-keys/${child.id}/rotate`, {
      key: child.key,
      body: { grace_hours: 24 },
    })
    const mine = await listen(owner.key)
    const theirs = await listen(child.key)
    const calendar = await calendarOf(String(rotated.body['key']))
    const connect = async (key: string, host: string) => {
      const body = { saleor_api_url: `https://${host}/graphql/` }
      return String((await call('POST', '/v1/saleor/installs', { key, body })).body['id'])
    }
    const shop = await connect(owner.key, 'mine.example.com')
    const their_shop = await connect(child.key, 'theirs.example.com')

    const linkOf = async (key: string) => {
      const { body } = await call('POST', '/v1/customers', { key, body: { name: 'Ada' } })
      const path = `/v1/customers/${String(body['id'])}/certificate-request`
      await call('POST', path, { key })
      return async () =>
        ((await call('GET', path, { key: owner.key })).body['certificate_request'] as { state: string }).state
    }
    const [my_link, their_link] = [await linkOf(owner.key), await linkOf(child.key)]
    const chat = { format: 'slack', url: 'https://chat.example.com/services/T0' }
    await call('PUT', '/v1/account/messages', { key: child.key, body: { chat } })

    const ended = await endKey(tools, leaked.id, true)
    expect(ended.keys).toEqual(expect.arrayContaining([leaked.id, child.id, String(rotated.body['id'])]))
    expect(ended.keys).toHaveLength(4)
    expect(ended.webhooks).toEqual([theirs.id])
    expect(ended.shops).toEqual([their_shop])
    expect(ended.links).toBe(1)
    expect([ended.calendar, ended.chat]).toEqual([true, true])
    forgetAll()
    for (const key of [leaked.key, child.key, String(rotated.body['key'])])
      expect(await statusOf(key)).toBe(401)
    expect(await statusOf(owner.key)).toBe(200)
    expect(await calendarStatus(calendar)).toBe(404)
    expect([await my_link(), await their_link()]).toEqual(['open', 'revoked'])
    const status = async (id: string) =>
      (await call('GET', `/v1/webhooks/${id}`, { key: owner.key })).body['status']
    expect([await status(mine.id), await status(theirs.id)]).toEqual(['active', 'disabled'])
    const { body } = await call('GET', '/v1/saleor/installs', { key: owner.key })
    expect(body['installs']).toMatchObject([{ id: shop }])
    expect(await endKey(tools, leaked.id, true)).toMatchObject({
      keys: ended.keys,
      shops: [],
      links: 0,
      calendar: false,
      chat: false,
    })
  })

  it('gets another tier', async () => {
    const owner = await ownerIn(shard)
    expect(await changeTier(tools, owner.account_id, 'free')).toBe('enterprise')
    forgetAll()
    const usage = await call('GET', '/v1/account/usage', { key: owner.key })
    expect(usage.body['tier']).toBe('free')
  })
})

describe('a suspended account', () => {
  it('is not moved, and an account that is moving is not suspended', async () => {
    const owner = await ownerIn(1)
    let suspended = ''
    const { outcome } = await moveWith(owner, 20, async () => {
      suspended = await outcomeOf(suspendAccount(tools, owner.account_id))
    })
    expect([suspended, outcome]).toEqual([expect.stringContaining('are being moved'), 'moved'])
    await suspendAccount(tools, owner.account_id)
    const other = await ownerIn(1)
    await suspendAccount(tools, other.account_id)
    await expect(moveAccount(movingTools(), other.account_id, 2)).rejects.toThrow('is suspended')
    await resumeAccount(tools, other.account_id)
    expect(await outcomeOf(moveAccount(movingTools(), other.account_id, 2))).toBe('moved')
  })

  it('keeps secrets that open after the encryption key was replaced', async () => {
    const { account_id, key } = await ownerIn(1)
    const { books } = shardOf(env, 1)
    await listen(key)
    await suspendAccount(tools, account_id)
    const next = 'the next key'
    const key_id = await keyIdOf(next)
    expect(await countSealedOtherwise(books, key_id)).toBeGreaterThan(0)
    await resealSecrets({ ...env, ENCRYPTION_KEY_NEXT: next }, books)
    expect(await countSealedOtherwise(books, key_id)).toBe(0)
    const sealed = await books
      .prepare('SELECT secret FROM webhooks WHERE account_id = ?')
      .bind(account_id)
      .first<string>('secret')
    expect(sealed).toContain(key_id)
  })
})

describe('making an account', () => {
  const homes = async (shard: number) =>
    wholeDb(shardOf(env, shard).books).prepare('SELECT count(*) AS n FROM accounts').first<number>('n')
  const request = (account: string) => ({ account, tier: 'free', scopes: ['*'], sandbox: false }) as const

  it('leaves no home of an account that exists already', async () => {
    const name = crypto.randomUUID()
    await createAccountAndKey(env.DB, request(name), new Date(), shardOf(env, 1))
    const before = await homes(2)
    await createAccountAndKey(env.DB, request(name), new Date(), shardOf(env, 2))
    await createAccountAndKey(env.DB, request(name), new Date(), shardOf(env, 1))
    expect(await homes(2)).toBe(before)
  })

  it('goes on where it was stopped', async () => {
    const name = crypto.randomUUID()
    const { account_id } = await createAccountAndKey(env.DB, request(name), new Date(), shardOf(env, 1))
    await wholeDb(shardOf(env, 1).books).prepare('DELETE FROM accounts WHERE id = ?').bind(account_id).run()
    const { key } = await createAccountAndKey(env.DB, request(name), new Date(), shardOf(env, 1))
    expect((await sell({ key, account_id }, 'first')).status).toBe(201)
  })
})
