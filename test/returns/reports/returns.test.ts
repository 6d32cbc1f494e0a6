import { keepAccountsIn } from '../../support/shards.ts'
import { describe, expect, it } from 'vitest'
import { dropAbandonedReturns } from '../../../src/returns/archive/drop-abandoned-returns.ts'
import { verifyReturns } from '../../../scripts/verify/returns.ts'
import { newAccount } from '../../support/account.ts'
import { type Answer, call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

type Body = Record<string, unknown>

const get = async (key: string, path: string): Promise<Body> => {
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const filing = (key: string, query: string) => get(key, `/v1/reports/filing?${query}`)
const post = (key: string, path: string, body: object): Promise<Answer> => call('POST', path, { key, body })

async function seller() {
  const account = await newAccount()
  const { key } = account
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
  for (const body of [{ jurisdiction_id: 'DE' }, { scheme: 'oss_union' }])
    expect((await post(key, '/v1/registrations', { ...body, valid_from: '2020-01-01' })).status).toBe(201)
  return account
}

const sale = (country: string, transaction_date: string, amount: number) => ({
  customer: { address: { country } },
  currency: 'EUR',
  transaction_date,
  line_items: [{ amount, product_type: 'saas' }],
})

async function fileOss(key: string, period: string): Promise<Body> {
  const answer = await post(key, '/v1/returns', { type: 'oss_union', period })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const QUARTER = 'type=oss_union&period='

describe('a filed return', () => {
  it('keeps its figures and lines, which add up, and answers for its period', async () => {
    const { key, account_id } = await seller()
    const id = await created(key, sale('FR', '2026-02-01', 10_000))
    await created(key, sale('IT', '2026-03-31T23:59:59Z', 1_000))
    await post(key, `/v1/transactions/${id}/refund`, {
      amount: 1_200,
      reason: 'returned',
      refunded_at: '2026-03-01',
    })
    const live = await filing(key, `${QUARTER}2026-Q1`)
    const filed = await fileOss(key, '2026-Q1')
    expect(filed).toMatchObject({ version: 1, status: 'filed', row_count: 3, previous_hash: '' })
    const figures = filed['figures'] as Body
    expect(figures['totals']).toEqual(live['totals'])
    expect(figures['supplies']).toMatchObject([{ tax_amount: 1_800 }, { tax_amount: 220 }])
    for (const { transactions_url, tax_amount } of figures['supplies'] as Record<string, string>[]) {
      const { lines } = (await get(key, String(transactions_url))) as { lines: Record<string, number>[] }
      expect(lines.reduce((sum, line) => sum + (line['figure_amount'] ?? 0), 0)).toBe(tax_amount)
    }
    expect(await filing(key, `${QUARTER}2026-Q1`)).toMatchObject({
      totals: live['totals'],
      filed: { return_id: filed['id'], version: 1 },
    })
    expect(await get(key, `/v1/returns/${String(filed['id'])}`)).toMatchObject({ hash: filed['hash'] })
    expect(await get(key, '/v1/returns')).toMatchObject({ returns: [{ id: filed['id'] }], total: 1 })
    expect(await verifyReturns(books, account_id)).toEqual([])
  })

  it('never changes: late sales and refunds correct it in the next open return, once', async () => {
    const { key, account_id } = await seller()
    const id = await created(key, sale('FR', '2026-02-01', 10_000))
    await fileOss(key, '2026-Q1')
    await created(key, sale('FR', '2026-03-31', 11_100))
    await post(key, `/v1/transactions/${id}/refund`, {
      amount: 1_200,
      reason: 'returned',
      refunded_at: '2026-03-30',
    })
    await created(key, sale('FR', '2026-05-01', 5_000))
    expect(await filing(key, `${QUARTER}2026-Q1`)).toMatchObject({ totals: { tax_amount: 2_000 } })
    expect(await filing(key, `${QUARTER}2026-Q3`)).toMatchObject({ corrections: [] })
    const open = await filing(key, `${QUARTER}2026-Q2`)
    expect(open).toMatchObject({
      supplies: [{ tax_amount: 1_000 }],
      corrections: [{ jurisdiction_id: 'FR', period: '2026-Q1', taxable_amount: 10_100, tax_amount: 2_020 }],
      totals: { tax_due: 3_020 },
    })
    const [correction] = open['corrections'] as Record<string, string>[]
    const { lines } = (await get(key, String(correction?.['transactions_url']))) as { lines: Body[] }
    expect(lines.map((line) => line['figure_amount'])).toEqual([-200, 2_220])
    const second = await fileOss(key, '2026-Q2')
    expect(second['figures']).toMatchObject({ corrections: [{ tax_amount: 2_020 }] })
    expect(second['row_count']).toBe(3)
    expect(await filing(key, `${QUARTER}2026-Q3`)).toMatchObject({ corrections: [], nil_return: true })
    expect(await get(key, '/v1/returns')).toMatchObject({
      returns: [{ late_entries: false }, { late_entries: true }],
    })
    expect(await verifyReturns(books, account_id)).toEqual([])
  })

  it('is a new version after it was opened again, without what a later return declared', async () => {
    const { key, account_id } = await seller()
    await created(key, sale('FR', '2026-02-01', 10_000))
    const first = await fileOss(key, '2026-Q1')
    await created(key, sale('FR', '2026-03-01', 1_000))
    await fileOss(key, '2026-Q2')
    await created(key, sale('FR', '2026-03-02', 2_000))
    const path = `/v1/returns/${String(first['id'])}/reopen`
    expect((await post(key, path, { reason: '' })).status).toBe(400)
    expect((await post(key, path, { reason: 'An invoice was missing' })).body).toMatchObject({
      status: 'reopened',
      reopen_reason: 'An invoice was missing',
    })
    expect((await post(key, path, { reason: 'again' })).body['reason']).toBe('return_not_filed')
    expect(await filing(key, `${QUARTER}2026-Q1`)).toMatchObject({
      filed: null,
      totals: { tax_amount: 2_400 },
    })
    expect(await fileOss(key, '2026-Q1')).toMatchObject({
      version: 2,
      figures: { totals: { tax_amount: 2_400 } },
    })
    expect(await filing(key, `${QUARTER}2026-Q3`)).toMatchObject({ corrections: [] })
    expect(await verifyReturns(books, account_id)).toEqual([])
    expect(await get(key, '/v1/returns?type=oss_union&period=2026-Q1')).toMatchObject({
      returns: [
        { period: '2026-Q1', version: 2, status: 'filed' },
        { period: '2026-Q1', version: 1, status: 'reopened' },
      ],
      total: 2,
    })
  })

  it('is listed by its jurisdiction', async () => {
    const { key } = await seller()
    for (const jurisdiction_id of ['DE', 'FR'])
      await post(key, '/v1/returns', { type: 'eu_domestic', period: '2026-01', jurisdiction_id })
    expect(await get(key, '/v1/returns?jurisdiction_id=fr')).toMatchObject({
      returns: [{ jurisdiction_id: 'FR' }],
      total: 1,
    })
  })

  it.each([
    ['before the end of the period', { type: 'oss_union', period: '2099-Q1' }, 'period_not_ended'],
    ['twice', { type: 'oss_union', period: '2026-Q1' }, 'period_already_filed'],
    ['of all states together', { type: 'us_state', period: '2026-Q1' }, 'invalid_request'],
    ['with sales in a currency without a rate', { type: 'oss_union', period: '2026-Q2' }, 'invalid_request'],
  ])('is not filed %s', async (_, body, reason) => {
    const { key } = await seller()
    await fileOss(key, '2026-Q1')
    await created(key, { ...sale('FR', '2026-05-01', 1_000), currency: 'USD' })
    expect((await post(key, '/v1/returns', body)).body['reason']).toBe(reason)
  })

  it('is filed once if two requests come at once', async () => {
    const { key, account_id } = await seller()
    await created(key, sale('FR', '2026-02-01', 10_000))
    const body = { type: 'oss_union', period: '2026-Q1' }
    const answers = await Promise.all([1, 2, 3].map(() => post(key, '/v1/returns', body)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400])
    const kept = await books.prepare('SELECT status FROM returns WHERE account_id = ?').bind(account_id).all()
    expect(kept.results).toEqual([{ status: 'filed' }])
  })

  it('is not for another account', async () => {
    const { key } = await seller()
    const filed = await fileOss(key, '2026-Q1')
    const other = (await newAccount()).key
    for (const path of ['', '/rows'])
      expect((await call('GET', `/v1/returns/${String(filed['id'])}${path}`, { key: other })).status).toBe(
        404,
      )
  })
})

describe('days that are filed under another name', () => {
  it('are named beside the figures of today', async () => {
    const { key } = await seller()
    const domestic = { type: 'eu_domestic', jurisdiction_id: 'DE', period: '2026-Q1' }
    await created(key, sale('DE', '2026-02-01', 10_000))
    const filed = await post(key, '/v1/returns', domestic)
    await created(key, sale('DE', '2026-02-02', 5_000))
    const month = await filing(key, 'type=eu_domestic&jurisdiction_id=DE&period=2026-02')
    expect(month).toMatchObject({
      filed: null,
      totals: { taxable_amount: 15_000 },
      overlaps_filed: [{ return_id: filed.body['id'], period: '2026-Q1', jurisdiction_id: 'DE' }],
    })
    expect(String(month['notes'])).toContain('Some of these days are filed already: 2026-Q1 of Germany')
    const next = await filing(key, 'type=eu_domestic&jurisdiction_id=DE&period=2026-04')
    expect(next['overlaps_filed']).toEqual([])
  })

  it('are named for all states together, too', async () => {
    const { key } = await seller()
    await post(key, '/v1/returns', { type: 'us_state', jurisdiction_id: 'US-TX', period: '2026-02' })
    const all = await filing(key, 'type=us_state&period=2026-02')
    expect(all['overlaps_filed']).toMatchObject([{ period: '2026-02', jurisdiction_id: 'US-TX' }])
  })
})

describe('verify-returns', () => {
  const filedYear = async () => {
    const { key, account_id } = await seller()
    await created(key, sale('FR', '2026-02-01', 10_000))
    const first = await fileOss(key, '2026-Q1')
    await created(key, sale('FR', '2026-05-01', 10_000))
    await fileOss(key, '2026-Q2')
    return { account_id, id: String(first['id']) }
  }
  const run = (sql: string, ...values: string[]) =>
    books
      .prepare(sql)
      .bind(...values)
      .run()

  it('finds a changed line in the books', async () => {
    const { account_id } = await filedYear()
    await run('UPDATE transaction_lines SET net_amount = net_amount + 1 WHERE account_id = ?', account_id)
    expect(await verifyReturns(books, account_id)).toMatchObject([
      { message: expect.stringContaining('was changed in the books') },
      { message: expect.stringContaining('was changed in the books') },
    ])
  })

  it('finds a changed return, line or chain, which only an open door lets through', async () => {
    const { account_id, id } = await filedYear()
    const change = `UPDATE returns SET content = replace(content, '2000', '2001') WHERE id = ?`
    await expect(run(change, id)).rejects.toThrow('cannot be changed')
    await expect(run('DELETE FROM returns WHERE id = ?', id)).rejects.toThrow('cannot be deleted')
    await expect(run('DELETE FROM filed_rows WHERE return_id = ?', id)).rejects.toThrow('cannot be deleted')
    await expect(run("UPDATE filed_rows SET content = '' WHERE return_id = ?", id)).rejects.toThrow('changed')
    const door = "INSERT INTO open_doors (account_id, reason) VALUES (?, 'test')"
    const withDoor = (sql: string) =>
      books.batch([
        books.prepare(door).bind(account_id),
        books.prepare(sql).bind(id),
        books.prepare('DELETE FROM open_doors WHERE account_id = ?').bind(account_id),
      ])
    await withDoor(change)
    expect(await verifyReturns(books, account_id)).toMatchObject([{ return_id: id }])
    await withDoor(`UPDATE filed_rows SET content = replace(content, 'FR', 'IT') WHERE return_id = ?`)
    expect(await verifyReturns(books, account_id)).toMatchObject([
      { message: 'The return is not as it was filed' },
      { message: expect.stringContaining('was changed in the books') },
      { message: 'Its lines are not as they were filed' },
    ])
    await withDoor('DELETE FROM returns WHERE id = ?')
    expect((await verifyReturns(books, account_id)).map(({ message }) => message)).toContain(
      'The first return is missing',
    )
  })
})

it('drops a return that a crash left half frozen', async () => {
  const { account_id, key } = await seller()
  const filed = await fileOss(key, '2026-Q1')
  await books
    .prepare(
      `INSERT INTO returns SELECT 'ret_crashed', account_id, type, jurisdiction_id, '2026-Q2', from_date, to_date,
       version, 'freezing', 0, corrects, content, sums, inputs, data_version, 0, '', NULL, NULL, created_at,
       NULL, filed_by, NULL, NULL FROM returns WHERE id = ?`,
    )
    .bind(String(filed['id']))
    .run()
  await dropAbandonedReturns(books, new Date())
  await dropAbandonedReturns(books, new Date(Date.now() + 7_200_000))
  const { results } = await books
    .prepare('SELECT id FROM returns WHERE account_id = ?')
    .bind(account_id)
    .all()
  expect(results).toEqual([{ id: filed['id'] }])
})
