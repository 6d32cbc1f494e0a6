import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { verifyReturns } from '../../../scripts/verify/returns.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { forgetAll } from '../../../src/platform/kit/memory.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { move } from '../../service/shards/moving.ts'
import { dyingAt } from '../../sales/sealed/dying.ts'
import { askSealed, BUCKET, seal, shownOf, WITH_CHESTS } from '../../sales/sealed/sealed.ts'
import { file, linesInBooks, objectsOf, rest, saleOn, sealLines, seller, sellMany, sent } from './sealing.ts'

keepAccountsIn(0)
await loadTestData()

let key = ''
let account_id = ''
let filed = ''
let sale = ''
beforeEach(async () => {
  ;({ key, account_id } = await seller())
  await sellMany(key, 0, 9)
  sale = String((await sent('GET', '/v1/transactions/external/order-4', key))['id'])
  await sent('POST', `/v1/transactions/${sale}/refund`, key, {
    amount: 100,
    reason: 'returned',
    refunded_at: '2026-03-20',
  })
  filed = await file(key, '2026-Q1')
})

const pathsOf = (id: string) => [
  `/v1/returns/${id}`,
  `/v1/returns/${id}/rows?limit=100`,
  `/v1/returns/${id}/rows?limit=4&cursor=5`,
  `/v1/returns/${id}/rows?limit=2&cursor=18`,
  `/v1/returns/${id}/hashed-rows`,
  '/v1/returns/reconciliation',
  `/v1/transactions/${sale}`,
  '/v1/transactions/external/order-7',
  '/v1/reports/filing?type=oss_union&period=2026-Q1',
]

const verified = () => verifyReturns(env.DB, account_id, { chests: BUCKET })

describe('the lines of a return that was filed long ago', () => {
  it('leave the books for one object, and are read as before', async () => {
    const before = []
    for (const path of pathsOf(filed)) before.push(shownOf(await askSealed('GET', path, key)))
    expect(await linesInBooks(account_id)).toBe(20)
    await sealLines()
    expect(await linesInBooks(account_id)).toBe(0)
    expect(await objectsOf(account_id)).toHaveLength(1)
    for (const [index, path] of pathsOf(filed).entries()) {
      expect(before[index]).toContain('200 ')
      expect(shownOf(await askSealed('GET', path, key))).toBe(before[index])
    }
    const { usage } = await sent('GET', '/v1/account/usage', key)
    expect(usage).toMatchObject({ filed_rows: { stored: 0 } })
    expect(await verified()).toEqual([])
  })

  it('are found by figure, page by page', async () => {
    const { supplies } = (await sent('GET', `/v1/returns/${filed}`, key))['figures'] as {
      supplies: { transactions_url: string }[]
    }
    const url = supplies[0]?.transactions_url ?? ''
    const all = async () => {
      const lines: unknown[] = []
      for (let cursor = ''; ;) {
        const page = await sent('GET', `${url}&limit=2${cursor}`, key)
        lines.push(...(page['lines'] as unknown[]))
        if (page['next_cursor'] === null) return lines
        cursor = `&cursor=${page['next_cursor'] as string}`
      }
    }
    const before = await all()
    await sealLines()
    expect(before.length).toBeGreaterThan(3)
    expect(await all()).toEqual(before)
  })

  it('stay in the books for the days that are set, and under review', async () => {
    await sealLines({ SEAL_AFTER_DAYS: '501' })
    expect(await linesInBooks(account_id)).toBe(20)
    await sellMany(key, 20, 1)
    const submission = { state: 'open' }
    await sent('POST', '/v1/returns', key, { type: 'oss_union', period: '2026-Q2', submission })
    await sealLines()
    expect(await linesInBooks(account_id)).toBe(2)
  })

  it('tell late entries from what was declared', async () => {
    await sealLines()
    await sent('POST', '/v1/transactions', key, saleOn('2026-02-02', 50))
    const open = await sent('GET', '/v1/reports/filing?type=oss_union&period=2026-Q2', key)
    expect(open['corrections']).toHaveLength(1)
    expect((await sent('GET', '/v1/returns/reconciliation', key))['reconciled']).toBe(true)
    const second = await file(key, '2026-Q2')
    const { lines } = (await sent('GET', `/v1/returns/${second}/rows`, key)) as { lines: object[] }
    expect(lines).toMatchObject([{ external_id: 'order-50' }, { external_id: 'order-50' }])
    expect(await verified()).toEqual([])
    await seal()
    expect(await verified()).toEqual([])
    expect((await sent('GET', '/v1/returns/reconciliation', key))['reconciled']).toBe(true)
  })

  it('keep a sale from being replaced, and let a late one be', async () => {
    await sealLines()
    const put = (index: number) =>
      askSealed('PUT', `/v1/transactions/external/order-${index}`, key, {
        ...saleOn('2026-02-02', index),
        line_items: [{ amount: 1, product_type: 'saas' }],
      })
    expect((await put(5)).body['reason']).toBe('period_already_filed')
    await sent('POST', '/v1/transactions', key, saleOn('2026-02-02', 50))
    expect((await put(50)).status).toBe(200)
    const { refunds } = (await sent('GET', `/v1/transactions/${sale}`, key)) as { refunds: { id: string }[] }
    const path = `/v1/transactions/${sale}/refunds/${refunds[0]?.id}`
    expect((await askSealed('DELETE', path, key)).body['reason']).toBe('period_already_filed')
  })

  it('are of a return that can be reopened and filed again', async () => {
    await sealLines()
    await sent('POST', '/v1/transactions', key, saleOn('2026-02-02', 50))
    await sent('POST', `/v1/returns/${filed}/reopen`, key, { reason: 'test' })
    const again = await file(key, '2026-Q1')
    expect((await sent('GET', `/v1/returns/${again}`, key))['version']).toBe(2)
    expect(await linesInBooks(account_id)).toBe(22)
    await sealLines()
    expect(await linesInBooks(account_id)).toBe(0)
    const { lines } = (await sent('GET', `/v1/returns/${filed}/rows`, key)) as { lines: object[] }
    expect(lines).toHaveLength(20)
    expect(await verified()).toEqual([])
  })

  it('are refused by name if their object is absent, cut or altered, and verify-returns says so', async () => {
    await sealLines()
    const [name = ''] = await objectsOf(account_id)
    const whole = new Uint8Array((await (await BUCKET.get(name))?.arrayBuffer()) ?? new ArrayBuffer(0))
    const altered = whole.map((byte, index) => (index % 40 === 20 ? byte ^ 1 : byte))
    for (const bytes of [null, whole.slice(0, 20), altered]) {
      await (bytes === null ? BUCKET.delete(name) : BUCKET.put(name, bytes))
      for (const path of [`/v1/returns/${filed}/rows`, `/v1/transactions/${sale}`]) {
        const { status, body } = await askSealed('GET', path, key)
        expect([status, body['reason']]).toEqual([503, 'sealed_return_unreadable'])
      }
      expect(await verified()).toMatchObject([
        { return_id: filed, message: expect.stringContaining('absent') },
      ])
    }
    await BUCKET.put(name, whole)
    expect(await verified()).toEqual([])
    const without = await askSealed('GET', `/v1/returns/${filed}/rows`, key, undefined, env)
    expect([without.status, without.body['reason']]).toEqual([503, 'sealed_return_unreadable'])
  })

  it('stay in the books if they are not as they were filed', async () => {
    await env.DB.batch([
      env.DB.prepare("INSERT INTO open_doors (account_id, reason) VALUES (?, 'test')").bind(account_id),
      env.DB.prepare(
        "UPDATE filed_rows SET content = replace(content, 'FR', 'ES') WHERE account_id = ? AND position = 3",
      ).bind(account_id),
      env.DB.prepare('DELETE FROM open_doors').bind(),
    ])
    await sealLines()
    expect(await linesInBooks(account_id)).toBe(20)
    expect(await objectsOf(account_id)).toEqual([])
  })

  it('move with their account, and go into the bucket of backups', async () => {
    await sealLines({ BACKUPS: BUCKET })
    const copies = await BUCKET.list({ prefix: `chests/returns/${account_id}/` })
    expect(copies.objects.map(({ key: name }) => name)).toEqual(
      (await objectsOf(account_id)).map((name) => `chests/${name}`),
    )
    const path = `/v1/returns/${filed}/rows`
    const before = shownOf(await askSealed('GET', path, key))
    await move({ key, account_id }, 1)
    forgetAll()
    expect(shownOf(await askSealed('GET', path, key))).toBe(before)
    const { books } = shardOf(env, 1)
    expect(await verifyReturns(books, account_id, { chests: BUCKET })).toEqual([])
    await expect(verifyReturns(books, account_id)).rejects.toThrow('bind their bucket')
  })

  it('keep their sales on their days when the time zone changes', async () => {
    await sealLines()
    const before = shownOf(await askSealed('GET', '/v1/transactions?limit=50', key))
    await sent('PUT', '/v1/account', key, { country: 'DE', time_zone: 'Pacific/Auckland' })
    const { moveDays } = await import('../../../src/sales/transactions/sums/move-days.ts')
    await moveDays(env.DB, env.DB, new Date(Date.now() + 600_000))
    const { results } = await env.DB.prepare(
      'SELECT DISTINCT day = substr(transaction_date, 1, 10) AS same FROM transactions WHERE account_id = ?',
    )
      .bind(account_id)
      .all()
    expect(results).toEqual([{ same: 1 }])
    expect(before).toContain('200 ')
    await rest()
    expect(await verified()).toEqual([])
  })
})

it('lose and double nothing, whichever trip of sealing is the last', async () => {
  let trips = 0
  for (const made of [true, false])
    for (let trip = 1, done = false; !done; trip += 1) {
      ;({ key, account_id } = await seller())
      await sellMany(key, 0, 3)
      filed = await file(key, '2026-Q1')
      const own = `/v1/returns/${filed}/rows?limit=100`
      const was = shownOf(await askSealed('GET', own, key))
      expect(was).toContain('200 ')
      const { bindings, ended } = dyingAt(trip, made)
      await sealLines(bindings).catch((thrown: unknown) => expect(String(thrown)).toContain('died'))
      done = ended()
      trips += 1
      expect(shownOf(await askSealed('GET', own, key)), `trip ${trip}`).toBe(was)
      await Promise.all([sealLines(), sealLines()])
      await sealLines()
      expect(await linesInBooks(account_id), `trip ${trip}`).toBe(0)
      expect(await objectsOf(account_id), `trip ${trip}`).toHaveLength(1)
      expect(shownOf(await askSealed('GET', own, key)), `trip ${trip}`).toBe(was)
      expect(await verified(), `trip ${trip}`).toEqual([])
    }
  expect(trips).toBeGreaterThan(20)
}, 240_000)

it('asks nothing of sealed returns without their bucket', async () => {
  const named: string[] = []
  const DB = new Proxy(env.DB, {
    get(db, name) {
      const member: unknown = Reflect.get(db, name)
      if (typeof member !== 'function') return member
      return (...values: unknown[]) => {
        if (name === 'prepare' && String(values[0]).includes('sealed_returns')) named.push(String(values[0]))
        return member.apply(db, values) as unknown
      }
    },
  })
  for (const path of pathsOf(filed)) await askSealed('GET', path, key, undefined, { ...env, DB })
  await sealLines({ CHESTS: undefined } as never)
  expect(named).toEqual([])
  expect(WITH_CHESTS.CHESTS).toBe(BUCKET)
  expect(await linesInBooks(account_id)).toBe(20)
})
