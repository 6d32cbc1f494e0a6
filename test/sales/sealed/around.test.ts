import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { backUp } from '../../../src/service/backups/backup.ts'
import { alarmsOf } from '../../../src/tax-data/status/alarms.ts'
import { watchOperations } from '../../../src/tax-data/status/watch.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { eraseAccount } from '../../../scripts/manage-account/erase.ts'
import { faultsOfChests } from '../../../scripts/verify/chests.ts'
import { verifyTotals } from '../../../scripts/verify/totals.ts'
import { makeStragglersSearchable } from '../../../src/sales/transactions/read/searchable-store.ts'
import { newAccount } from '../../support/account.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { move } from '../../service/shards/moving.ts'
import { dyingAt } from './dying.ts'
import {
  accountWith,
  askSealed,
  BUCKET,
  count,
  countRefs,
  saleOf,
  seal,
  shownOf,
  WITH_CHESTS,
} from './sealed.ts'
import { differencesOfMonths } from './totals.ts'

keepAccountsIn(0)
await loadTestData()

async function sealedAccount(sales: number) {
  const owner = await accountWith(sales)
  for (let from = 0; from < sales; from += 10) await seal()
  return owner
}

it('refunds a sealed sale once or not at all, whichever trip is the last', async () => {
  const { key, account_id } = await sealedAccount(40)
  const listed = async () => (await askSealed('GET', '/v1/transactions?limit=100', key)).body['transactions']
  for (let trip = 1, done = false; !done; trip += 1) {
    const path = `/v1/transactions/external/order-${trip % 40}`
    const { body: before } = await askSealed('GET', path, key)
    const { bindings, ended } = dyingAt(trip, trip % 2 === 0)
    const refund = { amount: 5, reason: 'partial' }
    const url = `/v1/transactions/${String(before['id'])}/refund`
    const { status } = await askSealed('POST', url, key, refund, { ...WITH_CHESTS, ...bindings })
    done = ended()
    const { body: after } = await askSealed('GET', path, key)
    expect([0, 5], `trip ${trip}`).toContain(after['amount_refunded'])
    if (status === 200) expect(after['amount_refunded'], `trip ${trip}`).toBe(5)
    expect(((await listed()) as unknown[]).length, `trip ${trip}`).toBe(40)
  }
  expect(await differencesOfMonths(account_id)).toEqual([])
})

it('moves with its account, and its chests are whole', async () => {
  const owner = await sealedAccount(20)
  const { key, account_id } = owner
  const path = '/v1/transactions?limit=30'
  const before = await askSealed('GET', path, key)
  await move(owner, 1)
  forgetAll()
  expect(shownOf(await askSealed('GET', path, key))).toBe(shownOf(before))
  const { books } = shardOf(env, 1)
  expect(await verifyTotals(books, account_id, { chests: BUCKET })).toEqual([])
  const source = { env: { CHESTS: BUCKET }, books, principal: { account_id } }
  expect(await faultsOfChests(source)).toEqual([])
  await expect(verifyTotals(books, account_id)).rejects.toThrow('bind their bucket')
  const [{ key: object } = { key: '' }] = (await BUCKET.list({ prefix: `books/${account_id}/` })).objects
  await BUCKET.delete(object)
  expect(await faultsOfChests(source)).toEqual([expect.stringContaining('is absent')])
})

it('waits for the end of a backup, and copies each chest into the bucket of backups', async () => {
  const { account_id } = await accountWith(10)
  const bindings = { ...WITH_CHESTS, BACKUPS: BUCKET }
  await backUp(bindings, shardOf(env, 0), new Date(), 'run')
  const running =
    (await env.DB.prepare("SELECT 1 AS n FROM job_cursors WHERE name = 'backup'").first()) !== null
  if (running) {
    await seal(bindings)
    expect(await count('transactions', account_id)).toBe(10)
    await env.DB.prepare("DELETE FROM job_cursors WHERE name = 'backup'").run()
  }
  await seal(bindings)
  expect(await count('transactions', account_id)).toBe(0)
  expect((await BUCKET.list({ prefix: `chests/books/${account_id}/` })).objects).toHaveLength(1)
})

it('asks nothing of chests without their bucket', async () => {
  const { key } = await newAccount()
  const named: string[] = []
  const DB = new Proxy(env.DB, {
    get(db, name) {
      const member: unknown = Reflect.get(db, name)
      if (typeof member !== 'function') return member
      return (...values: unknown[]) => {
        if (name === 'prepare' && /chest|sealed_accounts/.test(String(values[0])))
          named.push(String(values[0]))
        return member.apply(db, values) as unknown
      }
    },
  })
  const paths = [
    '/v1/transactions',
    '/v1/transactions/external/none',
    '/v1/reports/lines',
    '/v1/transactions?q=a',
  ]
  for (const path of paths) await askSealed('GET', path, key, undefined, { ...env, DB })
  expect(named).toEqual([])
})

it('seals sales that no search waits for, because they have no name of any kind', async () => {
  const { key, account_id } = await newAccount()
  await askSealed('PUT', '/v1/account', key, { country: 'DE' })
  const transactions = Array.from({ length: 10 }, (_, index) => {
    const { external_id: _id, invoice_number: _number, ...nameless } = saleOf(index)
    return nameless
  })
  const made = await askSealed('POST', '/v1/transactions/batch', key, { transactions })
  expect(made.body['summary'], made.text).toMatchObject({ succeeded: 10 })
  await env.DB.prepare('DELETE FROM day_changes').run()
  await makeStragglersSearchable(env.DB, new Date(Date.now() + 3_600_000))
  await seal()
  expect(await count('transactions', account_id)).toBe(0)
})

it('finds that the totals of a month are missing whose sales are all sealed', async () => {
  const { account_id } = await sealedAccount(10)
  expect(await differencesOfMonths(account_id)).toEqual([])
  await env.DB.batch([
    env.DB.prepare("DELETE FROM tax_totals WHERE account_id = ? AND period LIKE '2026-03%'").bind(account_id),
    env.DB.prepare("DELETE FROM transaction_counts WHERE account_id = ? AND period LIKE '2026-03%'").bind(
      account_id,
    ),
  ])
  const tables = (await differencesOfMonths(account_id)).map(({ table }) => table)
  expect([...new Set(tables)]).toEqual(['tax_totals', 'transaction_counts'])
})

it('raises an alarm if sales are sealed and no bucket is bound', async () => {
  await sealedAccount(10)
  const raised = async (CHESTS: R2Bucket | undefined) => {
    const { CHESTS: _, ...without } = WITH_CHESTS
    await watchOperations(CHESTS === undefined ? without : { ...without, CHESTS }, new Date())
    const kept = await env.KV.get<{ measured: object }>('operations:now', 'json')
    return alarmsOf(kept?.measured ?? {}).filter(
      ({ name, status }) => /chests/.test(name) && status === 'warn',
    )
  }
  expect(await raised(BUCKET)).toEqual([])
  expect(await raised(undefined)).toMatchObject([
    { name: 'unbound_chests', message: expect.stringContaining('no bucket is bound as CHESTS') },
  ])
})

it('erases an account once or not at all more, whichever trip is the last, and keeps its sealed sales', async () => {
  const { account_id } = await sealedAccount(20)
  const refs = await countRefs(account_id)
  const manage = (control: typeof env.DB) => ({
    control,
    shardOf: (number: number) => ({ ...shardOf(env, number), ...(number === 0 && { books: control }) }),
    clock: () => new Date(),
  })
  for (let trip = 1, done = false; !done; trip += 1) {
    const { bindings, ended } = dyingAt(trip, trip % 2 === 0)
    await eraseAccount(manage(bindings.DB), account_id).catch((thrown: unknown) =>
      expect(String(thrown)).toContain('died'),
    )
    done = ended()
    expect(await countRefs(account_id), `trip ${trip}`).toBe(refs)
    expect(await differencesOfMonths(account_id), `trip ${trip}`).toEqual([])
  }
  const source = { env: { CHESTS: BUCKET }, books: env.DB, principal: { account_id } }
  expect(await faultsOfChests(source)).toEqual([])
})

it('loses no sealed sale to the erasure of its customer, whichever trip is the last', async () => {
  const { key, account_id } = await newAccount()
  await askSealed('PUT', '/v1/account', key, { country: 'DE' })
  const { body: customer } = await askSealed('POST', '/v1/customers', key, { name: 'Ada Lovelace' })
  const transactions = Array.from({ length: 10 }, (_, index) => ({
    ...saleOf(index),
    customer_id: String(customer['id']),
  }))
  const made = await askSealed('POST', '/v1/transactions/batch', key, { transactions })
  expect(made.body['summary'], made.text).toMatchObject({ succeeded: 10 })
  await env.DB.prepare('DELETE FROM day_changes').run()
  await seal()
  expect(await count('transactions', account_id)).toBe(0)
  const path = `/v1/customers/${String(customer['id'])}`
  for (let trip = 1, done = false; !done; trip += 1) {
    const { bindings, ended } = dyingAt(trip, trip % 2 === 0)
    await askSealed('DELETE', path, key, undefined, { ...WITH_CHESTS, ...bindings })
    done = ended()
    const { body } = await askSealed('GET', '/v1/transactions?limit=50', key)
    expect(body['transactions'], `trip ${trip}`).toHaveLength(10)
  }
  expect((await askSealed('GET', path, key)).status).toBe(404)
  const exported = await askSealed(
    'GET',
    '/v1/reports/export?report=transactions&from_date=2026-01-01&to_date=2026-12-31',
    key,
  )
  expect(exported.text).not.toContain('Lovelace')
  expect(await differencesOfMonths(account_id)).toEqual([])
})
