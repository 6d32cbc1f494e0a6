import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { verifyReturns } from '../../../scripts/verify/returns.ts'
import { verifyTotals } from '../../../scripts/verify/totals.ts'
import { moveDays } from '../../../src/sales/transactions/sums/move-days.ts'
import { newAccount } from '../../support/account.ts'
import { type Answer, call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { created } from '../../sales/transactions/sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

type Body = Record<string, unknown>

const post = (key: string, path: string, body: object): Promise<Answer> => call('POST', path, { key, body })
const filing = async (key: string, query: string): Promise<Body> => {
  const answer = await call('GET', `/v1/reports/filing?${query}`, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

async function fileReturn(key: string, body: object): Promise<Body> {
  const answer = await post(key, '/v1/returns', body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const reopen = async (key: string, filed: Body) =>
  expect((await post(key, `/v1/returns/${String(filed['id'])}/reopen`, { reason: 'test' })).status).toBe(200)

async function seller(profile: object, ...registrations: object[]) {
  const account = await newAccount()
  const { key } = account
  await call('PUT', '/v1/account', { key, body: profile })
  for (const body of registrations)
    expect((await post(key, '/v1/registrations', { ...body, valid_from: '2020-01-01' })).status).toBe(201)
  return account
}

async function changeZone(key: string, time_zone: string): Promise<void> {
  await call('PUT', '/v1/account', { key, body: { time_zone } })
  await moveDays(env.DB, books, new Date(Date.now() + 600_000))
  expect((await call('GET', '/v1/account', { key })).body['days_moving']).toBe(false)
}

const toTexas = (transaction_date: string, amount: number) => ({
  customer: { address: { country: 'US', region: 'TX', postal_code: '78701', city: 'Austin' } },
  currency: 'USD',
  transaction_date,
  line_items: [
    { amount, product_type: 'physical_goods', tax_rate: 0.0825, tax_amount: Math.round(amount * 0.0825) },
  ],
})

const texan = async () =>
  seller({ country: 'US', region: 'TX', time_zone: 'UTC' }, { jurisdiction_id: 'US-TX' })

const texas = (period: string) => `type=us_state&jurisdiction_id=US-TX&period=${period}`
const filed = (period: string) => ({ type: 'us_state', jurisdiction_id: 'US-TX', period })

const sumOf = (answer: Body) =>
  (answer['supplies'] as Record<string, number>[]).reduce((sum, { gross_sales = 0 }) => sum + gross_sales, 0)
const correctionsOf = (answer: Body) => taxableIn(answer, 'corrections')
const amendmentsOf = (answer: Body) => taxableIn(answer, 'amendments')
const taxableIn = (answer: Body, part: string) =>
  (answer[part] as Record<string, number>[]).reduce((sum, { taxable_amount = 0 }) => sum + taxable_amount, 0)

describe('a change of the time zone after the first return', () => {
  it('makes a sale that comes into a filed period a late entry of it', async () => {
    const { key, account_id } = await texan()
    await created(key, toTexas('2026-09-10', 10_000))
    await created(key, toTexas('2026-10-01T02:00:00Z', 50_000))
    await fileReturn(key, filed('2026-09'))
    await changeZone(key, 'America/Chicago')
    const october = await filing(key, texas('2026-10'))
    expect([sumOf(october), correctionsOf(october), amendmentsOf(october)]).toEqual([0, 0, 50_000])
    expect(await verifyTotals(books, account_id)).toEqual([])
    await fileReturn(key, filed('2026-10'))
    expect(amendmentsOf(await filing(key, texas('2026-11')))).toBe(50_000)
    expect(await verifyReturns(books, account_id)).toEqual([])
  })

  it('leaves a sale on its day if a filed return has its refund', async () => {
    const { key, account_id } = await texan()
    const id = await created(key, toTexas('2026-09-30T23:00:00Z', 50_000))
    const back = { amount: 54_125, reason: 'returned', refunded_at: '2026-10-20T12:00:00Z' }
    expect((await post(key, `/v1/transactions/${id}/refund`, back)).status).toBe(200)
    await fileReturn(key, filed('2026-10'))
    await changeZone(key, 'Asia/Tokyo')
    expect(sumOf(await filing(key, texas('2026-09')))).toBe(50_000)
    const november = await filing(key, texas('2026-11'))
    expect([sumOf(november), amendmentsOf(november)]).toEqual([0, 0])
    expect(await verifyTotals(books, account_id)).toEqual([])
    expect(await verifyReturns(books, account_id)).toEqual([])
  })

  it('lets no return be filed until the sales have moved', async () => {
    const { key } = await texan()
    await created(key, toTexas('2026-10-01T02:00:00Z', 50_000))
    await call('PUT', '/v1/account', { key, body: { time_zone: 'America/Chicago' } })
    const early = await post(key, '/v1/returns', filed('2026-09'))
    expect([early.status, early.body['reason'], early.body['error_code']]).toEqual([
      429,
      'days_moving',
      'RATE_LIMIT_EXCEEDED',
    ])
    expect(early.headers.get('Retry-After')).toBe('60')
    await moveDays(env.DB, books, new Date(Date.now() + 600_000))
    expect(sumOf((await fileReturn(key, filed('2026-09')))['figures'] as Body)).toBe(50_000)
  })

  it('waits while a return is being frozen', async () => {
    const { key, account_id } = await texan()
    await created(key, toTexas('2026-10-01T02:00:00Z', 50_000))
    const september = await fileReturn(key, filed('2026-08'))
    await books
      .prepare(
        `INSERT INTO returns (id, account_id, type, jurisdiction_id, period, from_date, to_date, version, status,
           corrects, content, sums, inputs, data_version, row_count, rows_hash, created_at, filed_by)
         SELECT 'ret_half', account_id, type, jurisdiction_id, '2026-09', '2026-09-01', '2026-09-30', 1,
           'freezing', corrects, content, sums, inputs, data_version, 0, '', created_at, filed_by
         FROM returns WHERE id = ?`,
      )
      .bind(String(september['id']))
      .run()
    await call('PUT', '/v1/account', { key, body: { time_zone: 'America/Chicago' } })
    const tick = () => moveDays(env.DB, books, new Date(Date.now() + 600_000))
    await tick()
    const dayOf = () =>
      books.prepare('SELECT day FROM transactions WHERE account_id = ?').bind(account_id).first('day')
    expect(await dayOf()).toBe('2026-10-01')
    await books.prepare("DELETE FROM returns WHERE id = 'ret_half'").run()
    await tick()
    expect(await dayOf()).toBe('2026-09-30')
  })
})

describe('reopening', () => {
  const toFrance = (transaction_date: string, amount: number) => ({
    customer: { address: { country: 'FR' } },
    currency: 'EUR',
    transaction_date,
    line_items: [{ amount, product_type: 'saas' }],
  })
  const german = () => seller({ country: 'DE', time_zone: 'UTC' }, { scheme: 'oss_union' })
  const oss = (period: string) => ({ type: 'oss_union', period })

  it('of a return that declared a correction gives it back to the next open return', async () => {
    const { key, account_id } = await german()
    await created(key, toFrance('2026-02-01', 10_000))
    const first = await fileReturn(key, oss('2026-Q1'))
    await created(key, toFrance('2026-03-01', 5_000))
    await created(key, toFrance('2026-05-01', 20_000))
    const second = await fileReturn(key, oss('2026-Q2'))
    expect(correctionsOf(second['figures'] as Body)).toBe(5_000)
    await reopen(key, first)
    const again = await fileReturn(key, oss('2026-Q1'))
    expect(sumOf(again['figures'] as Body)).toBe(10_000)
    await reopen(key, second)
    expect(correctionsOf(await filing(key, 'type=oss_union&period=2026-Q2'))).toBe(5_000)
    const last = await fileReturn(key, oss('2026-Q2'))
    expect(correctionsOf(last['figures'] as Body)).toBe(5_000)
    expect(await verifyReturns(books, account_id)).toEqual([])
  })

  it('refuses to file corrected days under another name, which would declare them twice', async () => {
    const { key } = await seller({ country: 'NL', time_zone: 'UTC' }, { jurisdiction_id: 'NL' })
    const dutch = (period: string) => ({ type: 'eu_domestic', jurisdiction_id: 'NL', period })
    const toAmsterdam = (transaction_date: string, amount: number) => ({
      ...toFrance(transaction_date, amount),
      customer: { address: { country: 'NL' } },
    })
    await created(key, toAmsterdam('2026-02-01', 10_000))
    const quarter = await fileReturn(key, dutch('2026-Q1'))
    await created(key, toAmsterdam('2026-03-01', 5_000))
    await fileReturn(key, dutch('2026-04'))
    await reopen(key, quarter)
    const refused = await post(key, '/v1/returns', dutch('2026-03'))
    expect(refused.body).toMatchObject({
      reason: 'period_already_filed',
      message: expect.stringContaining('file 2026-Q1 again, or reopen 2026-04'),
    })
    expect(sumOf((await fileReturn(key, dutch('2026-Q1')))['figures'] as Body)).toBe(10_000)
  })
})

describe('a late entry', () => {
  it('belongs to the return as the seller was when it was filed', async () => {
    const { key, account_id } = await seller({ country: 'NL', time_zone: 'UTC' }, { jurisdiction_id: 'NL' })
    const sale = (transaction_date: string, amount: number, status = 'completed') => ({
      customer: { address: { country: 'US', region: 'NY', postal_code: '10001' } },
      currency: 'EUR',
      transaction_date,
      status,
      line_items: [{ amount, product_type: 'saas' }],
    })
    await created(key, sale('2026-01-10', 10_000))
    await fileReturn(key, { type: 'eu_domestic', jurisdiction_id: 'NL', period: '2026-01' })
    await created(key, sale('2026-01-11', 5_000))
    await call('PUT', '/v1/account', { key, body: { country: 'AT' } })
    const body = { type: 'eu_domestic', jurisdiction_id: 'NL', period: '2026-02' }
    expect((await fileReturn(key, body))['row_count']).toBe(1)
    expect(await verifyReturns(books, account_id)).toEqual([])
  })
})

describe('the zone of days', () => {
  it('is named by returns and obligations, and asked for before the first return', async () => {
    const { key } = await newAccount()
    const account = await call('PUT', '/v1/account', { key, body: { country: 'US', region: 'TX' } })
    expect(account.body).toMatchObject({ time_zone: 'UTC', attention: [{ reason: 'time_zone_not_set' }] })
    const open = await filing(key, texas('2026-09'))
    expect(open['time_zone']).toBe('UTC')
    expect(String(open['notes'])).toContain('set the time zone of the account')
    await call('PUT', '/v1/account', { key, body: { time_zone: 'America/Chicago' } })
    const chosen = await call('GET', '/v1/account', { key })
    expect(chosen.body['attention']).toEqual([])
    const due = await call('GET', '/v1/obligations', { key })
    expect(due.body['time_zone']).toBe('America/Chicago')
    expect(String((await filing(key, texas('2026-09')))['notes'])).not.toContain(
      'set the time zone of the account',
    )
  })
})
