import { env, exports } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { dropAbandonedReturns } from '../../src/returns/archive/drop-abandoned-returns.ts'
import { created } from '../sales/transactions/sales.ts'
import { newAccount } from '../support/account.ts'
import { writeKansas } from '../support/local-data.ts'
import { call } from '../support/service.ts'
import { loadTestData } from '../support/service-data.ts'
import { keepAccountsIn } from '../support/shards.ts'
import { callWith, DOWN, withDatabase } from './faulty.ts'

const { books } = keepAccountsIn(0)
await loadTestData()
await writeKansas()

const BODY = { type: 'us_state', jurisdiction_id: 'US-KS', period: '2026-08' }
const FILING = { method: 'POST', path: '/v1/returns', body: BODY }

async function seller(): Promise<{ key: string; account_id: string }> {
  const { key, account_id } = await newAccount()
  const profile = { country: 'US', region: 'DE', time_zone: 'UTC' }
  expect((await call('PUT', '/v1/account', { key, body: profile })).status).toBe(200)
  const registration = {
    jurisdiction_id: 'US-KS',
    valid_from: '2020-01-01',
    registration_number: '004-123',
  }
  expect((await call('POST', '/v1/registrations', { key, body: registration })).status).toBe(201)
  await created(key, {
    customer: { address: { country: 'US', region: 'KS', postal_code: '66604' } },
    currency: 'USD',
    transaction_date: '2026-08-03',
    line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
  })
  return { key, account_id }
}

/** A database that fails a trip, before it is made or after it; if the Worker dies, also all later ones. */
function endingAt(n: number, { made, dies }: { made: boolean; dies: boolean }) {
  let trips = 0
  const bindings = withDatabase(async (trip) => {
    trips += 1
    if (trips < n || (trips > n && !dies)) return trip()
    if (trips === n && made) await trip()
    throw DOWN
  })
  return { bindings, reached: () => trips >= n }
}

async function returnType(key: string, id: string): Promise<string | undefined> {
  const query = 'format=sst_ser_xml&tin=123456789&transmission=26244000001&sold_from=out_of_state'
  const response = await exports.default.fetch(`https://service.test/v1/returns/${id}/file?${query}`, {
    headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': '192.0.2.1' },
  })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return /<ReturnType>(\w)</.exec(text)?.[1]
}

const keptRows = (account_id: string) =>
  books
    .prepare(
      `SELECT (SELECT count(*) FROM returns WHERE account_id = ?1) AS returns,
         (SELECT count(*) FROM filed_rows WHERE account_id = ?1) AS rows`,
    )
    .bind(account_id)
    .first()

it.each([
  { made: false, dies: false },
  { made: true, dies: false },
  { made: false, dies: true },
  { made: true, dies: true },
])('a filing that ends at any trip ($made, $dies) is version 1 when it is sent again', async (fault) => {
  for (let n = 1; ; n += 1) {
    const { key, account_id } = await seller()
    await callWith(env, key, { method: 'GET', path: '/v1/account', body: undefined })
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const { bindings, reached } = endingAt(n, fault)
    const first = await callWith(bindings, key, FILING, headers)
    const again = await callWith(env, key, FILING, headers)
    expect(again.status, `trip ${n}: ${first.text}\n${again.text}`).toBe(201)
    expect(again.body, `trip ${n}`).toMatchObject({ version: 1, comparison: null, status: 'filed' })
    expect(await returnType(key, String(again.body['id'])), `trip ${n}`).toBe('O')
    expect(await keptRows(account_id), `trip ${n}`).toEqual({ returns: 1, rows: 1 })
    if (!reached()) break
  }
})

/** Files, and the Worker dies when the half-frozen return is written. */
async function dieHalfFrozen(key: string, account_id: string): Promise<void> {
  for (let n = 1; ; n += 1) {
    const { bindings, reached } = endingAt(n, { made: true, dies: true })
    await callWith(bindings, key, FILING)
    const left = await keptRows(account_id)
    if (left?.['returns'] === 1 && left['rows'] === 1) return
    if (left?.['returns'] === 1)
      await books.prepare('DELETE FROM returns WHERE account_id = ?').bind(account_id).run()
    expect(reached()).toBe(true)
  }
}

it('is dropped within minutes if it dies', async () => {
  const { key, account_id } = await seller()
  await dieHalfFrozen(key, account_id)
  await dropAbandonedReturns(books, new Date())
  expect((await keptRows(account_id))?.['returns']).toBe(1)
  await dropAbandonedReturns(books, new Date(Date.now() + 11 * 60_000))
  expect(await keptRows(account_id)).toEqual({ returns: 0, rows: 0 })
})

it('keeps no line of a return that is dropped while its lines are copied', async () => {
  const { key, account_id } = await seller()
  let dropped = false
  const bindings = withDatabase(async (trip) => {
    const left = dropped ? null : await keptRows(account_id)
    if (left?.['returns'] === 1 && left['rows'] === 0) {
      dropped = true
      await dropAbandonedReturns(books, new Date(Date.now() + 11 * 60_000))
    }
    return trip()
  })
  const filed = await callWith(bindings, key, FILING)
  expect(dropped).toBe(true)
  expect(filed.status, filed.text).toBe(201)
  expect(await keptRows(account_id)).toEqual({ returns: 1, rows: 1 })
})

it('amends only what was filed with the office', async () => {
  const { key } = await seller()
  const file = async (submission?: object) => {
    const body = { ...BODY, ...(submission !== undefined && { submission }) }
    const answer = await call('POST', '/v1/returns', { key, body })
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  const reopen = (id: unknown) =>
    call('POST', `/v1/returns/${String(id)}/reopen`, { key, body: { reason: 'a late sale' } })
  const reviewed = await file({ state: 'reviewed' })
  await reopen(reviewed['id'])
  const original = await file()
  expect(original).toMatchObject({ version: 2, comparison: { version: 1 } })
  expect(await returnType(key, String(original['id']))).toBe('O')
  await reopen(original['id'])
  const amended = await file()
  expect(await returnType(key, String(amended['id']))).toBe('A')
  expect(await returnType(key, String(original['id']))).toBe('O')
})
