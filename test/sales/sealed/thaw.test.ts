import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { dyingAt } from './dying.ts'
import {
  accountWith,
  askSealed,
  BUCKET,
  count,
  countRefs,
  saleOf,
  seal,
  sellMany,
  shownOf,
  WITH_CHESTS,
} from './sealed.ts'
import { differencesOfMonths } from './totals.ts'

keepAccountsIn(0)
await loadTestData()

let key = ''
let account_id = ''

async function idOf(index: number): Promise<string> {
  const { body } = await askSealed('GET', `/v1/transactions/external/order-${index}`, key)
  return String(body['id'])
}

const stored = async () => {
  const { body } = await askSealed('GET', '/v1/account/usage', key)
  return (body['usage'] as { transaction_lines: { stored: number } }).transaction_lines.stored
}

beforeEach(async () => {
  ;({ key, account_id } = await accountWith(10))
})

it('brings a sale back for a refund, which then stays in the books', async () => {
  await seal()
  expect([await count('transactions', account_id), await stored()]).toEqual([0, 0])
  const id = await idOf(3)
  const refund = { amount: 500, reason: 'partial' }
  const answer = await askSealed('POST', `/v1/transactions/${id}/refund`, key, refund)
  expect(answer.status, answer.text).toBe(200)
  expect([await count('transactions', account_id), await stored()]).toEqual([1, 2])
  expect(await countRefs(account_id)).toBe(18)
  await sellMany(key, 20, 10)
  await seal()
  await seal()
  const again = await askSealed('GET', `/v1/transactions/${id}`, key)
  expect(again.body).toMatchObject({ status: 'refunded', amount_refunded: 500 })
  const list = await askSealed('GET', '/v1/transactions?limit=50', key)
  expect((list.body['transactions'] as unknown[]).length).toBe(20)
  expect(await differencesOfMonths(account_id)).toEqual([])
})

it('brings a sale back for a credit note, a final sale and a replacement', async () => {
  await seal()
  const note = { ...saleOf(40), line_items: [{ amount: -500, product_type: 'saas' }] }
  const credit_note_for = { external_id: 'order-1' }
  const { invoice_number: _, ...credit } = { ...note, external_id: 'note', transaction_date: '2026-09-01' }
  const noted = await askSealed('POST', '/v1/transactions', key, { ...credit, credit_note_for })
  expect(noted.status, noted.text).toBe(201)
  const final = { ...saleOf(41), settles: [{ external_id: 'order-2', amount: 119 }] }
  const settled = await askSealed('POST', '/v1/transactions', key, {
    ...final,
    transaction_date: '2026-09-01',
  })
  expect(settled.status, settled.text).toBe(201)
  const saved = await askSealed('PUT', '/v1/transactions/external/order-4', key, {
    ...saleOf(4),
    line_items: [{ amount: 9_999, product_type: 'saas' }],
  })
  expect(saved.status, saved.text).toBe(200)
  const now = await askSealed('GET', '/v1/transactions/external/order-4', key)
  expect(now.body).toMatchObject({ subtotal: 9_999 })
  expect(await differencesOfMonths(account_id)).toEqual([])
})

it('leaves a sale in the books that was refunded after it was written', async () => {
  const [{ id } = { id: '' }] = (await askSealed('GET', '/v1/transactions?limit=1&sort=oldest', key)).body[
    'transactions'
  ] as { id: string }[]
  let refunded = false
  const bucket = new Proxy(BUCKET, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...values: unknown[]) => {
        const result: unknown = await member.apply(target, values)
        if (name === 'put' && !refunded) {
          refunded = true
          const refund = { amount: 100, reason: 'partial' }
          expect((await askSealed('POST', `/v1/transactions/${id}/refund`, key, refund)).status).toBe(200)
        }
        return result
      }
    },
  })
  await seal({ CHESTS: bucket })
  expect(await count('transactions', account_id)).toBe(1)
  const { body } = await askSealed('GET', `/v1/transactions/${id}`, key)
  expect(body).toMatchObject({ status: 'refunded', amount_refunded: 100 })
  const list = await askSealed('GET', '/v1/transactions?limit=50', key)
  expect((list.body['transactions'] as unknown[]).length).toBe(10)
  expect(await differencesOfMonths(account_id)).toEqual([])
})

it('answers 503 with a reason of its own if a chest is absent, cut off or altered', async () => {
  await seal()
  const id = await idOf(5)
  const { objects } = await BUCKET.list({ prefix: `books/${account_id}/` })
  const name = objects[0]?.key ?? ''
  const whole = new Uint8Array((await (await BUCKET.get(name))?.arrayBuffer()) ?? new ArrayBuffer(0))
  const altered = whole.map((byte, index) => (index % 40 === 20 ? byte ^ 1 : byte))
  for (const bytes of [null, whole.slice(0, 20), altered]) {
    await (bytes === null ? BUCKET.delete(name) : BUCKET.put(name, bytes))
    const asked = [
      await askSealed('GET', `/v1/transactions/${id}`, key),
      await askSealed('GET', '/v1/transactions?limit=50', key),
      await askSealed('POST', `/v1/transactions/${id}/refund`, key, { amount: 1, reason: 'x' }),
    ]
    for (const { status, body } of asked)
      expect([status, body['reason']]).toEqual([503, 'sealed_sale_unreadable'])
  }
  await BUCKET.put(name, whole)
  expect((await askSealed('GET', `/v1/transactions/${id}`, key)).status).toBe(200)
  expect((await askSealed('GET', '/v1/transactions/txn_none', key)).body['reason']).toBe('not_found')
})

it('loses and doubles nothing, whichever trip of sealing is the last', async () => {
  const before = await askSealed('GET', '/v1/transactions?limit=50', key)
  for (const made of [true, false])
    for (let trip = 1, done = false; !done; trip += 1) {
      await env.DB.batch([
        env.DB.prepare('DELETE FROM chest_refs'),
        env.DB.prepare('DELETE FROM chest_blocks'),
        env.DB.prepare('DELETE FROM chests'),
      ])
      const { bindings, ended } = dyingAt(trip, made)
      await seal(bindings).catch((thrown: unknown) => expect(String(thrown)).toContain('died'))
      done = ended()
      const list = await askSealed('GET', '/v1/transactions?limit=50', key)
      expect(shownOf(list), `trip ${trip}`).toBe(shownOf(before))
      await Promise.all([seal(), seal()])
      await seal()
      expect(await count('transactions', account_id), `trip ${trip}`).toBe(0)
      const after = await askSealed('GET', '/v1/transactions?limit=50', key)
      expect(shownOf(after), `trip ${trip}`).toBe(shownOf(before))
      expect((await BUCKET.list({ prefix: `books/${account_id}/` })).objects.length).toBeLessThan(3)
      // Back into the books, for the next trip.
      const { thawSales } = await import('../../../src/sales/sealed/thaw.ts')
      const ids = (before.body['transactions'] as { id: string }[]).map((sale) => sale.id)
      const source = { env: WITH_CHESTS, books: env.DB, principal: { account_id } }
      await thawSales(source, { ids, external_ids: [] })
      expect(await count('transactions', account_id), `trip ${trip}`).toBe(10)
      expect(await stored()).toBe(20)
      if (done) expect(await differencesOfMonths(account_id)).toEqual([])
      const kept = (await BUCKET.list({ prefix: `books/${account_id}/` })).objects.map((each) => each.key)
      await BUCKET.delete(kept)
    }
}, 120_000)
