import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { FIRST_MOMENT } from '../../../src/returns/rows/report-lines-store.ts'
import { newAccount } from '../../support/account.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
keepAccountsIn(0)

it('finds the first sale of a quarter in the indexes on dates, which have the days too', async () => {
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${FIRST_MOMENT}`)
    .bind('acc_1', '2026-07-01')
    .all<{ detail: string }>()
  const reads = results.map(({ detail }) => detail).filter((detail) => detail.includes(' USING '))
  expect(reads.toSorted()).toEqual([
    'SEARCH refunds USING COVERING INDEX refunds_by_date (account_id=? AND refunded_at>?)',
    'SEARCH transactions USING COVERING INDEX transactions_by_date (account_id=? AND transaction_date>?)',
  ])
})

it('finds a sale of a later day that was earlier, since the account changed its time zone', async () => {
  const { key, account_id } = await newAccount({ tier: 'enterprise' })
  const sell = async (time_zone: string, transaction_date: string) => {
    expect((await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone } })).status).toBe(200)
    const body = {
      currency: 'EUR',
      transaction_date,
      seller: { country: 'DE' },
      customer: { address: { country: 'DE' } },
      line_items: [{ amount: 10_000, product_type: 'saas' }],
    }
    expect((await call('POST', '/v1/transactions', { key, body })).status).toBe(201)
  }
  await sell('Pacific/Honolulu', '2026-07-02T09:00:00Z')
  await sell('Pacific/Kiritimati', '2026-07-01T11:00:00Z')
  const days = await env.DB.prepare('SELECT day FROM transactions WHERE account_id = ? ORDER BY day')
    .bind(account_id)
    .all<{ day: string }>()
  expect(days.results.map(({ day }) => day)).toEqual(['2026-07-01', '2026-07-02'])
  expect(await env.DB.prepare(FIRST_MOMENT).bind(account_id, '2026-07-01').first('at')).toMatch(
    /^2026-07-01T11/,
  )
  expect(await env.DB.prepare(FIRST_MOMENT).bind(account_id, '2026-07-03').first('at')).toBeNull()
})
