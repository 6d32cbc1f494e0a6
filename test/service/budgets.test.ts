import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import worker from '../../src/worker.ts'
import { makeSearchable } from '../../src/sales/transactions/read/searchable-store.ts'
import { newAccount } from '../support/account.ts'
import { newAddress } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { keepAccountsIn } from '../support/shards.ts'

/*
 * What the main operations cost in D1, with the work behind the answer: calls of the database, statements, and
 * rows written, each entry of an index among them, as D1 bills them. A figure that rises needs a reason here.
 */

await loadTestData()
// What is kept in memory does not grow old, so nothing is read again behind an answer.
vi.useFakeTimers({ toFake: ['Date'] })
const { books } = keepAccountsIn(1)
const { key } = await newAccount({ tier: 'enterprise' })
await ask('PUT', '/v1/account', { country: 'US', region: 'CA', time_zone: 'UTC' })

type Cost = { calls: number; statements: number; rows_written: number }

/** Counts what passes the methods of D1, of databases and of single statements. */
function counted(): Cost {
  const cost = { calls: 0, statements: 0, rows_written: 0 }
  const watch = (of: object, name: string, countsOf: (answer: unknown) => readonly number[]) => {
    const method: unknown = Reflect.get(of, name)
    if (typeof method !== 'function') throw new Error(`D1 has no ${name}`)
    const counting = async function (this: unknown, ...given: unknown[]) {
      const answer: unknown = await method.apply(this, given)
      const counts = countsOf(answer)
      cost.calls += 1
      cost.statements += counts.length
      for (const rows of counts) cost.rows_written += rows
      return answer
    }
    vi.spyOn(of as Record<string, () => unknown>, name).mockImplementation(counting)
  }
  const rowsOf = (result: unknown) => (result as D1Result).meta.rows_written
  watch(Object.getPrototypeOf(env.DB), 'batch', (results) => (results as unknown[]).map(rowsOf))
  const statement: object = Object.getPrototypeOf(env.DB.prepare('SELECT 1'))
  for (const name of ['all', 'run']) watch(statement, name, (result) => [rowsOf(result)])
  for (const name of ['first', 'raw']) watch(statement, name, () => [0])
  return cost
}

async function ask(method: string, path: string, body: object | null): Promise<Record<string, unknown>> {
  const context = createExecutionContext()
  const request = new Request(`https://service.test${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'CF-Connecting-IP': newAddress(),
    },
    body: body && JSON.stringify(body),
  })
  const response = await worker.fetch(request, env, context)
  await waitOnExecutionContext(context)
  const answer: Record<string, unknown> = await response.json()
  expect(response.ok, JSON.stringify(answer)).toBe(true)
  return answer
}

/** The cost of a second request, which finds the key and the rate book in memory. */
async function costOf(method: string, path: string, bodyOf: () => object | null = () => null): Promise<Cost> {
  await ask(method, path, bodyOf())
  const body = bodyOf()
  const cost = counted()
  await ask(method, path, body)
  vi.restoreAllMocks()
  return cost
}

let numbers = 0
const sale = (more: object = {}) => ({
  external_id: `order-${(numbers += 1)}`,
  currency: 'USD',
  transaction_date: '2026-05-01',
  customer: { address: { country: 'US', region: 'CA', postal_code: '94111' } },
  line_items: [{ amount: 1_000, product_type: 'physical_goods' }],
  ...more,
})

const cost = (calls: number, statements: number, rows_written: number): Cost => ({
  calls,
  statements,
  rows_written,
})

describe('in D1', () => {
  it('calculations and rates cost nothing', async () => {
    const { external_id: _, ...asked } = sale()
    expect(await costOf('POST', '/v1/calculate', () => asked)).toEqual(cost(0, 0, 0))
    const batch = { calculations: [asked, asked] }
    expect(await costOf('POST', '/v1/calculate/batch', () => batch)).toEqual(cost(0, 0, 0))
    expect(await costOf('GET', '/v1/rates?jurisdiction=FR')).toEqual(cost(0, 0, 0))
  })

  // One statement of each write ends what was set aside: a return that the sale concerns. Another one keeps
  // the words of sales, which are there from the first sale on and cost no row.
  it('sales cost one call', async () => {
    expect(await costOf('POST', '/v1/transactions', sale)).toEqual(cost(1, 12, 16))
    const batch = () => ({ transactions: Array.from({ length: 50 }, () => sale()) })
    expect(await costOf('POST', '/v1/transactions/batch', batch)).toEqual(cost(1, 12, 555))
  })

  it('the tick after a sale adds it to the search, with three rows', async () => {
    const tick = () => makeSearchable(books, new Date(Date.now() + 60_000))
    await tick()
    await ask('POST', '/v1/transactions/batch', { transactions: Array.from({ length: 50 }, () => sale()) })
    const added = counted()
    await tick()
    vi.restoreAllMocks()
    expect(added).toEqual(cost(5, 5, 150 + 2))
    const none = counted()
    await tick()
    vi.restoreAllMocks()
    expect(none).toEqual(cost(5, 5, 2))
  })

  it('a customer costs one call', async () => {
    const customer = () => ({ name: 'Ada Lovelace', email: 'ada@example.com', address: { country: 'US' } })
    expect(await costOf('POST', '/v1/customers', customer)).toEqual(cost(1, 5, 13))
  })

  // The credit notes on a sale, and the sales that settle it, are read with it.
  it('to complete or void a sale costs two calls', async () => {
    for (const [action, statements, rows] of [
      ['complete', 14, 12],
      ['void', 11, 13],
    ] as const) {
      const { id } = await ask('POST', '/v1/transactions', sale({ status: 'pending' }))
      const moved = counted()
      await ask('POST', `/v1/transactions/${String(id)}/${action}`, null)
      vi.restoreAllMocks()
      expect(moved, action).toEqual(cost(2, statements, rows))
    }
  })

  it('a refund costs two calls', async () => {
    const { id } = await ask('POST', '/v1/transactions', sale())
    const refund = () => ({ amount: 100, reason: 'returned' })
    expect(await costOf('POST', `/v1/transactions/${String(id)}/refund`, refund)).toEqual(cost(2, 17, 13))
  })

  it('what is read costs no rows', async () => {
    expect(await costOf('GET', '/v1/transactions')).toEqual(cost(4, 5, 0))
    expect(await costOf('GET', '/v1/transactions?q=order-2')).toEqual(cost(4, 19, 0))
    expect(await costOf('GET', '/v1/customers')).toEqual(cost(2, 4, 0))
    const year = 'from_date=2026-01-01&to_date=2026-12-31'
    // Sales of other sellers are summed apart.
    expect(await costOf('GET', `/v1/reports/summary?${year}`)).toEqual(cost(4, 5, 0))
    expect(await costOf('GET', '/v1/nexus')).toEqual(cost(2, 2, 0))
  })
})
