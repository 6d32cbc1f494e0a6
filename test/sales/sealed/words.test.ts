import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { salesWithoutWords } from '../../../scripts/verify/words.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { shareOldWords } from '../../../src/sales/transactions/record/share-old-words.ts'
import { move } from '../../service/shards/moving.ts'
import { newAccount } from '../../support/account.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { askSealed, BUCKET, count, saleOf, seal, sellMany, shownOf, WITH_CHESTS } from './sealed.ts'
import { differencesOfMonths } from './totals.ts'

keepAccountsIn(0)
await loadTestData()

let owner: Awaited<ReturnType<typeof newAccount>>

beforeEach(async () => {
  owner = await newAccount()
  await askSealed('PUT', '/v1/account', owner.key, { country: 'DE' })
})

/** What two sales say with their steps and the view of their invoices. */
async function said(): Promise<string[]> {
  const names = ['order-1', 'order-3']
  const found = await Promise.all(
    names.map(async (name) => {
      const path = `/v1/transactions/external/${name}?explain=true&einvoice=en`
      return shownOf(await askSealed('GET', path, owner.key))
    }),
  )
  for (const text of found) {
    expect(text).toContain('"explanation":{')
    expect(text).toContain('"einvoice":{')
  }
  return found
}

it('seals sales that get shared words between the write of their chest and its check', async () => {
  WITH_CHESTS.WORDS_WITH_SALES = 'on'
  await sellMany(owner.key, 0, 10)
  delete WITH_CHESTS.WORDS_WITH_SALES
  const before = await said()
  let shared = false
  const bucket = new Proxy(BUCKET, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...values: unknown[]) => {
        const result: unknown = await member.apply(target, values)
        if (name === 'put' && !shared) {
          shared = true
          await env.DB.prepare(
            "INSERT OR REPLACE INTO job_cursors (name, after) VALUES ('words_of_sales', '')",
          ).run()
          await shareOldWords(env.DB)
        }
        return result
      }
    },
  })
  await expect(seal({ CHESTS: bucket })).rejects.toThrow('with other rows than the books')
  await seal()
  expect(await count('transactions', owner.account_id)).toBe(0)
  expect((await BUCKET.list({ prefix: `books/${owner.account_id}/` })).objects).toHaveLength(1)
  expect(await said()).toEqual(before)
  expect(await differencesOfMonths(owner.account_id)).toEqual([])
})

it('reads the words of a sealed sale, also where its account has moved, and when it is thawed', async () => {
  await sellMany(owner.key, 0, 10)
  const before = await said()
  await seal()
  expect(await count('transactions', owner.account_id)).toBe(0)
  expect(await said()).toEqual(before)
  await move(owner, 1)
  forgetAll()
  expect(await said()).toEqual(before)
  const { body } = await askSealed('GET', '/v1/transactions/external/order-1', owner.key)
  const refund = { amount: 100, reason: 'partial' }
  const path = `/v1/transactions/${String(body['id'])}`
  expect((await askSealed('POST', `${path}/refund`, owner.key, refund)).status).toBe(200)
  const { body: after } = await askSealed('GET', `${path}?explain=true&einvoice=en`, owner.key)
  expect(after).toMatchObject({ amount_refunded: 100, explanation: {}, einvoice: {} })
})

it('names a sealed sale whose words are missing', async () => {
  await sellMany(owner.key, 0, 10)
  const { body } = await askSealed('GET', '/v1/transactions/external/order-1', owner.key)
  await env.DB.prepare("UPDATE transactions SET reasons = json_set(reasons, '$.shared', ?) WHERE id = ?")
    .bind('A'.repeat(24), body['id'])
    .run()
  await seal()
  expect(await count('transactions', owner.account_id)).toBe(0)
  expect(await salesWithoutWords(env.DB, owner.account_id, { chests: BUCKET })).toEqual([body['id']])
})

it('saves a sealed sale of the old form again, with the same content and with another', async () => {
  WITH_CHESTS.WORDS_WITH_SALES = 'on'
  await sellMany(owner.key, 0, 10)
  delete WITH_CHESTS.WORDS_WITH_SALES
  const before = await said()
  const { body } = await askSealed('GET', '/v1/transactions/external/order-1', owner.key)
  await seal()
  const path = '/v1/transactions/external/order-1'
  const same = await askSealed('PUT', path, owner.key, saleOf(1))
  expect([same.status, same.body['id']], same.text).toEqual([200, body['id']])
  expect(await said()).toEqual(before)
  await seal()
  const line_items = [{ amount: 555, product_type: 'saas' }]
  const other = await askSealed('PUT', path, owner.key, { ...saleOf(1), line_items })
  expect(other.status, other.text).toBe(200)
  expect(other.body['id']).not.toBe(body['id'])
  const { body: now } = await askSealed('GET', `${path}?explain=true&einvoice=en`, owner.key)
  expect(now).toMatchObject({ id: other.body['id'], subtotal: 555, explanation: {}, einvoice: {} })
  const events = await askSealed('GET', `/v1/audit-events?resource_id=${String(other.body['id'])}`, owner.key)
  expect(events.body['audit_events'], events.text).toMatchObject([{ action: 'transaction.created' }])
  expect(await differencesOfMonths(owner.account_id)).toEqual([])
})
