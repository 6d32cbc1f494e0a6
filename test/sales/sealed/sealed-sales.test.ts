import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { wholeDb } from '../../../src/platform/database/databases.ts'
import { differencesOfMonths } from './totals.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import {
  accountWith,
  askSealed,
  type Asked,
  BUCKET,
  count,
  countRefs,
  saleOf,
  seal,
  shownOf,
} from './sealed.ts'

keepAccountsIn(0)
const PATHS = [
  '/v1/transactions/external/order-4',
  '/v1/transactions/external/order-4?explain=true&einvoice=en',
  '/v1/transactions?limit=7',
  '/v1/transactions?limit=100&sort=oldest',
  '/v1/transactions?from_date=2026-02-01&to_date=2026-03-31&limit=50',
  '/v1/transactions?jurisdiction_id=FR&limit=50',
  '/v1/transactions?product_type=saas&limit=9',
  '/v1/transactions?external_id_prefix=order-1&limit=50',
  '/v1/reports/transactions?from_date=2026-01-01&to_date=2026-12-31&limit=20',
  '/v1/reports/transactions?tax_rate=0.19&limit=100',
  '/v1/reports/lines?from_date=2026-01-01&to_date=2026-12-31&limit=30',
  '/v1/reports/export?report=transactions&from_date=2026-01-01&to_date=2026-12-31',
  '/v1/reports/export?report=lines&from_date=2026-01-01&to_date=2026-12-31',
  '/v1/reports/summary?from_date=2026-01-01&to_date=2026-12-31',
] as const

let key = ''
let account_id = ''
const before = new Map<string, Asked>()
beforeAll(async () => {
  await loadTestData()
  ;({ key, account_id } = await accountWith(45))
  for (const path of PATHS) before.set(path, await askSealed('GET', path, key))
  for (let ticks = 0; ticks < 3; ticks += 1) await seal()
})

describe('sealed sales', () => {
  it('leave the books, in whole chests', async () => {
    expect(await count('transactions', account_id)).toBe(5)
    expect(await count('transaction_lines', account_id)).toBe(10)
    expect(await countRefs(account_id)).toBe(80)
    const { results } = await wholeDb(env.DB).prepare('SELECT state, sales FROM chests').all()
    expect(results).toEqual(Array.from({ length: 4 }, () => ({ state: 'sealed', sales: 10 })))
    expect((await BUCKET.list({ prefix: `books/${account_id}/` })).objects).toHaveLength(4)
  })

  it.each(PATHS)('are read as before: %s', async (path) => {
    const was = shownOf(before.get(path) ?? { status: 0, text: '', body: {} })
    const is = shownOf(await askSealed('GET', path, key))
    const differs = was.split('').findIndex((letter, index) => is[index] !== letter)
    expect(was.slice(0, 4)).toBe('200 ')
    expect(is.slice(Math.max(differs - 40, 0), differs + 80)).toBe(
      was.slice(Math.max(differs - 40, 0), differs + 80),
    )
    expect(is.length).toBe(was.length)
  })

  it('come on the pages of a list in the same order, each once', async () => {
    const seen: string[] = []
    let cursor = ''
    do {
      const { body, text } = await askSealed('GET', `/v1/transactions?limit=4${cursor}`, key)
      for (const { external_id } of body['transactions'] as { external_id: string }[]) seen.push(external_id)
      expect(text).toContain('"total":45')
      const next = body['next_cursor']
      cursor = typeof next === 'string' ? `&cursor=${encodeURIComponent(next)}` : ''
    } while (cursor !== '')
    expect(seen).toHaveLength(45)
    expect(new Set(seen).size).toBe(45)
  })

  it('are found by their external id, and the search says that it is not complete', async () => {
    const { body } = await askSealed('GET', '/v1/transactions?q=order-7', key)
    expect(body['transactions']).toMatchObject([{ external_id: 'order-7' }])
    expect(body['search_complete']).toBe(false)
  })

  it('keep their external id from others', async () => {
    const again = await askSealed('POST', '/v1/transactions', key, saleOf(8))
    expect(again.status).toBe(400)
    expect(again.body['reason']).toBe('external_id_taken')
    const batch = { transactions: [saleOf(9), { ...saleOf(9), external_id: 'order-new' }] }
    const { body } = await askSealed('POST', '/v1/transactions/batch', key, batch)
    expect(body['summary']).toEqual({ total: 2, succeeded: 1, failed: 1 })
  })

  it('do not change the totals', async () => {
    expect(await differencesOfMonths(account_id)).toEqual([])
  })
})
