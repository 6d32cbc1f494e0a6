import { env, exports } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { shardsOf } from '../../../src/platform/database/shards.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()

const PATH = '/v1/reports/tax-variance?from_date=2026-01-01&to_date=2026-12-31'

const Sums = { transactions: z.int(), charged_tax: z.int(), expected_tax: z.int(), variance: z.int() }
const Report = z.looseObject({
  rows: z.array(
    z.strictObject({
      month: z.string(),
      jurisdiction_id: z.string(),
      currency: z.string(),
      ...Sums,
      transactions_url: z.string(),
    }),
  ),
  totals: z.array(z.strictObject({ currency: z.string(), ...Sums })),
  total: z.int(),
  has_more: z.boolean(),
})
type Row = z.output<typeof Report>['rows'][number]

const Listed = z.looseObject({
  transactions: z.array(z.looseObject({ tax_amount: z.int(), tax_variance: z.int().nullable() })),
  next_cursor: z.string().nullable(),
})

async function report(key: string, more = '') {
  const answer = await call('GET', PATH + more, { key })
  expect(answer.status, answer.text).toBe(200)
  return Report.parse(answer.body)
}

async function listed(key: string, url: string) {
  return Listed.parse((await call('GET', `${url}&limit=100`, { key })).body).transactions
}

type Given = { month: number; country: string; currency: string; amount: number; difference: number }

/** A sale at 19 % in Germany or 20 % in France, with a tax that differs from that. */
function sell(key: string, { month, country, currency, amount, difference }: Given, more: object = {}) {
  const tax = Math.round(amount * (country === 'DE' ? 0.19 : 0.2)) + difference
  return created(key, {
    seller: { country: 'DE', registrations: ['DE', 'oss_union'] },
    customer: { address: { country } },
    currency,
    transaction_date: `2026-${String(month).padStart(2, '0')}-28`,
    line_items: [{ amount, product_type: 'saas', tax_amount: tax }],
    ...more,
  })
}

const sum = (rows: readonly Row[], name: 'charged_tax' | 'expected_tax' | 'variance' | 'transactions') =>
  rows.reduce((total, row) => total + row[name], 0)

describe('charged against expected tax', () => {
  it('adds up to its totals and to the sales of each row, whatever was sold', async () => {
    const sale = fc.record({
      month: fc.integer({ min: 1, max: 3 }),
      country: fc.constantFrom('DE', 'FR'),
      currency: fc.constantFrom('EUR', 'USD'),
      amount: fc.integer({ min: 1_000, max: 10_000_000 }),
      difference: fc.integer({ min: -150, max: 150 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(sale, { minLength: 1, maxLength: 8 }), async (sales) => {
        const { key } = await newAccount()
        for (const each of sales) await sell(key, each)
        const differing = sales.filter(({ difference }) => difference !== 0)
        const { rows, totals } = await report(key)
        expect(sum(rows, 'transactions')).toBe(differing.length)
        expect(sum(rows, 'variance')).toBe(differing.reduce((all, { difference }) => all + difference, 0))
        for (const total of totals) {
          const own = rows.filter(({ currency }) => currency === total.currency)
          for (const name of ['transactions', 'charged_tax', 'expected_tax', 'variance'] as const)
            expect(sum(own, name)).toBe(total[name])
        }
        for (const row of rows) {
          expect(row.charged_tax - row.expected_tax).toBe(row.variance)
          const found = await listed(key, row.transactions_url)
          expect(found).toHaveLength(row.transactions)
          expect(found.reduce((all, { tax_amount }) => all + tax_amount, 0)).toBe(row.charged_tax)
          expect(found.reduce((all, { tax_variance }) => all + (tax_variance ?? 0), 0)).toBe(row.variance)
        }
      }),
      { numRuns: 6 },
    )
  })

  it('leaves out sales without a tax of their own, exact ones, pending and voided ones', async () => {
    const { key } = await newAccount()
    const given = { month: 5, country: 'FR', currency: 'EUR', amount: 10_000, difference: 50 }
    await sell(key, given)
    await sell(key, { ...given, difference: 0 })
    await sell(key, given, { line_items: [{ amount: 10_000, product_type: 'saas' }] })
    await sell(key, given, { status: 'pending' })
    const voided = await sell(key, given, { status: 'pending' })
    await call('POST', `/v1/transactions/${voided}/void`, { key })
    const { rows } = await report(key)
    expect(rows).toEqual([
      {
        month: '2026-05',
        jurisdiction_id: 'FR',
        currency: 'EUR',
        transactions: 1,
        charged_tax: 2_050,
        expected_tax: 2_000,
        variance: 50,
        transactions_url:
          '/v1/transactions?variance=true&jurisdiction_id=FR&currency=EUR&from_date=2026-05-01&to_date=2026-05-31',
      },
    ])
    const sums = await call('GET', '/v1/transactions?variance=true&sums=true', { key })
    expect(sums.body).toMatchObject({ total: null, sums: [{ transactions: 1, tax_amount: 2_050 }] })
    const url = 'https://service.test/v1/reports/export?report=transactions&variance=true'
    const csv = await exports.default.fetch(url, { headers: { Authorization: `Bearer ${key}` } })
    expect((await csv.text()).trim().split('\n')).toHaveLength(2)
  })

  it('says that its sums are too large, and asks for fewer days', async () => {
    const { key, account_id } = await newAccount()
    for (const month of [1, 2])
      await sell(key, { month, country: 'FR', currency: 'EUR', amount: 5_000, difference: 7 })
    for (const { books } of shardsOf(env))
      await books
        .prepare('UPDATE transactions SET tax_variance = 9000000000000000000 WHERE account_id = ?')
        .bind(account_id)
        .run()
    expect(await call('GET', PATH, { key })).toMatchObject({
      status: 400,
      body: { reason: 'amount_out_of_range' },
    })
  })

  it('has pages whose totals are of all, and can be of one place', async () => {
    const { key } = await newAccount()
    for (const [month, country] of [
      [1, 'DE'],
      [1, 'FR'],
      [2, 'FR'],
    ] as const)
      await sell(key, { month, country, currency: 'EUR', amount: 5_000, difference: 7 })
    const first = await report(key, '&limit=2')
    expect(first.rows.map(({ month, jurisdiction_id }) => [month, jurisdiction_id])).toEqual([
      ['2026-02', 'FR'],
      ['2026-01', 'DE'],
    ])
    expect(first).toMatchObject({ total: 3, has_more: true, totals: [{ transactions: 3, variance: 21 }] })
    expect((await report(key, '&limit=2&offset=2')).rows).toHaveLength(1)
    expect(await report(key, '&jurisdiction_id=DE')).toMatchObject({ total: 1, totals: [{ variance: 7 }] })
  })

  it.each([
    ['/v1/reports/tax-variance?from_date=2026-02-01&to_date=2026-01-01', 'to_date'],
    ['/v1/reports/tax-variance?to_date=2026-01-01', 'from_date'],
    ['/v1/transactions?variance=false', 'variance'],
  ])('names the field of %s', async (path, field) => {
    const { key } = await newAccount()
    const { status, body } = await call('GET', path, { key })
    expect(status).toBe(400)
    expect(body['errors']).toMatchObject([{ path: field }])
  })
})
