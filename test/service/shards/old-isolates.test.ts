import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { callWith } from '../../faults/faulty.ts'
import { countingDatabase } from '../../support/intercepted-database.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { ask } from '../../interfaces/taxjar/asking.ts'
import { fill, move, type Owner, ownerIn, sell } from './moving.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'

beforeAll(loadTestData)

const ORDER = { transaction_id: 'o-2', transaction_date: '2026-01-05', to_country: 'DE' }
const SUMS = { amount: 10, shipping: 0, sales_tax: 1.9 }

/** Lets this isolate have the shard from before the move in memory, like one that asked a moment ago. */
async function rememberOldShard({ key, account_id }: Owner): Promise<void> {
  const write = env.DB.prepare('UPDATE accounts SET shard = ? WHERE id = ?')
  await write.bind(1, account_id).run()
  forgetAll()
  await call('GET', '/v1/account/usage', { key })
  await write.bind(2, account_id).run()
}

describe('an isolate that has the old shard in memory', () => {
  let owner: Owner
  let sale = ''
  let customer = ''
  beforeAll(async () => {
    owner = await ownerIn(1)
    await fill(owner)
    await move(owner, 2)
    forgetAll()
    // Acknowledged by another isolate, which knows the new shard.
    sale = String((await sell(owner, 'new')).body['id'])
    customer = String(
      (await call('POST', '/v1/customers', { key: owner.key, body: { name: 'Bob' } })).body['id'],
    )
    const order = await ask('POST', '/v2/transactions/orders', {
      key: owner.key,
      body: { ...ORDER, ...SUMS },
    })
    expect(order.status, order.text).toBe(201)
  })

  it.each([
    ['a sale', 'GET', () => `/v1/transactions/${sale}`, undefined, 200],
    ['a refund', 'POST', () => `/v1/transactions/${sale}/refund`, { amount: 100, reason: 'partial' }, 200],
    ['a customer', 'PUT', () => `/v1/customers/${customer}`, { name: 'Bobby' }, 200],
  ])('finds what was acknowledged elsewhere: %s', async (_, method, path, body, status) => {
    await rememberOldShard(owner)
    const answer = await call(method, path(), { key: owner.key, body })
    expect(answer.status, answer.text).toBe(status)
  })

  it('finds the customer of a sale, and an order in the form of TaxJar', async () => {
    await rememberOldShard(owner)
    const body = {
      customer_id: customer,
      customer: { address: { country: 'DE', postal_code: '10115' } },
      currency: 'EUR',
      line_items: [{ amount: 10_000, product_type: 'saas', tax_rate: 0.19, tax_amount: 1_900 }],
    }
    const sold = await call('POST', '/v1/transactions', { key: owner.key, body })
    expect(sold.status, sold.text).toBe(201)
    await rememberOldShard(owner)
    expect((await ask('GET', '/v2/transactions/orders/o-2', { key: owner.key })).status).toBe(200)
  })

  it.each([
    ['transactions', '/v1/transactions?limit=100', () => sale],
    ['customers', '/v1/customers?limit=100', () => customer],
    ['a report', '/v1/reports/transactions?limit=100', () => sale],
  ])('lists what was acknowledged elsewhere: %s', async (_, path, id) => {
    await rememberOldShard(owner)
    const answer = await call('GET', path, { key: owner.key })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).toContain(id())
  })

  it('lists orders in the form of TaxJar that were acknowledged elsewhere', async () => {
    await rememberOldShard(owner)
    const path = '/v2/transactions/orders?from_transaction_date=2026-01-01&to_transaction_date=2026-12-31'
    expect((await ask('GET', path, { key: owner.key })).text).toContain('o-2')
  })

  it('answers from the old shard while the books are still being copied', async () => {
    await rememberOldShard(owner)
    const finish = env.DB.prepare('UPDATE account_moves SET finished_at = ? WHERE account_id = ?')
    await finish.bind(null, owner.account_id).run()
    await env.DB.prepare('UPDATE accounts SET shard = 1 WHERE id = ?').bind(owner.account_id).run()
    expect((await call('GET', '/v1/transactions', { key: owner.key })).status).toBe(200)
    await env.DB.prepare('UPDATE accounts SET shard = 2 WHERE id = ?').bind(owner.account_id).run()
    await finish.bind(new Date().toISOString(), owner.account_id).run()
    forgetAll()
  })

  it('says not_found of what nobody has', async () => {
    await rememberOldShard(owner)
    const path = '/v1/transactions/txn_01jzzzzzzzzzzzzzzzzzzzzzzz'
    expect((await call('GET', path, { key: owner.key })).status).toBe(404)
    expect((await ask('GET', '/v2/transactions/orders/none', { key: owner.key })).status).toBe(404)
  })
})

describe('an account whose books are not in the database that is named for them', () => {
  const reason = async (method: string, path: string, { key }: Owner, body?: object) => {
    const answer = await call(method, path, { key, body })
    return [answer.status, answer.body['reason'], answer.headers.has('Retry-After')]
  }
  const LOST = [503, 'books_not_here', true]

  it.each([
    // The control database was restored to before the move, or the shard to before the arrival.
    ['left', 'UPDATE accounts SET home = ? WHERE id = ?', 'away'],
    ['has not come yet', "UPDATE accounts SET home = ?, id = 'gone-' || id WHERE id = ?", 'open'],
  ])('because it %s is told so, never an empty list', async (_, sql, home) => {
    const owner = await ownerIn(1)
    await call('GET', '/v1/account/usage', { key: owner.key })
    const shard = shardOf(env, 1).books as unknown as D1Database
    await shard.prepare(sql).bind(home, owner.account_id).run()
    for (const path of ['/v1/transactions', '/v1/customers/cust_00000000000000000000000000'])
      expect(await reason('GET', path, owner)).toEqual(LOST)
    expect(await reason('POST', '/v1/customers', owner, { name: 'Ada' })).toEqual(LOST)
    // A checkout goes on.
    const cart = {
      currency: 'EUR',
      customer: { address: { country: 'DE' } },
      line_items: [{ amount: 100, product_type: 'saas' }],
    }
    expect((await reason('POST', '/v1/calculate', owner, cart))[0]).toBe(200)
  })

  it('is answered from the old copy while the books are being moved', async () => {
    const owner = await ownerIn(1)
    await sell(owner, 'one')
    const at = new Date().toISOString()
    await env.DB.prepare(
      'INSERT INTO account_moves (account_id, from_shard, to_shard, started_at) VALUES (?, 1, 2, ?)',
    )
      .bind(owner.account_id, at)
      .run()
    const shard = shardOf(env, 1).books as unknown as D1Database
    await shard.prepare("UPDATE accounts SET home = 'away' WHERE id = ?").bind(owner.account_id).run()
    expect((await call('GET', '/v1/transactions', { key: owner.key })).body['total']).toBe(1)
  })

  it('asks the control database for nothing more at an ordinary 404', async () => {
    const owner = await ownerIn(1)
    const path = '/v1/customers/cust_00000000000000000000000000'
    await call('GET', path, { key: owner.key })
    const { db, trips } = countingDatabase(env.DB)
    const answer = await callWith({ ...env, DB: db }, owner.key, { method: 'GET', path, body: undefined })
    expect([answer.status, trips()]).toEqual([404, 0])
  })
})
