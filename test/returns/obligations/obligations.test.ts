import { env, exports } from 'cloudflare:workers'
import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { announceReturns } from '../../../src/returns/obligations/announce.ts'
import { newAccount } from '../../support/account.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()
const shard0 = keepAccountsIn(0)

type Body = Record<string, unknown>

const send = async (method: string, path: string, key: string, body?: object): Promise<Body> => {
  const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

const FIRST_QUARTER = 'from=2026-04-01&to=2026-04-30'

/** A German seller in the one-stop shop, with a sale of 100.00 EUR to France in the first quarter. */
async function seller() {
  const account = await newAccount()
  const { key } = account
  await send('PUT', '/v1/account', key, { country: 'DE', time_zone: 'UTC' })
  const oss = await send('POST', '/v1/registrations', key, { scheme: 'oss_union', valid_from: '2020-01-01' })
  const home = await send('POST', '/v1/registrations', key, {
    jurisdiction_id: 'SE',
    valid_from: '2020-01-01',
  })
  await created(key, {
    customer: { address: { country: 'FR' } },
    currency: 'EUR',
    transaction_date: '2026-02-01',
    line_items: [{ amount: 10_000, product_type: 'saas' }],
  })
  return { ...account, oss: String(oss['id']), home: String(home['id']) }
}

const file = (key: string) => send('POST', '/v1/returns', key, { type: 'oss_union', period: '2026-Q1' })

describe('GET /v1/obligations', () => {
  it('lists what is due, with the tax so far, the source, and whether it is filed', async () => {
    const { key, oss, home } = await seller()
    const { body, text } = await call('GET', `/v1/obligations?${FIRST_QUARTER}`, { key })
    expect(body['obligations'], text).toMatchObject([
      {
        registration_id: oss,
        jurisdiction_id: null,
        scheme: 'oss_union',
        type: 'oss_union',
        frequency: 'quarterly',
        period: '2026-Q1',
        from_date: '2026-01-01',
        to_date: '2026-03-31',
        due_date: '2026-04-30',
        last_date: '2026-04-30',
        status: 'overdue',
        filed: null,
        so_far: [{ currency: 'EUR', tax_amount: 2_000 }],
        filing_url: '/v1/reports/filing?type=oss_union&period=2026-Q1',
        source: expect.stringContaining('369f'),
      },
    ])
    expect(body).toMatchObject({
      total: 1,
      without_dates: [{ registration_id: home, jurisdiction_id: 'SE' }],
    })
    const [first] = body['obligations'] as { filing_url: string }[]
    const computed = await send('GET', String(first?.filing_url), key)
    expect(computed).toMatchObject({ totals: { tax_due: 2_000 } })
    const filed = await file(key)
    expect(await send('GET', `/v1/obligations?${FIRST_QUARTER}`, key)).toMatchObject({
      obligations: [{ status: 'filed', filed: { return_id: filed['id'], version: 1 } }],
    })
    await send('POST', `/v1/returns/${String(filed['id'])}/reopen`, key, { reason: 'An invoice was missing' })
    expect(await send('GET', `/v1/obligations?${FIRST_QUARTER}`, key)).toMatchObject({
      obligations: [{ status: 'overdue', filed: null }],
    })
  })

  it('follows the frequency of the registration, and the state of each return', async () => {
    const { key } = await newAccount()
    const texas = await send('POST', '/v1/registrations', key, {
      jurisdiction_id: 'US-TX',
      valid_from: '2020-01-01',
    })
    for (const state of ['US-FL', 'US-CA'])
      await send('POST', '/v1/registrations', key, { jurisdiction_id: state, valid_from: '2020-01-01' })
    const sale = (region: string, postal_code: string) => ({
      seller: { country: 'US', region: 'TX', registrations: ['US-TX', 'US-FL'] },
      customer: { address: { country: 'US', region, postal_code } },
      currency: 'USD',
      transaction_date: '2026-03-05',
      line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
    })
    const { body: sold } = await call('POST', '/v1/transactions', { key, body: sale('TX', '73301') })
    await created(key, sale('FL', '32301'))
    const list = async () =>
      (await send('GET', `/v1/obligations?${FIRST_QUARTER}`, key))['obligations'] as Body[]
    expect((await list()).map((each) => [each['jurisdiction_id'], each['period'], each['due_date']])).toEqual(
      [
        ['US-TX', '2026-03', '2026-04-20'],
        ['US-FL', '2026-03', '2026-04-20'],
        ['US-CA', '2026-Q1', '2026-04-30'],
      ],
    )
    expect(await list()).toMatchObject([
      {
        type: 'us_state',
        so_far: [{ currency: 'USD', tax_amount: sold['tax_amount'] }],
        filing_url: '/v1/reports/filing?type=us_state&period=2026-03&jurisdiction_id=US-TX',
      },
      {},
      { so_far: [] },
    ])
    await send('PUT', `/v1/registrations/${String(texas['id'])}`, key, { filing_frequency: 'quarterly' })
    expect((await list())[0]).toMatchObject({ period: '2026-Q1', frequency: 'quarterly' })
  })

  it('has bounds, pages, and contains nothing of another account', async () => {
    const { key } = await seller()
    const stranger = await newAccount()
    expect(await send('GET', `/v1/obligations?${FIRST_QUARTER}`, stranger.key)).toMatchObject({
      obligations: [],
      without_dates: [],
    })
    expect(
      await send('GET', '/v1/obligations?from=2026-01-01&to=2026-12-31&limit=2&offset=1', key),
    ).toMatchObject({
      obligations: [{ period: '2026-Q1' }, { period: '2026-Q2' }],
      total: 4,
      has_more: true,
    })
    for (const query of ['from=2026-01-01&to=2027-03-01', 'from=2026-02-01&to=2026-01-01']) {
      const { status, body } = await call('GET', `/v1/obligations?${query}`, { key })
      expect(status).toBe(400)
      expect(body['errors']).toMatchObject([{ path: 'to' }])
    }
    const bad = { jurisdiction_id: 'US-TX', valid_from: '2026-01-01', filing_frequency: 'weekly' }
    expect((await call('POST', '/v1/registrations', { key, body: bad })).body['errors']).toMatchObject([
      { path: 'filing_frequency' },
    ])
  })
})

/** A monthly seller of Texas with its first sale in a month of a year ago. */
async function oldSeller() {
  const account = await newAccount()
  const { key } = account
  await send('PUT', '/v1/account', key, { country: 'US', region: 'TX', time_zone: 'UTC' })
  await send('POST', '/v1/registrations', key, {
    jurisdiction_id: 'US-TX',
    filing_frequency: 'monthly',
    valid_from: '2010-01-01',
  })
  const first = new Date(Date.now() - 330 * 86_400_000).toISOString().slice(0, 7)
  await created(key, {
    customer: { address: { country: 'US', region: 'TX', postal_code: '78701' } },
    currency: 'USD',
    transaction_date: `${first}-10`,
    line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
  })
  return { ...account, first }
}

type Due = { period: string; status: string; last_date: string }
const duesOf = (answer: Body) => answer['obligations'] as Due[]

describe('a return that is not filed', () => {
  it('is in the list, the overview and the calendar until it is filed, also after its window', async () => {
    const { key, first } = await oldSeller()
    const overdue = (dues: readonly Due[]) =>
      dues.filter(({ status }) => status === 'overdue').map(({ period }) => period)
    const read = async () => {
      const list = await send('GET', '/v1/obligations?limit=100', key)
      const { returns } = await send('GET', '/v1/overview', key)
      const shown = returns as Body & { first: Due[] }
      expect(overdue(shown.first)).toEqual(overdue(duesOf(list)))
      expect(shown['overdue']).toBe(overdue(duesOf(list)).length)
      expect(shown['from']).toBe(list['from'])
      const { url } = await send('POST', '/v1/obligations/calendar', key)
      const calendar = await exports.default.fetch(String(url), {
        headers: { 'CF-Connecting-IP': newAddress() },
      })
      const text = await calendar.text()
      for (const period of overdue(duesOf(list))) expect(text).toContain(`-${period}@`)
      return { list, periods: overdue(duesOf(list)) }
    }
    const { list, periods } = await read()
    expect(periods[0]).toBe(first)
    expect(periods.length).toBeGreaterThanOrEqual(9)
    expect(duesOf(list)[0]).toMatchObject({ so_far: [{ currency: 'USD', tax_amount: 625 }] })
    await send('POST', '/v1/returns', key, { type: 'us_state', jurisdiction_id: 'US-TX', period: first })
    expect((await read()).periods).toEqual(periods.slice(1))
    const window = await send('GET', `/v1/obligations?from=${first}-01&to=${first}-28`, key)
    expect(duesOf(window)).toMatchObject([{ status: 'overdue' }])
  })

  it('begins with the books: no return of days before the first sale and the account', async () => {
    const { account_id, key } = await newAccount()
    await send('PUT', '/v1/account', key, { country: 'US', region: 'TX', time_zone: 'UTC' })
    const place = { jurisdiction_id: 'US-TX', filing_frequency: 'monthly', valid_from: '1990-01-01' }
    await send('POST', '/v1/registrations', key, place)
    const overdue = async () =>
      duesOf(await send('GET', '/v1/obligations', key)).filter(({ status }) => status === 'overdue')
    expect(await overdue()).toEqual([])
    const age = (created_at: string) =>
      env.DB.prepare('UPDATE accounts SET created_at = ? WHERE id = ?').bind(created_at, account_id).run()
    const made = new Date(Date.now() - 200 * 86_400_000).toISOString()
    await age(made)
    expect((await overdue())[0]).toMatchObject({ period: made.slice(0, 7) })
    await age('1995-01-15T00:00:00.000Z')
    const list = await send('GET', '/v1/obligations?limit=1', key)
    // Nothing but a filing or a decision ends one, however old it is.
    expect(duesOf(list)).toMatchObject([{ period: '1995-01', status: 'overdue' }])
    expect(list['total']).toBeGreaterThan(30 * 12)
  })

  it('is filed by returns of its months, where the frequency changed', async () => {
    const { key, first } = await oldSeller()
    const due = async () => duesOf(await send('GET', '/v1/obligations?limit=100', key))
    const quarter = `${first.slice(0, 4)}-Q${Math.ceil(Number(first.slice(5)) / 3)}`
    for (const { period, status } of await due())
      if (status === 'overdue')
        await send('POST', '/v1/returns', key, { type: 'us_state', jurisdiction_id: 'US-TX', period })
    const [registration] = (await send('GET', '/v1/registrations', key))['registrations'] as Body[]
    await send('PUT', `/v1/registrations/${String(registration?.['id'])}`, key, {
      filing_frequency: 'quarterly',
    })
    const left = (await due()).filter(({ status }) => status === 'overdue').map(({ period }) => period)
    // The first quarter begins before the books, and its first months were never filed here.
    expect(left.filter((period) => period !== quarter)).toEqual([])
  })
})

describe('the calendar address', () => {
  const read = (link: string) =>
    exports.default.fetch(new URL(link, 'https://service.test').href, {
      headers: { 'CF-Connecting-IP': newAddress() },
    })

  it('is read without a key by a calendar program, and contains no amounts', async () => {
    const { key } = await seller()
    const { url } = await send('POST', '/v1/obligations/calendar', key)
    expect(url).toMatch(/^https:\/\/service\.test\/calendar\/[\w-]{32}\.ics$/)
    const answer = await read(String(url))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe('text/calendar; charset=utf-8')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    const text = await answer.text()
    const calendar = new ICAL.Component(ICAL.parse(text))
    const events = calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each))
    expect(events.length).toBeGreaterThanOrEqual(5)
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length)
    expect(events.map(({ summary }) => summary)).toContainEqual(
      expect.stringMatching(/^Due: return for the One Stop Shop, /),
    )
    expect(text).not.toContain('2000')
  })

  it('stops when it is replaced or revoked', async () => {
    const { key } = await seller()
    const first = await send('POST', '/v1/obligations/calendar', key)
    const second = await send('POST', '/v1/obligations/calendar', key)
    expect((await read(String(first['url']))).status).toBe(404)
    expect((await read(String(second['url']))).status).toBe(200)
    expect(await send('GET', '/v1/obligations/calendar', key)).toMatchObject({
      created_at: second['created_at'],
    })
    await send('DELETE', '/v1/obligations/calendar', key)
    expect((await read(String(second['url']))).status).toBe(404)
    expect(await send('GET', '/v1/obligations/calendar', key)).toMatchObject({ created_at: null })
    expect((await call('DELETE', '/v1/obligations/calendar', { key })).status).toBe(404)
  })

  it('is stored as a hash, and is not in the answer of a repeated request', async () => {
    const { key, account_id } = await seller()
    const headers = { 'Idempotency-Key': 'calendar' }
    const { body } = await call('POST', '/v1/obligations/calendar', { key, headers })
    const token = String(body['url']).slice('https://service.test/calendar/'.length, -'.ics'.length)
    const again = await call('POST', '/v1/obligations/calendar', { key, headers })
    expect(again.body).toMatchObject({ url: null, created_at: body['created_at'] })
    const stored = await env.DB.batch([
      env.DB.prepare('SELECT * FROM calendar_feeds WHERE account_id = ?').bind(account_id),
      env.DB.prepare('SELECT * FROM idempotency_keys WHERE account_id = ?').bind(account_id),
      env.DB.prepare('SELECT * FROM audit_events WHERE account_id = ?').bind(account_id),
    ])
    expect(stored.map(({ results }) => results.length)).not.toContain(0)
    expect(JSON.stringify(stored)).not.toContain(token)
  })

  it('is not found for other paths', async () => {
    for (const path of ['/calendar/x.ics', `/calendar/${'a'.repeat(32)}.ics`, `/calendar/${'a'.repeat(32)}`])
      expect((await read(path)).status).toBe(404)
  })
})

describe('the event return.overdue', () => {
  const overdue = async (account_id: string) =>
    (
      await env.DB.prepare(
        "SELECT data FROM events WHERE type = 'return.overdue' AND owner_account_id = ? ORDER BY id",
      )
        .bind(account_id)
        .all<{ data: string }>()
    ).results.map(({ data }) => JSON.parse(data) as Body)

  it('comes once, in the night after the last day of a return that is not filed', async () => {
    const { account_id, oss } = await seller()
    await announceReturns(env.DB, shard0, new Date('2026-04-30T03:17:00Z'), true)
    expect(await overdue(account_id)).toEqual([])
    for (const day of ['01', '02', '09'])
      await announceReturns(env.DB, shard0, new Date(`2026-05-${day}T03:17:00Z`), true)
    expect(await overdue(account_id)).toMatchObject([
      { registration_id: oss, period: '2026-Q1', last_date: '2026-04-30' },
    ])
    const other = await seller()
    await file(other.key)
    await announceReturns(env.DB, shard0, new Date('2026-05-01T03:17:00Z'), true)
    expect(await overdue(other.account_id)).toEqual([])
  })

  it('does not come for days before the books', async () => {
    const { account_id, key } = await newAccount()
    await send('PUT', '/v1/account', key, { country: 'DE', time_zone: 'UTC' })
    await send('POST', '/v1/registrations', key, { scheme: 'oss_union', valid_from: '2020-01-01' })
    await announceReturns(env.DB, shard0, new Date('2026-05-01T03:17:00Z'), true)
    expect(await overdue(account_id)).toEqual([])
  })
})

describe('the event return.due', () => {
  const due = async (account_id: string) =>
    (
      await env.DB.prepare(
        "SELECT data FROM events WHERE type = 'return.due' AND owner_account_id = ? ORDER BY id",
      )
        .bind(account_id)
        .all<{ data: string }>()
    ).results.map(({ data }) => JSON.parse(data) as Body)

  it('comes once for a return that two registrations of a place have, one after the other', async () => {
    const { account_id, key } = await newAccount()
    await send('PUT', '/v1/account', key, { country: 'DE', time_zone: 'UTC' })
    for (const days of [
      { valid_from: '2020-01-01', valid_to: '2026-02-10' },
      { valid_from: '2026-02-20', valid_to: null },
    ])
      await send('POST', '/v1/registrations', key, { jurisdiction_id: 'GB', ...days })
    await announceReturns(env.DB, shard0, new Date('2026-05-05T03:17:00Z'), true)
    expect(await due(account_id)).toMatchObject([{ jurisdiction_id: 'GB', period: '2026-Q1' }])
  })

  it('comes once, 7 days before a return that is not filed is due', async () => {
    const { account_id, oss } = await seller()
    await announceReturns(env.DB, shard0, new Date('2026-04-22T03:17:00Z'), true)
    expect(await due(account_id)).toEqual([])
    for (const day of ['23', '24', '30'])
      await announceReturns(env.DB, shard0, new Date(`2026-04-${day}T03:17:00Z`), true)
    expect(await due(account_id)).toEqual([
      {
        document: 'return',
        registration_id: oss,
        jurisdiction_id: null,
        scheme: 'oss_union',
        type: 'oss_union',
        period: '2026-Q1',
        from_date: '2026-01-01',
        to_date: '2026-03-31',
        due_date: '2026-04-30',
        last_date: '2026-04-30',
      },
    ])
  })

  it('comes also to those behind a page of others: the next tick goes on where the night ended', async () => {
    const night = new Date('2026-04-25T03:17:00Z')
    const others = Array.from({ length: 25 }, (_, index) => ({ id: `reg_before_${index}` }))
    const { account_id: first } = await seller()
    await env.DB.prepare(
      `INSERT INTO registrations (id, account_id, jurisdiction_id, valid_from, created_at, updated_at)
       SELECT value ->> 'id', ?2, 'US-TX', '2020-01-01', '', '' FROM json_each(?1)`,
    )
      .bind(JSON.stringify(others), first)
      .run()
    const { account_id } = await seller()
    await announceReturns(env.DB, shard0, night, true, 1)
    expect(await due(account_id)).toEqual([])
    for (let ticks = 0; ticks < 100 && (await due(account_id)).length === 0; ticks += 1)
      await announceReturns(env.DB, shard0, night, false, 1)
    expect(await due(account_id)).toHaveLength(1)
    const cursor = () =>
      env.DB.prepare("SELECT after FROM job_cursors WHERE name = 'announceReturns'").first('after')
    for (let ticks = 0; ticks < 100 && (await cursor()) !== null; ticks += 1)
      await announceReturns(env.DB, shard0, night, false, 1)
    expect(await cursor()).toBeNull()
  })

  it('is not written while the books move', async () => {
    const { account_id } = await seller()
    const night = new Date('2026-04-25T03:17:00Z')
    const writeHome = (home: string) =>
      env.DB.prepare('UPDATE accounts SET home = ? WHERE id = ?').bind(home, account_id).run()
    await writeHome('closing')
    await announceReturns(env.DB, shard0, night, true)
    expect(await due(account_id)).toEqual([])
    await writeHome('open')
    await announceReturns(env.DB, shard0, night, true)
    expect(await due(account_id)).toHaveLength(1)
  })

  it('does not come if the return is filed', async () => {
    const { key, account_id } = await seller()
    await file(key)
    await announceReturns(env.DB, shard0, new Date('2026-04-25T03:17:00Z'), true)
    expect(await due(account_id)).toEqual([])
  })
})

describe('a registration that filed returns rest on', () => {
  it('can be ended after the period, and neither deleted nor moved away from it', async () => {
    const { key, oss, home } = await seller()
    const filed = await file(key)
    const path = `/v1/registrations/${oss}`
    const refused = await call('DELETE', path, { key })
    expect(refused).toMatchObject({ status: 400, body: { reason: 'registration_in_use' } })
    expect(String(refused.body['message'])).toContain(String(filed['id']))
    for (const body of [{ valid_from: '2026-04-01' }, { valid_to: '2025-12-31' }, { scheme: 'ioss' }])
      expect((await call('PUT', path, { key, body })).body['reason']).toBe('registration_in_use')
    expect(refused.body['message']).toContain('end it with valid_to, 2026-01-01 or later')
    for (const valid_to of ['2026-06-30', '2026-01-01'])
      expect(await send('PUT', path, key, { valid_to })).toMatchObject({ valid_to })
    await send('DELETE', `/v1/registrations/${home}`, key)
    await send('POST', `/v1/returns/${String(filed['id'])}/reopen`, key, { reason: 'again' })
    await send('DELETE', path, key)
  })
})
