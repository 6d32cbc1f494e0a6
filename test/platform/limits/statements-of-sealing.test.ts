import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { sealAuditEvents } from '../../../src/platform/audit/seal.ts'
import { wholeDb } from '../../../src/platform/database/databases.ts'
import { newId } from '../../../src/platform/database/ids.ts'
import { insertRows } from '../../../src/platform/database/insert-rows.ts'
import { shardOf } from '../../../src/platform/database/shards.ts'
import { auditIdOf } from '../../../src/platform/database/values/audit-ids.ts'
import { runJobs } from '../../../src/service/jobs.ts'
import { file, linesInBooks, rest, saleOn, seller, sent } from '../../returns/sealed/sealing.ts'
import { count, sellMany, WITH_CHESTS } from '../../sales/sealed/sealed.ts'
import { newAccount } from '../../support/account.ts'
import { D1_BATCH_MAX, statementsOf } from '../../support/platform-limits.ts'
import { listening } from '../../support/queues.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'

keepAccountsIn(0)
await loadTestData()

/** As many as the ticks of an hour seal, and some more. */
const SALES = 4_100
const YEARS = [2022, 2023, 2024, 2025]
const QUARTERS = [1, 2, 3, 4]

/** Returns that were filed, as many as the ticks of an hour seal. */
async function filedReturns(): Promise<string> {
  const { key, account_id } = await seller()
  for (const year of YEARS)
    for (const quarter of QUARTERS) {
      await sent('POST', '/v1/transactions', key, saleOn(`${year}-0${2 * quarter}-10`, 10 * year + quarter))
      await rest()
      await file(key, `${year}-Q${quarter}`)
    }
  return account_id
}

/** An account with copies of one sale and of its event. */
async function manySales(): Promise<string> {
  const { key, account_id } = await newAccount()
  await sellMany(key, 0, 1)
  const db = wholeDb(env.DB)
  const columnsOf = async (table: string) => {
    const { results } = await db
      .prepare('SELECT name FROM pragma_table_info(?)')
      .bind(table)
      .all<{ name: string }>()
    return results.map(({ name }) => name)
  }
  for (const [table, key_column] of [
    ['transactions', 'id'],
    ['transaction_lines', 'transaction_id'],
  ] as const) {
    const columns = await columnsOf(table)
    const values = columns.map((name) => {
      if (name === key_column) return `substr(${name}, 1, 24) || printf('%06d', value)`
      if (name === 'id') return `substr(${name}, 1, length(${name}) - 6) || printf('%06d', value)`
      return name === 'external_id' ? "'o-' || value" : name
    })
    await env.DB.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${table}
       CROSS JOIN (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?2)
         SELECT value FROM n) WHERE account_id = ?1` as never,
    )
      .bind(account_id, SALES)
      .run()
  }
  const events = Array.from({ length: SALES }, () => {
    const resource_id = newId('txn')
    const [key_id, request_id, created_at] = [newId('key'), newId('req'), new Date().toISOString()]
    const rest_of = { changed: '[]', request_id, created_at, field_values: null }
    return {
      id: auditIdOf(resource_id),
      account_id,
      key_id,
      action: 'transaction.created',
      resource_id,
      ...rest_of,
    }
  })
  for (let from = 0; from < SALES; from += 1_000)
    await env.DB.batch(insertRows(db, 'audit_events', events.slice(from, from + 1_000)))
  await env.DB.prepare(
    'UPDATE account_usage SET transaction_lines = 2 * ?2, audit_events = ?2 WHERE account_id = ?1',
  )
    .bind(account_id, SALES)
    .run()
  return account_id
}

it('each tick of an hour that seals all it can stays below the statements of an invocation', async () => {
  const filer = await filedReturns()
  const seller_id = await manySales()
  const hour = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 500 * 86_400_000
  await sealAuditEvents(shardOf(env, 0), new Date(hour - 3_600_000))
  const bindings = { ...WITH_CHESTS, WORK: listening().queue, WEBHOOK_EVENTS: listening().queue }
  const counts: number[] = []
  for (let minutes = 0; minutes < 60; minutes += 5)
    counts.push(await statementsOf(() => runJobs('*/5 * * * *', bindings, new Date(hour + minutes * 60_000))))
  expect(await count('chests', seller_id)).toBe(4)
  expect(await count('audit_chests', seller_id)).toBe(4)
  expect(await linesInBooks(filer)).toBe(0)
  // What is left is for jobs that have nothing to do here, as the one that deletes old copies of books.
  expect(Math.max(...counts)).toBeLessThan(D1_BATCH_MAX - 300)
}, 120_000)
