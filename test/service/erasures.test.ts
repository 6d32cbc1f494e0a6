import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { eraseAccount } from '../../scripts/manage-account/erase.ts'
import { holdAccount } from '../../scripts/manage-account/manage-account.ts'
import { wholeDb } from '../../src/platform/database/databases.ts'
import { shardOf } from '../../src/platform/database/shards.ts'
import { BudgetSpent, withBudget } from '../../src/platform/invocation-budget.ts'
import { eraseAgain, keepErasures } from '../../src/service/erasures/erase-again.ts'
import { keysAfter } from '../../src/service/erasures/list.ts'
import { person } from '../support/access.ts'
import { newAccount } from '../support/account.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { keepAccountsIn } from '../support/shards.ts'
import { rowsIn } from './shards/moving.ts'

await loadTestData()

type Owner = { key: string; account_id: string }

const SHARD = shardOf(env, 1)
const MANAGE = {
  control: env.DB,
  shardOf: (number: number) => shardOf(env, number),
  clock: () => new Date(),
}
const withBucket = { ...env, BACKUPS: env.TEST_BUCKET }

beforeEach(() => keepAccountsIn(1))

async function newCustomer({ key }: Owner, name = 'Ada Lovelace'): Promise<string> {
  const { body } = await call('POST', '/v1/customers', { key, body: { name } })
  return String(body['id'])
}

/** The rows of a table of the shard, as a restore brings them back. */
async function copyOf(table: string, ids: readonly string[]): Promise<() => Promise<void>> {
  const { results } = await SHARD.books
    .prepare(`SELECT * FROM ${table as 'customers'} WHERE id IN (SELECT value FROM json_each(?))`)
    .bind(JSON.stringify(ids))
    .all<Record<string, string | number | null>>()
  return async () => {
    for (const row of results) {
      const names = Object.keys(row)
      await SHARD.books
        .prepare(
          `INSERT INTO ${table as 'customers'} (${names.join()}) VALUES (${names.map(() => '?').join()})`,
        )
        .bind(...Object.values(row))
        .run()
    }
  }
}

async function forgetCursor(): Promise<void> {
  await SHARD.books.prepare("DELETE FROM job_cursors WHERE name = 'erasures'").run()
}

const minutes = (count: number) => new Date(Date.now() + count * 60_000)
const statusOf = async ({ key }: Owner, id: string) =>
  (await call('GET', `/v1/customers/${id}`, { key })).status

describe.each([
  ['in KV', env],
  ['in the bucket of the backups', withBucket],
])('the list of erasures %s', (_, bindings) => {
  it('erases a person again that a restore brought back, once', async () => {
    const owner = await newAccount()
    const [erased, other] = [await newCustomer(owner), await newCustomer(owner)]
    await eraseAgain(bindings, SHARD, minutes(0))
    const restore = await copyOf('customers', [erased])
    expect((await call('DELETE', `/v1/customers/${erased}`, owner)).status).toBe(200)
    await keepErasures(bindings, SHARD.books, minutes(5))
    await restore()
    // The usage is of the moment of the restore too.
    await SHARD.books
      .prepare('UPDATE account_usage SET customers = 2 WHERE account_id = ?')
      .bind(owner.account_id)
      .run()
    expect(await statusOf(owner, erased)).toBe(200)
    await eraseAgain(bindings, SHARD, minutes(10))
    await eraseAgain(bindings, SHARD, minutes(15))
    expect([await statusOf(owner, erased), await statusOf(owner, other)]).toEqual([404, 200])
    const { body } = await call('GET', '/v1/account/usage', owner)
    expect(JSON.stringify(body)).toContain('"customers":{"stored":1')
    const events = await call('GET', `/v1/audit-events?resource_id=${erased}`, owner)
    expect(events.text).toContain('"key_id":"system"')
  })

  it('goes on after a death between the list and the database, and in the middle of many persons', async () => {
    const owner = await newAccount()
    const ids: string[] = []
    for (let made = 0; made < 22; made += 1) ids.push(await newCustomer(owner))
    const restore = await copyOf('customers', ids)
    for (const id of ids) await call('DELETE', `/v1/customers/${id}`, owner)
    const dying = new Proxy(SHARD.books, {
      get: (db, name) =>
        name === 'prepare'
          ? (sql: string) => {
              if (sql.startsWith('DELETE FROM erasures')) throw new Error('dead')
              return db.prepare(sql as 'SELECT 1 FROM erasures')
            }
          : Reflect.get(db, name),
    })
    await expect(keepErasures(bindings, dying, minutes(0))).rejects.toThrow('dead')
    await keepErasures(bindings, SHARD.books, minutes(5))
    await restore()
    await forgetCursor()
    await eraseAgain(bindings, SHARD, minutes(10))
    expect((await rowsIn(SHARD, owner.account_id))['customers']).toBe(2)
    await eraseAgain(bindings, SHARD, minutes(15))
    expect((await rowsIn(SHARD, owner.account_id))['customers']).toBeUndefined()
  })

  it('erases an account again, in each database', async () => {
    const owner = await newAccount()
    const id = await newCustomer(owner)
    const restore = await copyOf('customers', [id])
    const control = shardOf(env, 0)
    await eraseAccount(MANAGE, owner.account_id)
    await keepErasures(bindings, control.books, minutes(0))
    await restore()
    for (const { books } of [control, SHARD])
      await wholeDb(books as unknown as D1Database)
        .prepare('UPDATE accounts SET suspended_at = NULL, erased_at = NULL WHERE id = ?')
        .bind(owner.account_id)
        .run()
    await env.DB.prepare('UPDATE api_keys SET revoked_at = NULL WHERE account_id = ?')
      .bind(owner.account_id)
      .run()
    await env.DB.prepare("DELETE FROM job_cursors WHERE name = 'erasures'").run()
    await forgetCursor()
    for (const shard of [control, SHARD]) await eraseAgain(bindings, shard, minutes(5))
    expect((await rowsIn(SHARD, owner.account_id))['customers']).toBeUndefined()
    const { results } = await env.DB.prepare('SELECT revoked_at FROM api_keys WHERE account_id = ?')
      .bind(owner.account_id)
      .all()
    expect(results).toEqual([{ revoked_at: expect.any(String) }])
  })
})

describe('the people of an account', () => {
  const control = shardOf(env, 0)
  const peopleOf = async (account_id: string) => {
    const { results } = await env.DB.prepare(
      'SELECT email, name, removed_at IS NULL AS has_access FROM people WHERE account_id = ? ORDER BY id',
    )
      .bind(account_id)
      .all()
    return results
  }
  /** As a restore of the control database does. */
  const bringBack = (account_id: string) =>
    env.DB.prepare(
      "UPDATE people SET email = id, name = 'Back', removed_at = NULL, erased_at = NULL WHERE account_id = ?",
    )
      .bind(account_id)
      .run()
  const ERASED = { email: '', name: '', has_access: 0 }

  it('who were erased are erased again after a restore, and the others stay', async () => {
    const owner = await newAccount()
    const [gone] = [await person(owner.account_id, 'auditor'), await person(owner.account_id, 'owner')]
    expect((await call('DELETE', `/v1/people/${gone.id}?erase=true`, owner)).status).toBe(200)
    await keepErasures(env, env.DB, minutes(0))
    await bringBack(owner.account_id)
    await env.DB.prepare("DELETE FROM job_cursors WHERE name = 'erasures'").run()
    await eraseAgain(env, control, minutes(5))
    await eraseAgain(env, control, minutes(10))
    expect(await peopleOf(owner.account_id)).toEqual([ERASED, expect.objectContaining({ has_access: 1 })])
  })

  it('are erased with it', async () => {
    const owner = await newAccount()
    await person(owner.account_id, 'owner')
    await eraseAccount(MANAGE, owner.account_id)
    expect(await peopleOf(owner.account_id)).toEqual([ERASED])
  })
})

it('an account is erased again within the operations of the free plan', async () => {
  const owner = await newAccount()
  for (let made = 0; made < 3; made += 1) await newCustomer(owner)
  const id = await newCustomer(owner)
  const restore = await copyOf('customers', [id])
  await eraseAccount(MANAGE, owner.account_id)
  await keepErasures(env, env.DB, minutes(0))
  await forgetCursor()
  await restore()
  const ticks = async (from: number) => {
    for (let tick = 0; tick < 3; tick += 1)
      await eraseAgain(withBudget(env, 50), shardOf(withBudget(env, 50), 1), minutes(from + tick)).catch(
        (thrown: unknown) => {
          if (!(thrown instanceof BudgetSpent)) throw thrown
        },
      )
    return SHARD.books.prepare("SELECT after FROM job_cursors WHERE name = 'erasures'").first<string>('after')
  }
  const after = await ticks(5)
  expect((await rowsIn(SHARD, owner.account_id))['customers']).toBeUndefined()
  // The list is done to its end: nothing more waits behind it.
  expect(await keysAfter(env, after ?? '', new Date().toISOString().slice(0, 10))).toEqual([])
})

describe('the list of erasures and a legal hold', () => {
  it.each(['person', 'account'])('erases a %s of a held account again when the hold ends', async (what) => {
    const owner = await newAccount()
    const id = await newCustomer(owner)
    const restore = await copyOf('customers', [id])
    if (what === 'person') await call('DELETE', `/v1/customers/${id}`, owner)
    else await eraseAccount(MANAGE, owner.account_id)
    for (const { books } of [shardOf(env, 0), SHARD]) await keepErasures(env, books, minutes(0))
    // A restore to a moment at which the account was held.
    await restore()
    await holdAccount(MANAGE, owner.account_id, true)
    await forgetCursor()
    await eraseAgain(env, SHARD, minutes(5))
    expect((await rowsIn(SHARD, owner.account_id))['customers']).toBe(1)
    await holdAccount(MANAGE, owner.account_id, false)
    await eraseAgain(env, SHARD, minutes(10))
    expect((await rowsIn(SHARD, owner.account_id))['customers']).toBeUndefined()
  })
})

it('a late repeat of the request that made an erased person does not make it again', async () => {
  const owner = await newAccount()
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const body = { name: 'Grace Hopper' }
  const made = await call('POST', '/v1/customers', { ...owner, headers, body })
  await call('DELETE', `/v1/customers/${String(made.body['id'])}`, owner)
  const again = await call('POST', '/v1/customers', { ...owner, headers, body })
  expect([again.status, again.body['reason']]).toEqual([400, 'idempotency_answer_not_kept'])
  const { results } = await SHARD.books
    .prepare('SELECT answer FROM idempotency_keys WHERE account_id = ?')
    .bind(owner.account_id)
    .all()
  expect(results).toEqual([{ answer: '' }])
})
