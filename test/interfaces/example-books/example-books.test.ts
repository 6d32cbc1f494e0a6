import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { verifyTotals } from '../../../scripts/verify/totals.ts'
import { MOVED_TABLES } from '../../../src/service/shards/tables.ts'
import { EXAMPLE_STATE, exampleSale } from '../../../src/interfaces/example-books/example-sales.ts'
import { CALENDAR_PERIODS, daysAfter } from '../../../src/platform/kit/calendar.ts'
import { dueReturns } from '../../../src/returns/due/due-returns.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { created, GIVEN } from '../../sales/transactions/sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

type Body = Record<string, unknown>

const PATH = '/v1/account/example-books'
const NONE = { transactions: 0, refunds: 0, customers: 0, registrations: 0 }
const ALL = { transactions: 64, refunds: 5, customers: 7, registrations: 4 }

/** Tables that record what happened: they keep what was removed. */
const HISTORY = [
  'audit_events',
  'audit_seals',
  'idempotency_keys',
  'account_usage',
  'events',
  'returns',
  'filed_rows',
  'return_submissions',
]

async function ok(method: string, path: string, key: string, body?: object): Promise<Body> {
  const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

/** The rows of an account in each table of the books. */
async function rowsOf(account_id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table, from, account } of MOVED_TABLES) {
    if (HISTORY.includes(table)) continue
    const count = await books
      .prepare(`SELECT count(*) AS n FROM ${from} WHERE ${account} = ?`)
      .bind(account_id)
      .first<number>('n')
    if (count !== null && count > 0) counts[table] = count
  }
  return counts
}

/** What the account says of its own books, without ids and moments. */
async function told(key: string): Promise<unknown> {
  const summary = await ok('GET', '/v1/reports/summary?from_date=2020-01-01&to_date=2027-12-31', key)
  const { filed_rows: _, ...usage } = Object((await ok('GET', '/v1/account/usage', key))['usage'])
  const sales = (await ok('GET', '/v1/transactions?limit=100', key))['transactions'] as Body[]
  const customers = (await ok('GET', '/v1/customers?limit=100', key))['customers'] as Body[]
  const registrations = (await ok('GET', '/v1/registrations', key))['registrations'] as Body[]
  return {
    rows: summary['rows'],
    totals: summary['totals'],
    usage,
    sales: sales.map(({ external_id, total, amount_refunded }) => ({ external_id, total, amount_refunded })),
    customers: customers.map(({ name }) => name),
    registrations: registrations.map(({ jurisdiction_id, scheme }) => jurisdiction_id ?? scheme),
  }
}

const sandbox = () => newAccount({ sandbox: true })

describe('example books', () => {
  it('fill an account for tests, once', async () => {
    const { key, account_id } = await sandbox()
    expect(await ok('GET', '/v1/overview', key)).toMatchObject({
      example_books: { possible: true, there: false },
    })
    const [first, second] = await Promise.all([ok('POST', PATH, key), ok('POST', PATH, key)])
    const added = [first, second].map(({ transactions }) => Number(transactions))
    expect(added.toSorted((one, other) => one - other)).toEqual([0, 64])
    expect(await ok('POST', PATH, key)).toMatchObject({ ...NONE, already_there: true })
    // Their ids are of the moment of the account, which the ticks have passed.
    await books.prepare("INSERT INTO job_cursors (name, after) VALUES ('sales_to_search', 'aud_z')").run()
    for (const q of ['1001', 'ex-1001', 'example-1001', 'IT00743110157'])
      expect((await ok('GET', `/v1/transactions?q=${q}`, key))['transactions'], q).not.toEqual([])
    await books.prepare("DELETE FROM job_cursors WHERE name = 'sales_to_search'").run()
    const { transactions, total } = await ok('GET', '/v1/transactions?limit=100', key)
    expect(total).toBe(64)
    expect((transactions as Body[]).some(({ tax_amount }) => tax_amount === 0)).toBe(true)
    expect(await ok('GET', '/v1/overview', key)).toMatchObject({
      example_books: { possible: true, there: true },
      setup: [{}, { step: 'registration', done: true }, { step: 'first_sale', done: true }, {}],
      missing: [],
    })
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it.each(['DE', 'US'])('are sales of an account that has said before that it is in %s', async (country) => {
    const { key } = await sandbox()
    await ok('PUT', '/v1/account', key, { country, vat_id: country === 'DE' ? 'DE136695976' : null })
    await ok('POST', PATH, key)
    const { transactions } = await ok('GET', '/v1/transactions?limit=100', key)
    expect((transactions as Body[]).filter(({ of_other_seller }) => of_other_seller)).toEqual([])
    const { tax_by_month } = await ok('GET', '/v1/overview', key)
    expect(Object(tax_by_month)['rows']).not.toEqual([])
  })

  it('show each state of the work: filed, late, due, near a threshold, ending, failing', async () => {
    const { key } = await sandbox()
    await ok('POST', PATH, key)
    const overview = await ok('GET', '/v1/overview', key)
    expect(overview).toMatchObject({
      account: { country: 'DE' },
      currency: 'EUR',
      returns: { overdue: 1 },
      nexus: { exceeded: 0, approaching: 1, first: [{ jurisdiction_id: 'US-CA', status: 'approaching' }] },
      certificates: { expires_soon: [{ customer_name: 'Redwood Hotels Inc.' }] },
      webhooks: { failing: 1, disabled: 0, total: 1 },
      setup: [{ done: true }, { done: true }, { done: true }, { done: true }],
    })
    const { returns, nexus } = overview as Record<string, Record<string, unknown>>
    expect(Number(returns?.['due'])).toBeGreaterThan(0)
    expect(nexus?.['first']).toMatchObject([{ progress: { ratio: 0.92 } }])
    expect(await ok('GET', '/v1/returns?status=filed', key)).toMatchObject({ total: 1 })
    // A second request adds nothing, and decides nothing again.
    await ok('POST', PATH, key)
    expect(await ok('GET', '/v1/returns?status=filed', key)).toMatchObject({ total: 1 })
  })

  it.each(['2026-11-28', '2027-01-01', '2027-01-15', '2027-01-31', '2024-02-29', '2026-12-31'])(
    'reach California in one calendar year on %s',
    (today) => {
      const sales = Array.from({ length: 64 }, (_, number) => exampleSale(number, today))
      const there = sales.filter(({ customer }) => customer?.address?.region === 'CA')
      expect(there.flatMap(({ line_items = [] }) => line_items.map(({ amount }) => amount))).toEqual(
        Array(4).fill(11_500_000),
      )
      const days = sales.map(({ transaction_date }) => String(transaction_date))
      expect(days.every((day) => day < today)).toBe(true)
      const years = new Set(there.map(({ transaction_date }) => String(transaction_date).slice(0, 4)))
      expect([...years]).toHaveLength(1)
    },
  )

  it('have a return that is due and one that is overdue on each day of some years', () => {
    const registration = {
      id: 'reg_1',
      jurisdiction_id: EXAMPLE_STATE,
      scheme: null,
      filing_frequency: null,
      valid_from: '2020-01-01',
      valid_to: null,
    }
    for (let today = '2026-01-01'; today < '2029-01-01'; today = daysAfter(today, 1)) {
      const [from, to] = [daysAfter(today, -100), daysAfter(today, 60)]
      const { due } = dueReturns([registration], CALENDAR_PERIODS, from, to)
      const ended = due.filter(({ to_date }) => to_date < today)
      expect(
        ended.some(({ last_date }) => last_date >= today),
        today,
      ).toBe(true)
      expect(
        ended.some(({ last_date }) => last_date < today),
        today,
      ).toBe(true)
    }
  })

  it('are removed with their refunds, and what the user added stays exactly', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('sell' as const), amount: fc.integer({ min: 100, max: 1_000_000 }) }),
      fc.record({ kind: fc.constant('refund' as const), share: fc.integer({ min: 2, max: 9 }) }),
      fc.record({ kind: fc.constant('customer' as const), amount: fc.nat(1_000) }),
      fc.record({ kind: fc.constant('refund_example' as const), pick: fc.nat(59) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const [filled, plain] = await Promise.all([sandbox(), sandbox()])
        expect(await ok('POST', PATH, filled.key)).toMatchObject({ ...ALL, already_there: false })
        for (const { key } of [filled, plain]) {
          let last: string | null = null
          for (const [index, each] of steps.entries()) {
            if (each.kind === 'sell') {
              const line_items = [{ ...GIVEN.line_items[0], amount: each.amount, tax_amount: 19 }]
              last = await created(key, { ...GIVEN, external_id: `own-${index}`, line_items })
            } else if (each.kind === 'customer') {
              await ok('POST', '/v1/customers', key, { name: `Own ${each.amount}` })
            } else if (each.kind === 'refund' && last !== null) {
              await call('POST', `/v1/transactions/${last}/refund`, {
                key,
                body: { amount: each.share, reason: 'Returned' },
              })
            } else if (each.kind === 'refund_example' && key === filled.key) {
              const path = `/v1/transactions/external/EXAMPLE-${1001 + each.pick}`
              const { id } = await ok('GET', path, key)
              await call('POST', `/v1/transactions/${String(id)}/refund`, {
                key,
                body: { amount: 100, reason: 'Returned' },
              })
            }
          }
        }
        const [removed] = await Promise.all([ok('DELETE', PATH, filled.key), call('DELETE', PATH, filled)])
        expect(removed).toMatchObject({ kept_registrations: [] })
        expect(await ok('DELETE', PATH, filled.key)).toMatchObject(NONE)
        expect(await told(filled.key)).toEqual(await told(plain.key))
        // A sale that is refunded leaves a count of 0, and the removal deletes those.
        await books.prepare('DELETE FROM transaction_counts WHERE transactions = 0').run()
        expect(await rowsOf(filled.account_id)).toEqual(await rowsOf(plain.account_id))
        expect(await verifyTotals(books, filled.account_id)).toEqual([])
      }),
      { numRuns: 5 },
    )
  })

  it('can be added again after they were removed', async () => {
    const { key } = await sandbox()
    await ok('POST', PATH, key)
    expect(await ok('DELETE', PATH, key)).toMatchObject(ALL)
    expect(await ok('POST', PATH, key)).toMatchObject({ ...ALL, already_there: false })
  })

  it('are refused to live accounts, and to books that are not empty', async () => {
    const { key: live } = await newAccount()
    for (const method of ['POST', 'DELETE']) {
      const { status, body } = await call(method, PATH, { key: live })
      expect([status, body['reason']]).toEqual([403, 'sandbox_only'])
    }
    const { key } = await sandbox()
    await ok('POST', '/v1/customers', key, { name: 'Own' })
    const before = await told(key)
    const { status, body } = await call('POST', PATH, { key })
    expect([status, body['reason']]).toEqual([400, 'books_not_empty'])
    expect(await told(key)).toEqual(before)
  })

  it('stay while a filed return has them, and go after it was reopened', async () => {
    const { key } = await sandbox()
    await ok('POST', PATH, key)
    const month = new Date(Date.now() - 45 * 86_400_000).toISOString().slice(0, 7)
    const filed = await ok('POST', '/v1/returns', key, { type: 'generic', period: month })
    const refused = await call('DELETE', PATH, { key })
    expect([refused.status, refused.body['reason']]).toEqual([400, 'period_already_filed'])
    expect((await ok('GET', '/v1/transactions', key))['total']).toBe(64)
    // The return of the examples is still filed, too.
    expect((await ok('GET', '/v1/returns?status=filed', key))['total']).toBe(2)
    await ok('POST', `/v1/returns/${String(filed['id'])}/reopen`, key, { reason: 'Only an example' })
    expect(await ok('DELETE', PATH, key)).toMatchObject(ALL)
  })
})
