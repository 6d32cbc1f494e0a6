import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { verifyReturns } from '../../../scripts/verify/returns.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { checkReturns } from '../../../src/returns/archive/check-sample.ts'
import { readAlarms, watchOperations } from '../../../src/tax-data/status/watch.ts'
import { sha256 } from '../../../src/platform/kit/sha256.ts'
import { interceptedDatabase } from '../../support/intercepted-database.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { created } from '../../sales/transactions/sales.ts'

const { books } = keepAccountsIn(2)

await loadTestData()

type Body = Record<string, unknown>
type Reconciled = {
  id: string
  type: string
  reconciled: boolean
  books: object[]
  declared: object[]
  pending: object[]
  faults: string[]
  hash: string
  hash_input: string
  hashed_rows_url: string
}

let key: string
let account_id: string

/** What the alarm of operators says after a tick. */
async function unreconciled(): Promise<number> {
  await watchOperations(env, new Date())
  const alarms = await readAlarms(env, new Date())
  return Number(alarms.find(({ name }) => name === 'unreconciled_accounts')?.value)
}

beforeEach(async () => {
  ;({ key, account_id } = await newAccount())
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
  const body = { scheme: 'oss_union', valid_from: '2020-01-01' }
  await call('POST', '/v1/registrations', { key, body })
})

const sell = (transaction_date: string, amount: number, country = 'FR') =>
  created(key, {
    customer: { address: { country } },
    currency: 'EUR',
    transaction_date,
    line_items: [{ amount, product_type: 'saas' }],
  })

async function file(period: string): Promise<Body> {
  const answer = await call('POST', '/v1/returns', { key, body: { type: 'oss_union', period } })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function reconcile(query = '') {
  const answer = await call('GET', `/v1/returns/reconciliation?${query}`, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as { reconciled: boolean; returns: Reconciled[]; missing: Body[] } & Body
}

const run = (sql: string, ...values: string[]) =>
  books
    .prepare(sql)
    .bind(...values)
    .run()

/** A change that no trigger refuses, as somebody with the database could make it. */
const throughDoor = (sql: string, ...values: string[]) =>
  books.batch([
    books.prepare("INSERT INTO open_doors (account_id, reason) VALUES (?, 'test')").bind(account_id),
    books.prepare(sql).bind(...values),
    books.prepare('DELETE FROM open_doors WHERE account_id = ?').bind(account_id),
  ])

describe('GET /v1/returns/reconciliation', () => {
  it('says what the books hold, what is declared, and what is pending', async () => {
    const id = await sell('2026-02-01', 10_000)
    await file('2026-Q1')
    await sell('2026-03-01', 5_000)
    await call('POST', `/v1/transactions/${id}/refund`, {
      key,
      body: { amount: 1_200, reason: 'returned', refunded_at: '2026-03-30' },
    })
    const { returns, reconciled } = await reconcile()
    expect(reconciled).toBe(true)
    const of = (net_amount: number) => [
      { currency: 'EUR', net_amount, taxable_amount: net_amount, tax_amount: net_amount * 0.2 },
    ]
    expect(returns).toMatchObject([
      { books: of(14_000), declared: of(10_000), pending: of(4_000), faults: [], late_entries: true },
    ])
    await file('2026-Q2')
    expect((await reconcile('type=oss_union')).returns).toMatchObject([
      { period: '2026-Q2', books: [], declared: [], pending: [] },
      { period: '2026-Q1', books: of(14_000), declared: of(14_000), pending: [] },
    ])
    expect((await reconcile('type=generic')).returns).toEqual([])
    expect((await reconcile('limit=1')).returns).toHaveLength(1)
  })

  it('misses no voucher for several kinds of supply, which is on no return', async () => {
    await sell('2026-02-01', 10_000)
    await created(key, {
      customer: { address: { country: 'FR' } },
      currency: 'EUR',
      transaction_date: '2026-02-01',
      line_items: [{ amount: 5_000, product_type: 'gift_card' }],
    })
    await file('2026-Q1')
    const body = { type: 'generic', period: '2026-Q1' }
    expect((await call('POST', '/v1/returns', { key, body })).status).toBe(201)
    const { returns, reconciled } = await reconcile()
    expect(reconciled).toBe(true)
    const netOf = (type: string) => returns.find((each) => each.type === type)?.books
    expect(netOf('oss_union')).toMatchObject([{ net_amount: 10_000 }])
    expect(netOf('generic')).toMatchObject([{ net_amount: 15_000 }])
    expect(await verifyReturns(books, account_id)).toEqual([])
  })

  it('finds nothing wrong when a reopened period loses a refund, as the audit log says', async () => {
    const id = await sell('2026-02-01', 10_000)
    const body = { amount: 1_200, reason: 'returned', refunded_at: '2026-03-30' }
    const refunded = await call('POST', `/v1/transactions/${id}/refund`, { key, body })
    const filed = String((await file('2026-Q1'))['id'])
    await call('POST', `/v1/returns/${filed}/reopen`, { key, body: { reason: 'test' } })
    const { id: refund_id } = refunded.body['refund'] as { id: string }
    expect((await call('DELETE', `/v1/transactions/${id}/refunds/${refund_id}`, { key })).status).toBe(200)
    expect(await verifyReturns(books, account_id)).toEqual([])
    await file('2026-Q1')
    expect(await verifyReturns(books, account_id)).toEqual([])
    const forget = "DELETE FROM audit_events WHERE account_id = ? AND action = 'transaction.refund_deleted'"
    await throughDoor(forget, account_id)
    expect(await verifyReturns(books, account_id)).toMatchObject([
      { message: expect.stringContaining('is no longer in the books') },
    ])
  })

  it('lets the owner compute the hashes again', async () => {
    await sell('2026-02-01', 10_000)
    await sell('2026-02-02', 1_000, 'IT')
    const first = await file('2026-Q1')
    const reopened = `/v1/returns/${String(first['id'])}/reopen`
    await call('POST', reopened, { key, body: { reason: 'test' } })
    await file('2026-Q1')
    const { returns } = await reconcile()
    expect(returns).toHaveLength(2)
    for (const { hash, hash_input, hashed_rows_url } of returns) {
      expect(await sha256(hash_input)).toBe(hash)
      const { rows, rows_hash, has_more } = (await call('GET', hashed_rows_url, { key })).body as {
        rows: string[]
        rows_hash: string
        has_more: boolean
      }
      expect([rows.length, has_more]).toEqual([2, false])
      expect(await sha256(['', ...rows].join('\n'))).toBe(rows_hash)
      expect(JSON.parse(hash_input)).toContain(rows_hash)
    }
  })

  it('is not for another account', async () => {
    await sell('2026-02-01', 10_000)
    const filed = await file('2026-Q1')
    const other = (await newAccount()).key
    const rows = await call('GET', `/v1/returns/${String(filed['id'])}/hashed-rows`, { key: other })
    expect(rows.status).toBe(404)
    expect((await call('GET', '/v1/returns/reconciliation', { key: other })).body).toMatchObject({
      returns: [],
      missing: [],
    })
  })
})

/** What the account should look at, but that later returns are overdue: that depends on the day. */
async function faultsOf(key: string): Promise<Body[]> {
  const { body } = await call('GET', '/v1/account', { key })
  return (body['attention'] as Body[]).filter(({ reason }) => reason !== 'returns_overdue')
}

/** The begin of the run, its cursor, how far it goes, and the return. */
const FOUND = 4

/** The check of a night some hours from now, with the ticks after it. */
async function night(hour: number): Promise<void> {
  for (let tick = 0; tick < 5; tick += 1)
    await checkReturns(shardOf(env, 2), new Date(Date.now() + hour * 3_600_000), tick === 0)
}

describe('what is not as it was filed', () => {
  /** The faults that the owner's call and the operator's command find. */
  async function faults(): Promise<string> {
    const { returns, missing, reconciled } = await reconcile()
    const found = returns.flatMap((each) => each.faults).join(' | ')
    expect(reconciled).toBe(found === '' && missing.length === 0)
    expect((await verifyReturns(books, account_id)).length > 0).toBe(!reconciled)
    return missing.length > 0 ? `${found} | ${missing.length} missing` : found
  }

  it('is a sale that came into filed days without a mark (a change of the zone)', async () => {
    await sell('2026-02-01', 10_000)
    const id = await sell('2026-04-01', 50_000)
    await file('2026-Q1')
    expect(await faults()).toBe('')
    const move = (table: string) =>
      run(
        `UPDATE ${table} SET period = replace(period, '2026-04', '2026-03') WHERE account_id = ?`,
        account_id,
      )
    await run("UPDATE transactions SET day = '2026-03-01' WHERE id = ?", id)
    await run(
      "UPDATE tax_totals SET sold_in = '2026-03' WHERE account_id = ? AND sold_in = '2026-04'",
      account_id,
    )
    await move('tax_totals')
    await move('transaction_counts')
    expect(await faults()).toBe(
      '1 lines of its days are in no return, and no open return looks for them: ' +
        '€500.00 net and €100.00 of tax',
    )
  })

  it('is a correction that a reopened return took along', async () => {
    await sell('2026-02-01', 10_000)
    const first = await file('2026-Q1')
    await sell('2026-03-01', 5_000)
    const second = await file('2026-Q2')
    await call('POST', `/v1/returns/${String(first['id'])}/reopen`, { key, body: { reason: 'test' } })
    await file('2026-Q1')
    await run(
      `UPDATE returns SET status = 'reopened', reopened_at = '2026-11-01T00:00:00.000Z', reopen_reason = 'test' WHERE id = ?`,
      String(second['id']),
    )
    expect(await faults()).toContain('1 lines of its days are in no return')
  })

  it('is a return that counts no more without an event, or hides its late entries', async () => {
    await sell('2026-02-01', 10_000)
    const id = String((await file('2026-Q1'))['id'])
    await sell('2026-02-02', 8_000)
    expect(await faults()).toBe('')
    await expect(run('UPDATE returns SET late = 0 WHERE id = ?', id)).rejects.toThrow('stay late')
    await throughDoor('UPDATE returns SET late = 0 WHERE id = ?', id)
    expect(await faults()).toContain('no open return looks for them')
    await expect(run("UPDATE returns SET status = 'reopened' WHERE id = ?", id)).rejects.toThrow('reason')
    await throughDoor("UPDATE returns SET status = 'reopened' WHERE id = ?", id)
    expect(await faults()).toContain('the audit log has no such event')
  })

  it('is a reopened return that counts again, and the newest return if it is gone', async () => {
    await sell('2026-02-01', 10_000)
    const id = String((await file('2026-Q1'))['id'])
    await call('POST', `/v1/returns/${id}/reopen`, { key, body: { reason: 'test' } })
    await throughDoor("UPDATE returns SET status = 'filed' WHERE id = ?", id)
    expect(await faults()).toContain('the audit log says that it was reopened')
    await throughDoor('DELETE FROM filed_rows WHERE return_id = ?', id)
    await throughDoor('DELETE FROM returns WHERE id = ?', id)
    expect(await faults()).toContain('1 missing')
  })

  it('is told to the account by the nightly check', async () => {
    await sell('2026-02-01', 10_000)
    const id = String((await file('2026-Q1'))['id'])
    await sell('2026-02-02', 8_000)
    const attention = () => faultsOf(key)
    // Each return has its turn, however many others there are.
    for (let hour = 1; hour < 5; hour += 1) await night(hour)
    expect(await attention()).toEqual([])
    const others = await unreconciled()
    await throughDoor('UPDATE returns SET late = 0 WHERE id = ?', id)
    for (let hour = 5; hour < 9; hour += 1) await night(hour)
    expect(await attention()).toMatchObject([{ reason: 'return_not_reconciled', resource_id: id }])
    expect(await unreconciled()).toBe(others + 1)
    await run('UPDATE returns SET late = 1 WHERE id = ?', id)
    for (let hour = 9; hour < 13; hour += 1) await night(hour)
    expect(await attention()).toEqual([])
    expect(await unreconciled()).toBe(others)
  })

  it('is told to operators by the number of accounts, also if the return counts no more', async () => {
    await sell('2026-02-01', 10_000)
    const id = String((await file('2026-Q1'))['id'])
    await throughDoor("UPDATE returns SET status = 'reopened' WHERE id = ?", id)
    await throughDoor('UPDATE returns SET late = 0 WHERE id = ?', id)
    for (let hour = 13; hour < 17; hour += 1) await night(hour)
    const value = await unreconciled()
    expect(value).toBeGreaterThan(0)
    const { body, text } = await call('GET', '/health')
    const { operations } = body['checks'] as { operations: { alarms: Body[] } }
    expect(operations.alarms).toContainEqual({
      name: 'unreconciled_accounts',
      status: 'warn',
      value,
      threshold: 0,
      message: expect.stringContaining('npm run verify-returns'),
    })
    expect(text).not.toContain(account_id)
    expect(text).not.toContain(id)
    expect(await faultsOf(key)).toMatchObject([{ reason: 'return_not_reconciled', resource_id: id }])
  })

  it('is no return that is reopened during its check', async () => {
    await sell('2026-02-01', 10_000)
    const id = String((await file('2026-Q1'))['id'])
    await books
      .prepare(
        `INSERT INTO return_checks (return_id, account_id, checked_at)
         SELECT id, account_id, '9999' FROM returns WHERE id <> ?
         ON CONFLICT DO UPDATE SET checked_at = '9999'`,
      )
      .bind(id)
      .run()
    let trips = 0
    const slow = interceptedDatabase(books, async (trip) => {
      const answer = await trip()
      trips += 1
      if (trips === FOUND) await call('POST', `/v1/returns/${id}/reopen`, { key, body: { reason: 'test' } })
      return answer
    })
    await checkReturns({ number: 2, books: slow }, new Date(), true)
    expect(trips).toBeGreaterThan(FOUND)
    const sql = 'SELECT checked_at, fault FROM return_checks WHERE return_id = ?'
    expect(await books.prepare(sql).bind(id).first()).toEqual({ checked_at: expect.any(String), fault: null })
    await books.prepare("UPDATE return_checks SET checked_at = '' WHERE return_id <> ?").bind(id).run()
  })

  it('is a return that is gone, told by the check of another one', async () => {
    await sell('2026-02-01', 10_000)
    const gone = String((await file('2026-Q1'))['id'])
    await sell('2026-05-01', 10_000)
    const id = String((await file('2026-Q2'))['id'])
    await throughDoor('DELETE FROM filed_rows WHERE return_id = ?', gone)
    await throughDoor('DELETE FROM returns WHERE id = ?', gone)
    for (let hour = 17; hour < 21; hour += 1) await night(hour)
    const fault = await books
      .prepare('SELECT fault FROM return_checks WHERE return_id = ?')
      .bind(id)
      .first<string>('fault')
    expect(fault).toContain(`The return ${gone} is gone`)
  })
})
