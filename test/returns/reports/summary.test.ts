import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { CALCULATED, created, GIVEN } from '../../sales/transactions/sales.ts'

await loadTestData()
const { key } = await newAccount()
const TODAY = new Date().toISOString().slice(0, 10)

const get = async (path: string, as = key) => call('GET', path, { key: as })

const german = (transaction_date: string, amount: number, product_type = 'saas') => ({
  ...GIVEN,
  transaction_date,
  line_items: [{ amount, product_type, tax_rate: 0.19, tax_amount: Math.round(amount * 0.19) }],
})

const first = await created(key, german('2026-01-31T23:59:59.999Z', 10_000))
await created(key, german('2026-02-01', 20_000, 'ebooks'))
await created(key, { ...CALCULATED, transaction_date: '2026-02-14' })
await created(key, { ...german('2026-02-02', 99_999), status: 'pending' })
const exempt = {
  ...GIVEN,
  transaction_date: '2026-03-03',
  line_items: [{ amount: 500, product_type: 'books', taxable: false, tax_rate: 0, tax_amount: 0 }],
}
await created(key, exempt)
await call('POST', `/v1/transactions/${first}/refund`, { key, body: { amount: 1_190, reason: 'returned' } })

describe('GET /v1/reports/summary', () => {
  it('adds up by jurisdiction and currency', async () => {
    const { body } = await get(`/v1/reports/summary?from_date=2026-01-01&to_date=${TODAY}`)
    expect(body).toMatchObject({
      group_by: 'jurisdiction',
      rows: [
        {
          jurisdiction_id: 'CA-QC',
          currency: 'CAD',
          transactions: 1,
          refunds: 0,
          gross_sales: 20_000,
          taxable_sales: 20_000,
          exempt_sales: 0,
          tax_collected: 2_995,
          tax_refunded: 0,
          net_tax: 2_995,
        },
        {
          jurisdiction_id: 'DE',
          currency: 'EUR',
          transactions: 3,
          refunds: 1,
          gross_sales: 30_500,
          taxable_sales: 30_000,
          exempt_sales: 500,
          refunded_sales: 1_000,
          tax_collected: 5_700,
          tax_refunded: 190,
          net_tax: 5_510,
        },
      ],
      totals: [
        { currency: 'CAD', transactions: 1, net_tax: 2_995 },
        { currency: 'EUR', transactions: 3, refunds: 1, gross_sales: 30_500, net_tax: 5_510 },
      ],
    })
  })

  it('adds up by month, with a refund in the month in which it was made', async () => {
    const { body } = await get(`/v1/reports/summary?from_date=2026-01-01&to_date=${TODAY}&group_by=month`)
    expect(body['rows']).toMatchObject([
      { month: '2026-01', currency: 'EUR', transactions: 1, refunds: 0, tax_collected: 1_900 },
      { month: '2026-02', currency: 'CAD', transactions: 1 },
      { month: '2026-02', currency: 'EUR', transactions: 1, gross_sales: 20_000 },
      { month: '2026-03', currency: 'EUR', exempt_sales: 500 },
      {
        month: TODAY.slice(0, 7),
        currency: 'EUR',
        transactions: 0,
        refunds: 1,
        tax_refunded: 190,
        net_tax: -190,
      },
    ])
  })

  it('adds up by product type', async () => {
    const { body } = await get(
      '/v1/reports/summary?from_date=2026-01-01&to_date=2026-03-31&group_by=product_type',
    )
    expect(body['rows']).toMatchObject([
      { product_type: 'books', transactions: 1 },
      { product_type: 'ebooks', transactions: 1, gross_sales: 20_000 },
      { product_type: 'physical_goods', currency: 'CAD' },
      { product_type: 'saas', gross_sales: 10_000 },
    ])
  })

  it('adds up by jurisdiction and month', async () => {
    const { body } = await get(
      '/v1/reports/summary?from_date=2026-01-01&to_date=2026-03-31&group_by=jurisdiction_and_month',
    )
    expect(body['rows']).toMatchObject([
      { jurisdiction_id: 'CA-QC', month: '2026-02', currency: 'CAD', net_tax: 2_995 },
      { jurisdiction_id: 'DE', month: '2026-01', currency: 'EUR', tax_collected: 1_900 },
      { jurisdiction_id: 'DE', month: '2026-02', currency: 'EUR', gross_sales: 20_000 },
      { jurisdiction_id: 'DE', month: '2026-03', currency: 'EUR', exempt_sales: 500 },
    ])
  })

  it('adds single days at the edges of the period', async () => {
    const sums = async (from: string, to: string) =>
      (await get(`/v1/reports/summary?from_date=${from}&to_date=${to}`)).body['totals']
    expect(await sums('2026-01-31', '2026-02-01')).toMatchObject([{ gross_sales: 30_000, transactions: 2 }])
    expect(await sums('2026-02-01', '2026-02-13')).toMatchObject([{ gross_sales: 20_000 }])
    expect(await sums('2026-01-01', '2026-01-30')).toEqual([])
    expect(await sums('0001-01-01', '9999-12-31')).toMatchObject([
      { currency: 'CAD' },
      { currency: 'EUR', transactions: 3 },
    ])
  })

  it.each([
    ['to_date=2026-01-01', 'from_date'],
    ['from_date=2026-01-01', 'to_date'],
    ['from_date=2026-02-01&to_date=2026-01-01', 'to_date'],
    ['from_date=2026-02-01&to_date=2026-03-01&group_by=constructor', 'group_by'],
    ['from_date=2025-01-01&to_date=2026-03-01&group_by=jurisdiction_and_month', 'to_date'],
  ])('refuses ?%s and names %s', async (query, path) => {
    const answer = await get(`/v1/reports/summary?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body['errors']).toContainEqual({ path, message: expect.any(String) })
  })

  it('refuses a sum that is too large to be exact', async () => {
    const { key } = await newAccount()
    for (const [currency, country] of [
      ['EUR', 'DE'],
      ['EUR', 'FR'],
    ] as const)
      for (let index = 0; index < 6; index += 1)
        await created(key, {
          customer: { address: { country } },
          currency,
          jurisdiction_id: country,
          transaction_date: '2026-06-15',
          line_items: [{ amount: 1e15, product_type: 'saas', tax_amount: 0 }],
        })
    const answer = await get('/v1/reports/summary?from_date=2026-01-01&to_date=2027-01-01', key)
    expect(answer).toMatchObject({ status: 400, body: { reason: 'amount_out_of_range' } })
  })
})

describe('GET /v1/reports/transactions', () => {
  it('lists a flat row for each transaction that counts, oldest first, page by page', async () => {
    const all = await get('/v1/reports/transactions')
    const rows = all.body['transactions'] as Record<string, unknown>[]
    expect(rows.map((row) => String(row['transaction_date']).slice(0, 10))).toEqual([
      '2026-01-31',
      '2026-02-01',
      '2026-02-14',
      '2026-03-03',
    ])
    expect(rows[0]).toMatchObject({
      id: first,
      status: 'refunded',
      subtotal: 10_000,
      taxable_amount: 10_000,
      tax_rate: 0.19,
      tax_refunded: 190,
      seller_registered: true,
    })
    const walked: unknown[] = []
    let cursor = ''
    for (;;) {
      const page = (await get(`/v1/reports/transactions?limit=3${cursor}`)).body
      walked.push(...(page['transactions'] as unknown[]))
      if (page['next_cursor'] === null) break
      cursor = `&cursor=${encodeURIComponent(page['next_cursor'] as string)}`
    }
    expect(walked).toEqual(rows)
  })

  it.each([
    ['status=pending', 1],
    ['currency=cad', 1],
    ['jurisdiction_id=DE&from_date=2026-02-01', 2],
    ['place_of_supply=CA', 1],
    ['kind=goods', 2],
    ['tax_rate=0.19', 2],
    [`refunded_from=${TODAY}&refunded_to=${TODAY}`, 1],
    ['scheme=oss_union', 2],
    ['kind=services&tax_rate=0', 0],
  ])('finds by ?%s', async (query, count) => {
    expect((await get(`/v1/reports/transactions?${query}`)).body['transactions']).toHaveLength(count)
  })
})

it('counts no money as exempt that is no sale of the account', async () => {
  const { key: own } = await newAccount()
  const date = '2026-04-02'
  const fee = {
    amount: 4_000,
    product_type: 'physical_goods',
    supply: false,
    supply_reason: 'late_fee',
    tax_amount: 0,
  }
  await created(own, { ...GIVEN, transaction_date: date, line_items: [...exempt.line_items, fee] })
  const { body } = await get(`/v1/reports/summary?from_date=${date}&to_date=${date}`, own)
  expect(body).toMatchObject({
    rows: [{ gross_sales: 4_500, exempt_sales: 500 }],
    totals: [{ gross_sales: 4_500, exempt_sales: 500 }],
  })
})
