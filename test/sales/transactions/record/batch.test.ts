import { keepAccountsIn } from '../../../support/shards.ts'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { authenticate } from '../../../../src/parties/accounts/authenticate.ts'
import { recordTransactions } from '../../../../src/sales/transactions/record/record-batch.ts'
import { newAccount } from '../../../support/account.ts'
import { countingDatabase } from '../../../support/intercepted-database.ts'
import { call } from '../../../support/service.ts'
import { loadTestData } from '../../../support/service-data.ts'
import { CALCULATED, created, GIVEN } from '../sales.ts'

keepAccountsIn(0)

await loadTestData()

const send = async (key: string, transactions: unknown, headers: Record<string, string> = {}) =>
  call('POST', '/v1/transactions/batch', { key, body: { transactions }, headers })
type Result = {
  index: number
  success: boolean
  data?: { id: string }
  error?: { reason: string; errors?: { path: string }[] }
}
const resultsOf = (body: Record<string, unknown>) => body['results'] as Result[]

it('records each item that stands and says of each other why it falls', async () => {
  const { key } = await newAccount()
  await created(key, { ...GIVEN, external_id: 'taken' })
  const answer = await send(key, [
    { ...GIVEN, external_id: 'a' },
    { ...GIVEN, currency: 'XXQ' },
    { ...GIVEN, external_id: 'taken' },
    CALCULATED,
    { ...GIVEN, external_id: 'a' },
    'nonsense',
    { ...GIVEN, line_items: [{ ...GIVEN.line_items[0], ammount: 1 }] },
    { ...GIVEN, customer: undefined, customer_id: 'cust_00000000000000000000000000' },
  ])
  expect(answer.status).toBe(200)
  expect(answer.body['summary']).toEqual({ total: 8, succeeded: 2, failed: 6 })
  const results = resultsOf(answer.body)
  expect(results.map((result) => result.index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(results.map((result) => result.error?.reason ?? null)).toEqual([
    null,
    'invalid_request',
    'external_id_taken',
    null,
    'external_id_taken',
    'invalid_request',
    'invalid_request',
    'not_found',
  ])
  expect(results[6]?.error?.errors?.[0]?.path).toBe('line_items[0].ammount')
  const read = await call('GET', `/v1/transactions/${results[3]?.data?.id}`, { key })
  expect({ ...read.body, queried_at: undefined }).toEqual({
    ...results[3]?.data,
    queried_at: undefined,
    returns: [],
  })
  expect((await call('GET', '/v1/transactions', { key })).body['total']).toBe(3)
})

it('takes 50 transactions, and refuses 51 as a whole', async () => {
  const { key } = await newAccount()
  const fifty = await send(
    key,
    Array.from({ length: 50 }, (_, index) => ({ ...GIVEN, external_id: `n-${index}` })),
  )
  expect(fifty.body['summary']).toEqual({ total: 50, succeeded: 50, failed: 0 })
  const refused = await send(
    key,
    Array.from({ length: 51 }, () => GIVEN),
  )
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'transactions' }] } })
  expect((await send(key, [])).status).toBe(400)
  expect((await call('GET', '/v1/transactions', { key })).body['total']).toBe(50)
})

it('takes at most three round trips for 50 transactions', async () => {
  const { key } = await newAccount()
  const customer = await call('POST', '/v1/customers', {
    key,
    body: { name: 'Acme', address: { country: 'DE' } },
  })
  const { db, trips } = countingDatabase(env.DB)
  const { customer: _, ...rest } = GIVEN
  const transactions = Array.from({ length: 50 }, (__, index) => ({
    ...rest,
    customer_id: customer.body['id'],
    external_id: `t-${index}`,
  }))
  const now = new Date()
  const later = () => {}
  const principal = await authenticate({ env, now, later }, `Bearer ${key}`, {
    only_calculates: false,
    beforeLookUp: () => {},
    afterFound: () => {},
  })
  const claim = { key: 'k', method: 'POST', path: '/v1/transactions/batch', request_hash: 'h', status: 200 }
  const context = {
    env: { ...env, DB: db },
    books: db,
    written: db,
    principal,
    now,
    later,
    request_id: 'req_test',
    idempotency: claim,
  }
  const answer = await recordTransactions(context, transactions)
  expect(answer).toMatchObject({ summary: { succeeded: 50 } })
  // The third is the look for the Idempotency-Key, before.
  expect(trips()).toBeLessThanOrEqual(2)
})

it('records 50 transactions of many lines, more than one bound value could hold', async () => {
  const { key, account_id } = await newAccount()
  const line = { amount: 1, product_type: 'saas', tax_amount: 0, description: 'd'.repeat(400) }
  const transactions = Array.from({ length: 50 }, () => ({
    ...GIVEN,
    line_items: Array.from({ length: 40 }, () => line),
  }))
  const answer = await send(key, transactions)
  expect(answer.body['summary']).toMatchObject({ succeeded: 50 })
  const stored = await env.DB.prepare('SELECT count(*) AS n FROM transaction_lines WHERE account_id = ?')
    .bind(account_id)
    .first()
  expect(stored).toEqual({ n: 2_000 })
})

it('gives two batches at once that want the same external ids each id once', async () => {
  const { key } = await newAccount()
  const transactions = Array.from({ length: 10 }, (_, index) => ({ ...GIVEN, external_id: `x-${index}` }))
  const answers = await Promise.all([
    send(key, transactions),
    send(key, transactions),
    send(key, transactions),
  ])
  const succeeded = answers.flatMap((answer) => resultsOf(answer.body)).filter((result) => result.success)
  expect(succeeded).toHaveLength(10)
  expect((await call('GET', '/v1/transactions', { key })).body['total']).toBe(10)
})

it('replays a batch for its Idempotency-Key', async () => {
  const { key } = await newAccount()
  const headers = { 'Idempotency-Key': 'b-1' }
  const first = await send(key, [{ ...GIVEN, external_id: 'r' }], headers)
  const again = await send(key, [{ ...GIVEN, external_id: 'r' }], headers)
  expect(again.text).toBe(first.text)
  expect(again.headers.get('Idempotent-Replayed')).toBe('true')
})
