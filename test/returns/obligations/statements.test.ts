import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { announceReturns } from '../../../src/returns/obligations/announce.ts'
import { created } from '../../sales/transactions/sales.ts'
import { newAccount } from '../../support/account.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

await loadTestData()
const shard0 = keepAccountsIn(0)

type Body = Record<string, unknown>

const send = async (method: string, path: string, key: string, body?: object): Promise<Body> => {
  const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

/** A supply of services to a business of France, whose number was checked. */
const service = (transaction_date: string) => ({
  customer: { address: { country: 'FR' }, type: 'business', vat_id: 'FR40303265045' },
  currency: 'EUR',
  transaction_date,
  line_items: [{ amount: 10_000, product_type: 'saas' }],
})

/** A German seller with a supply to a French business in the first quarter of 2025, and none in the second. */
async function seller(more: object = {}) {
  const account = await newAccount()
  const { key } = account
  await send('PUT', '/v1/account', key, { country: 'DE', time_zone: 'UTC', vat_id: 'DE136695976' })
  await send('POST', '/v1/registrations', key, {
    jurisdiction_id: 'DE',
    valid_from: '2020-01-01',
    ...more,
  })
  const sold = await created(key, service('2025-02-10'))
  await created(key, {
    customer: { address: { country: 'DE', postal_code: '10115' } },
    currency: 'EUR',
    transaction_date: '2025-05-05',
    line_items: [{ amount: 10_000, product_type: 'saas' }],
  })
  return { ...account, sold }
}

const listed = async (key: string, query: string) =>
  (await send('GET', `/v1/obligations?${query}`, key))['obligations'] as Body[]
const IN_2025 = 'from=2025-01-01&to=2025-12-31&limit=100'
const STATEMENT = 'obl_DE_2025-Q1_ec_sales_list'
const statementsOf = async (key: string, query = IN_2025) =>
  (await listed(key, query)).filter(({ document }) => document === 'ec_sales_list')

describe('a recapitulative statement', () => {
  it('is announced like a return, once, if its period has rows and it is not filed', async () => {
    const { key, account_id } = await seller({ filing_frequency: 'quarterly' })
    const filed = await seller({ filing_frequency: 'quarterly' })
    await send('PUT', `/v1/obligations/${STATEMENT}`, filed.key, { filed: { day: '2025-04-10' } })
    const told = async (owner: string) =>
      (
        await shard0.books
          .prepare('SELECT type, data FROM events WHERE owner_account_id = ? ORDER BY id')
          .bind(owner)
          .all<{ type: string; data: string }>()
      ).results
        .map(({ type, data }) => ({ ...(JSON.parse(data) as Body), type }))
        .filter((each: Body) => each['document'] === 'ec_sales_list')
    for (const night of ['2025-04-20', '2025-04-21', '2025-04-27', '2025-07-20', '2025-07-29'])
      await announceReturns(env.DB, shard0, new Date(`${night}T03:17:00Z`), true)
    // The second quarter has no supply to list.
    expect(await told(account_id)).toMatchObject([
      { type: 'return.due', period: '2025-Q1', jurisdiction_id: 'DE' },
      { type: 'return.overdue', period: '2025-Q1', jurisdiction_id: 'DE' },
    ])
    expect(await told(filed.account_id)).toEqual([])
    expect(await statementsOf(key)).toMatchObject([{ id: STATEMENT }])
  })

  it('stays while it is told as filed, also if its supplies have left the books, and can be taken back', async () => {
    const { key, account_id } = await seller()
    await send('PUT', `/v1/obligations/${STATEMENT}`, key, { filed: { day: '2025-04-20' } })
    await shard0.books.prepare('DELETE FROM tax_totals WHERE account_id = ?').bind(account_id).run()
    expect(await statementsOf(key)).toMatchObject([{ id: STATEMENT, status: 'filed' }])
    await send('PUT', `/v1/obligations/${STATEMENT}`, key, { filed: null })
    expect(await statementsOf(key)).toEqual([])
  })

  it('is due for a period with such supplies, on the day of its state, with its file', async () => {
    const { key } = await seller()
    expect(await statementsOf(key)).toMatchObject([
      {
        id: STATEMENT,
        jurisdiction_id: 'DE',
        period: '2025-Q1',
        frequency: 'quarterly',
        due_date: '2025-04-25',
        last_date: '2025-04-25',
        status: 'overdue',
        so_far: [],
        verified_at: '2024-02-27',
        source: expect.stringContaining('18a'),
      },
    ])
    const [{ filing_url } = {}] = await statementsOf(key)
    const file = await exports.default.fetch(`https://service.test${String(filing_url)}`, {
      headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': newAddress() },
    })
    expect(await file.text()).toContain('FR,FR40303265045,services,EUR,10000')
    const { account, returns } = (await send('GET', '/v1/overview', key)) as Record<string, Body>
    expect(returns?.['first']).toContainEqual(expect.objectContaining({ id: STATEMENT }))
    expect(account?.['attention']).toContainEqual(expect.objectContaining({ reason: 'returns_overdue' }))
    const { url } = await send('POST', '/v1/obligations/calendar', key)
    const feed = await exports.default.fetch(String(url), {
      headers: { 'CF-Connecting-IP': newAddress() },
    })
    expect(await feed.text()).toContain('SUMMARY:Due: recapitulative statement of Germany\\, 2025-Q1')
  })

  it('follows the frequency of the registration, if the state has such statements', async () => {
    const { key } = await seller({ filing_frequency: 'monthly' })
    expect(await statementsOf(key)).toMatchObject([
      { period: '2025-02', due_date: '2025-03-25', last_date: '2025-03-25' },
    ])
  })

  it('is filed by telling so, until a supply that it lists is recorded later', async () => {
    const { key, key_id, sold } = await seller()
    const path = `/v1/obligations/${STATEMENT}`
    const filed = { day: '2025-04-24', number: 'ZM-1' }
    expect(await send('PUT', path, key, { filed })).toMatchObject({
      status: 'filed',
      filed: null,
      statement: { ...filed, told_by: key_id, counts: true },
    })
    expect(await statementsOf(key, 'limit=100')).toEqual([])
    expect(await statementsOf(key, 'status=filed')).toMatchObject([{ id: STATEMENT }])
    // Not a supply that the statement lists.
    await created(key, {
      customer: { address: { country: 'DE', postal_code: '10115' } },
      currency: 'EUR',
      transaction_date: '2025-03-05',
      line_items: [{ amount: 10_000, product_type: 'saas' }],
    })
    expect(await statementsOf(key, 'status=filed')).toHaveLength(1)
    await send('POST', `/v1/transactions/${sold}/refund`, key, {
      amount: 1_000,
      reason: 'Returned',
      refunded_at: '2025-03-20T00:00:00Z',
    })
    expect(await statementsOf(key)).toMatchObject([{ status: 'overdue', statement: { counts: false } }])
    await send('PUT', path, key, { filed })
    expect(await statementsOf(key)).toMatchObject([{ status: 'filed' }])
    expect(await send('PUT', path, key, { set_aside: null })).toMatchObject({ status: 'filed' })
    expect(await send('PUT', path, key, { filed: null })).toMatchObject({
      status: 'overdue',
      statement: null,
    })
    expect(await send('PUT', path, key, { set_aside: 'By the adviser' })).toMatchObject({
      status: 'set_aside',
    })
  })

  it('refuses days that cannot be, both at once, and a return', async () => {
    const { key } = await seller()
    for (const [id, body, path] of [
      [STATEMENT, { filed: { day: '2025-03-31' } }, 'filed.day'],
      [STATEMENT, { filed: { day: '2999-01-01' } }, 'filed.day'],
      [STATEMENT, { filed: {} }, 'filed.day'],
      [STATEMENT, { filed: null, set_aside: null }, 'set_aside'],
      [STATEMENT, {}, 'set_aside'],
      ['obl_DE_2025-Q1', { filed: { day: '2025-04-24' } }, 'filed'],
    ] as const) {
      const answer = await call('PUT', `/v1/obligations/${id}`, { key, body })
      expect([answer.status, answer.body['errors']], answer.text).toMatchObject([400, [{ path }]])
    }
    const none = await call('PUT', '/v1/obligations/obl_DE_2025-Q2_ec_sales_list', {
      key,
      body: { set_aside: 'x' },
    })
    expect(none.status).toBe(404)
  })
})
