import { keepAccountsIn } from '../../../support/shards.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  listStatement,
  PREFIXED_ROWS_MAX,
  SCANNED_ROWS_MAX,
} from '../../../../src/sales/transactions/read/list-store.ts'
import type { TransactionFilter } from '../../../../src/sales/transactions/sale/schemas.ts'
import { newAccount } from '../../../support/account.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { CALCULATED, created, GIVEN } from '../sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

const Page = z.looseObject({
  transactions: z.array(z.looseObject({ id: z.string() })),
  total: z.int().nullable(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
})

async function list(key: string, query: Record<string, string>) {
  const answer = await call('GET', `/v1/transactions?${new URLSearchParams(query).toString()}`, { key })
  expect(answer.status, answer.text).toBe(200)
  const page = Page.parse(answer.body)
  return { ...page, ids: page.transactions.map(({ id }) => id) }
}

/** Copies a sale of an account as newer sales, one each second, with the external ids `bulk-0`, `bulk-1`, … */
async function copySale(account_id: string, id: string, copies: number): Promise<void> {
  const columns = await books
    .prepare("SELECT group_concat(name) AS names FROM pragma_table_info('transactions')")
    .first<{ names: string }>()
  const names = columns?.names ?? ''
  const values = names
    .replace(/\bid\b/, "printf('txn_%026d', n)")
    .replace(/\bexternal_id\b/, "'bulk-' || n")
    .replace(/\btransaction_date\b/, "strftime('%Y-%m-%dT%H:%M:%S.000Z', '2026-08-01', n || ' seconds')")
  await books
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?3 - 1)
       INSERT INTO transactions (${names}) SELECT ${values} FROM transactions, numbers
       WHERE account_id = ?1 AND id = ?2`,
    )
    .bind(account_id, id, copies)
    .run()
}

describe('the list of transactions', () => {
  it('is filtered by customer, currency, product type and the beginning of the external id', async () => {
    const { key } = await newAccount()
    const body = { name: 'Acme', address: { country: 'DE' } }
    const customer_id = String((await call('POST', '/v1/customers', { key, body })).body['id'])
    const { customer: _, ...sale } = GIVEN
    const first = await created(key, { ...sale, customer_id, external_id: 'order-1' })
    const second = await created(key, { ...CALCULATED, external_id: 'order-2' })
    const third = await created(key, { ...CALCULATED, external_id: 'Order-3' })
    const other = await newAccount()
    await created(other.key, { ...CALCULATED, external_id: 'order-2' })

    expect((await list(key, { customer_id })).ids).toEqual([first])
    expect((await list(key, { currency: 'CAD' })).ids).toEqual([third, second])
    expect((await list(key, { product_type: 'saas' })).ids).toEqual([first])
    expect((await list(key, { external_id_prefix: 'order-' })).ids).toEqual([second, first])
    expect((await list(key, { external_id_prefix: 'order-2', currency: 'EUR' })).ids).toEqual([])
    expect((await list(key, { currency: 'CAD', product_type: 'physical_goods' })).ids).toEqual([
      third,
      second,
    ])
    expect((await list(key, { customer_id, currency: 'EUR', status: 'completed' })).ids).toEqual([first])
    expect((await list(other.key, { customer_id })).ids).toEqual([])
  })

  it('is walked by cursor with these filters, and is not counted', async () => {
    const { key } = await newAccount()
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1)
      ids.unshift(await created(key, { ...GIVEN, external_id: `a-${index}` }))
    for (const filter of [{ currency: 'EUR' }, { external_id_prefix: 'a-' }, { product_type: 'saas' }]) {
      const page = await list(key, { ...filter, limit: '2' })
      expect(page).toMatchObject({ ids: ids.slice(0, 2), has_more: true, total: null })
      const rest = await list(key, { ...filter, limit: '2', cursor: page.next_cursor ?? '' })
      expect(rest).toMatchObject({ ids: ids.slice(2), has_more: false, next_cursor: null })
    }
  })

  it('reads a bounded number of rows for a page, and says that more may follow', async () => {
    const { key, account_id } = await newAccount()
    const rare = await created(key, { ...CALCULATED, transaction_date: '2026-06-01' })
    const common = await created(key, { ...GIVEN, transaction_date: '2026-07-01' })
    await copySale(account_id, common, SCANNED_ROWS_MAX + 10)
    const page = await list(key, { currency: 'CAD' })
    expect(page).toMatchObject({ ids: [], has_more: true })
    const next = await list(key, { currency: 'CAD', cursor: page.next_cursor ?? '' })
    expect(next).toMatchObject({ ids: [rare], has_more: false })

    const refused = await call('GET', '/v1/transactions?external_id_prefix=bulk-', { key })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('more than 1,000 transactions begin with it')
    expect(SCANNED_ROWS_MAX).toBeGreaterThan(PREFIXED_ROWS_MAX)
  })

  it.each([
    ['currency=EURO', 'currency'],
    ['product_type=bookz', 'product_type'],
    ['external_id_prefix=', 'external_id_prefix'],
    ['customer_id=c&offset=1', 'offset'],
    ['currency=EUR&offset=1', 'offset'],
  ])('refuses ?%s and names the field', async (query, path) => {
    const { key } = await newAccount()
    const answer = await call('GET', `/v1/transactions?${query}`, { key })
    expect(answer.status).toBe(400)
    expect(answer.body['errors']).toContainEqual({ path, message: expect.any(String) })
  })

  it.each<[TransactionFilter, index: string, sorted: boolean]>([
    [{}, 'transactions_by_date', false],
    [{ customer_id: 'cust_1' }, 'transactions_of_customer', false],
    [{ currency: 'EUR' }, 'transactions_by_date', false],
    [{ product_type: 'saas', jurisdiction_id: 'DE' }, 'transactions_by_jurisdiction', false],
    [{ status: 'pending' }, 'transactions_by_status', false],
    [{ status: 'voided' }, 'transactions_by_status', false],
    [{ status: 'superseded' }, 'transactions_by_status', false],
    [{ status: 'completed' }, 'transactions_by_date', false],
    [{ external_id_prefix: 'order-' }, 'transactions_by_external_id', true],
    [{ external_id_prefix: 'order-', status: 'completed' }, 'transactions_by_external_id', true],
  ])('%o is read by the index %s', async (filter, index, sorted) => {
    const { sql, values } = listStatement({ account_id: 'acc_1', time_zone: 'UTC' }, filter)
    const { results } = await books
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...values, 10, 0)
      .all<{ detail: string }>()
    const plan = results.map(({ detail }) => detail).join('; ')
    expect(plan).toContain(`SEARCH transactions USING INDEX ${index}`)
    expect(plan).not.toContain('SCAN transactions')
    expect(/transaction_date|ORDER BY/.test(plan) && plan.includes('TEMP B-TREE')).toBe(sorted)
  })
})
