import { env } from 'cloudflare:workers'
import { beforeAll, expect, it, vi } from 'vitest'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { checkReturns } from '../../../src/returns/archive/check-sample.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

const { books } = keepAccountsIn(2)
const RETURNS = 70

await loadTestData()

/** Copies of a filed return that count no more, so that there are many without many sales. */
beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
  await call('POST', '/v1/registrations', { key, body: { scheme: 'oss_union', valid_from: '2020-01-01' } })
  const filed = await call('POST', '/v1/returns', { key, body: { type: 'oss_union', period: '2026-Q1' } })
  expect(filed.status, filed.text).toBe(201)
  const { results } = await books.prepare('SELECT name FROM pragma_table_info(?)').bind('returns').all()
  const given: Readonly<Record<string, string>> = {
    id: "format('ret_copy%03d', n)",
    version: 'version + n',
    status: "iif(n = 1, 'filed', 'reopened')",
    // The first one cannot even be read.
    inputs: "iif(n = 1, '{', inputs)",
    previous_hash: 'NULL',
    reopened_at: 'filed_at',
    reopen_reason: "'test'",
  }
  const columns = results.map(({ name }) => String(name))
  await books
    .prepare(
      `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${RETURNS - 1})
       INSERT INTO returns (${columns.join()})
       SELECT ${columns.map((name) => given[name] ?? name).join()} FROM returns, counted`,
    )
    .run()
})

const HOUR_MS = 3_600_000
const START = Date.now()
const at = (hour: number) => new Date(START + hour * HOUR_MS)

/** How many returns were last checked in an hour. */
const checkedAt = (hour: number) =>
  books
    .prepare('SELECT count(*) AS n FROM return_checks WHERE checked_at = ?')
    .bind(at(hour).toISOString())
    .first<number>('n')

/** A night and the ticks after it, an hour each: how many returns each of them checks. */
async function checksOfRun(hour: number, ticks: number) {
  const checks = []
  for (let tick = 0; tick < ticks; tick += 1) {
    await checkReturns(shardOf(env, 2), at(hour + tick), tick === 0)
    checks.push(await checkedAt(hour + tick))
  }
  return checks
}

it('checks what was never checked at once, some in each tick, and a return that fails stops no other', async () => {
  expect(await checksOfRun(1, 6)).toEqual([20, 20, 20, 10, 0, 0])
  const unread = "SELECT fault FROM return_checks WHERE return_id = 'ret_copy001'"
  expect(await books.prepare(unread).first()).toEqual({ fault: null })
  const another = "SELECT fault FROM return_checks WHERE return_id = 'ret_copy002'"
  expect(await books.prepare(another).first('fault')).toContain('not as it was filed')
})

it('checks the 20 of the oldest checks again in the next night, and nothing between the nights', async () => {
  const before = await checkedAt(1)
  expect(await checksOfRun(30, 4)).toEqual([20, 0, 0, 0])
  expect([before, await checkedAt(1)]).toEqual([20, 0])
})

it('checks a ninetieth of many returns, so that each has its turn in a quarter', async () => {
  await books
    .prepare(
      `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 45 * 90)
       INSERT INTO return_checks (return_id, account_id, checked_at)
       SELECT 'ret_elsewhere' || n, 'acct_elsewhere', '2020' FROM counted`,
    )
    .run()
  // The share is 45, and all five others whose last check was in the same tick as that of the 45th.
  expect(await checksOfRun(60, 4)).toEqual([20, 20, 10, 0])
})
