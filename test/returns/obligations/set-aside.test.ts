import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { announceReturns } from '../../../src/returns/obligations/announce.ts'
import { created } from '../../sales/transactions/sales.ts'
import { newAccount } from '../../support/account.ts'
import { call, newAddress, send as ask } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { callWith, withDatabase } from '../../faults/faulty.ts'
import { keepAccountsIn } from '../../support/shards.ts'

await loadTestData()
const shard0 = keepAccountsIn(0)

type Body = Record<string, unknown>
type Due = { id: string; period: string; status: string; set_aside: Body | null; last_date: string }

const send = async (method: string, path: string, key: string, body?: object): Promise<Body> => {
  const answer = await call(method, path, { key, ...(body !== undefined && { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const listed = async (key: string, query = 'limit=100') => {
  const body = await send('GET', `/v1/obligations?${query}`, key)
  return { ...body, obligations: body['obligations'] as Due[] } as Body & { obligations: Due[] }
}
const put = (key: string, id: string, set_aside: string | null) =>
  send('PUT', `/v1/obligations/${id}`, key, { set_aside })

const sale = (region: string, postal_code: string, transaction_date: string) => ({
  seller: { country: 'US', region: 'TX', registrations: ['US-TX', 'US-FL'] },
  customer: { address: { country: 'US', region, postal_code } },
  currency: 'USD',
  transaction_date,
  line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
})

/** A monthly seller of Texas and Florida whose books begin in January of 2023. */
async function seller() {
  const account = await newAccount()
  const { key } = account
  await send('PUT', '/v1/account', key, { country: 'US', region: 'TX', time_zone: 'UTC' })
  for (const jurisdiction_id of ['US-TX', 'US-FL'])
    await send('POST', '/v1/registrations', key, {
      jurisdiction_id,
      filing_frequency: 'monthly',
      valid_from: '2010-01-01',
    })
  await created(key, sale('TX', '78701', '2023-01-10'))
  return account
}

const JANUARY = 'obl_US-TX_2023-01'

describe('a return that is not filed', () => {
  it('stays in all views however old it is, until it is set aside', async () => {
    const { key, account_id } = await seller()
    const list = await listed(key)
    expect(list.obligations[0]).toMatchObject({ id: JANUARY, document: 'return', status: 'overdue' })
    expect(list['from']).toBe('2023-01-10')
    const { overdue } = list['counts'] as Record<string, number>
    expect(overdue).toBeGreaterThan(2 * 40)
    const { account, returns } = (await send('GET', '/v1/overview', key)) as Record<string, Body>
    expect(returns).toMatchObject({ overdue, to_file_of: overdue })
    const { first } = returns as { first: Due[] }
    expect(first[0]).toMatchObject({ id: JANUARY })
    for (const { attention } of [account, await send('GET', '/v1/account', key)] as Body[])
      expect(attention).toContainEqual({
        reason: 'returns_overdue',
        resource_id: account_id,
        message: expect.stringContaining(`${overdue} returns are overdue, the oldest since 2023-02-2`),
        since: expect.stringMatching(/^2023-02-2\dT00:00:00.000Z$/),
      })
    await put(key, JANUARY, 'Filed on paper')
    const after = await listed(key)
    expect(after.obligations[0]).toMatchObject({ id: 'obl_US-FL_2023-01' })
    expect(after['counts']).toMatchObject({ overdue: Number(overdue) - 1, set_aside: 1 })
    expect((await send('GET', '/v1/overview', key))['returns']).toMatchObject({
      overdue: Number(overdue) - 1,
    })
    const { url } = await send('POST', '/v1/obligations/calendar', key)
    const feed = await exports.default.fetch(String(url), {
      headers: { 'CF-Connecting-IP': newAddress() },
    })
    const text = await feed.text()
    expect(text).not.toMatch(/SUMMARY:Due: return of Texas\\, 2023-01\r/)
    expect(text).toMatch(/SUMMARY:Due: return of Florida[^\r]*2023-01\r/)
  })

  it('is set aside with a reason, by whom and when, and taken back; both are in the audit log', async () => {
    const { key, key_id } = await seller()
    expect(await put(key, JANUARY, 'Filed on paper')).toMatchObject({
      id: JANUARY,
      status: 'set_aside',
      set_aside: { reason: 'Filed on paper', set_aside_by: key_id, counts: true },
      so_far: [{ currency: 'USD', tax_amount: 625 }],
    })
    expect((await listed(key, 'status=set_aside')).obligations).toMatchObject([{ id: JANUARY }])
    await put(key, JANUARY, 'Filed on paper')
    await put(key, JANUARY, 'Filed with the old provider')
    expect(await put(key, JANUARY, null)).toMatchObject({ status: 'overdue', set_aside: null })
    await put(key, JANUARY, null)
    expect((await listed(key, 'status=set_aside')).obligations).toEqual([])
    const { audit_events } = await send('GET', `/v1/audit-events?resource_id=${JANUARY}`, key)
    expect(audit_events).toMatchObject([
      { action: 'obligation.taken_back', key_id },
      { action: 'obligation.set_aside', key_id, changed: ['reason'] },
      { action: 'obligation.set_aside', key_id, changed: ['state', 'reason', 'late'] },
    ])
  })

  it('names the earliest unfiled period that the list names, also after years', async () => {
    const { key } = await seller()
    const id = 'obl_US-TX_2026-01'
    const found = (await listed(key, 'status=overdue&limit=100&offset=60')).obligations.find(
      (each) => each.id === id,
    )
    expect(found).toMatchObject({ earlier_unfiled: '2023-01' })
    expect(await put(key, id, 'Filed on paper')).toMatchObject({ earlier_unfiled: '2023-01' })
    // The books begin in January of 2023.
    expect(await put(key, JANUARY, 'Filed on paper')).toMatchObject({ earlier_unfiled: null })
  })

  it('is at most fifty years old, also if the year of a sale is wrong', async () => {
    const { key } = await newAccount()
    await send('PUT', '/v1/account', key, { country: 'US', region: 'TX', time_zone: 'UTC' })
    await send('POST', '/v1/registrations', key, {
      jurisdiction_id: 'US-TX',
      filing_frequency: 'monthly',
      valid_from: '0001-01-01',
    })
    await created(key, {
      ...sale('TX', '78701', '0500-01-01'),
      seller: { country: 'US', region: 'TX', registrations: ['US-TX'] },
      // The data has no rates of this country, and so no first day.
      customer: { address: { country: 'ZW' } },
    })
    const list = await listed(key)
    const { overdue } = list['counts'] as Record<string, number>
    expect(overdue).toBeGreaterThan(50 * 12 - 3)
    expect(overdue).toBeLessThan(50 * 12 + 3)
    expect(new Date().getUTCFullYear() - Number(String(list['from']).slice(0, 4))).toBeLessThan(52)
  })

  it('is not found in the first and the last years of the calendar', async () => {
    const { key } = await seller()
    for (const period of ['0000-01', '0000', '0001-Q1', '9998-12', '9999-12..9999-12']) {
      const answer = await call('PUT', `/v1/obligations/obl_US-TX_${period}`, {
        key,
        body: { set_aside: 'Filed on paper' },
      })
      expect(answer.status, answer.text).toBe(404)
    }
  })

  it('is set aside once by two callers at once, and one decision holds', async () => {
    const { key } = await seller()
    const reasons = ['One', 'Two', 'Three', 'Four']
    const answers = await Promise.all(
      reasons.map((set_aside) => call('PUT', `/v1/obligations/${JANUARY}`, { key, body: { set_aside } })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const [found] = (await listed(key, 'status=set_aside')).obligations
    expect(reasons).toContain(found?.set_aside?.['reason'])
    await Promise.all([put(key, JANUARY, null), put(key, JANUARY, null)])
    expect((await listed(key, 'status=set_aside')).obligations).toEqual([])
  })

  it('comes back if a sale or a refund that it concerns is recorded later', async () => {
    const { key } = await seller()
    const { body: first } = await call('POST', '/v1/transactions', {
      key,
      body: sale('TX', '78701', '2023-02-10'),
    })
    const ids = ['obl_US-TX_2023-02', 'obl_US-FL_2023-02', 'obl_US-TX_2023-03']
    for (const id of ids) await put(key, id, 'Filed elsewhere')
    await created(key, sale('FL', '32301', '2023-02-11'))
    const statusOf = async (id: string) =>
      (await listed(key, 'from=2023-01-01&to=2023-12-31&limit=100')).obligations.find(
        (each) => each.id === id,
      )
    // A sale of Florida does not concern Texas.
    expect(await statusOf('obl_US-TX_2023-02')).toMatchObject({ status: 'set_aside' })
    expect(await statusOf('obl_US-FL_2023-02')).toMatchObject({
      status: 'overdue',
      set_aside: { reason: 'Filed elsewhere', counts: false },
    })
    expect((await listed(key)).obligations.map(({ id }) => id)).toContain('obl_US-FL_2023-02')
    await put(key, 'obl_US-FL_2023-02', 'Filed elsewhere')
    expect(await statusOf('obl_US-FL_2023-02')).toMatchObject({
      status: 'set_aside',
      set_aside: { counts: true },
    })
    await send('POST', `/v1/transactions/${String(first['id'])}/refund`, key, {
      amount: 100,
      reason: 'Returned',
      refunded_at: '2023-03-05T00:00:00Z',
    })
    expect(await statusOf('obl_US-TX_2023-03')).toMatchObject({ status: 'overdue' })
  })

  it('covers no sale that is recorded while it is set aside', async () => {
    const { key } = await seller()
    const body = { set_aside: 'Filed elsewhere' }
    let sales = 1
    for (let moment = 1; ; moment += 1) {
      let trips = 0
      const bindings = withDatabase(async (trip) => {
        trips += 1
        if (trips === moment) await created(key, sale('TX', '78701', `2023-01-1${moment % 9}`))
        return trip()
      })
      const answer = await callWith(bindings, key, {
        method: 'PUT',
        path: `/v1/obligations/${JANUARY}`,
        body,
      })
      if (trips < moment) break
      sales += 1
      expect(answer.status, answer.text).toBe(200)
      const found = (await listed(key, 'from=2023-01-01&to=2023-04-30&limit=100')).obligations.find(
        ({ id }) => id === JANUARY,
      )
      // What was decided on has the sale, or the decision counts no more.
      if (found?.status === 'set_aside')
        expect(answer.body).toMatchObject({ so_far: [{ tax_amount: sales * 625 }] })
      await put(key, JANUARY, null)
    }
    expect(sales).toBeGreaterThan(5)
  })

  it('is not set aside if it is filed; a filing ends that, also after it is reopened', async () => {
    const { key } = await seller()
    await put(key, JANUARY, 'Filed elsewhere')
    const filed = await send('POST', '/v1/returns', key, {
      type: 'us_state',
      jurisdiction_id: 'US-TX',
      period: '2023-01',
    })
    const { status, body } = await call('PUT', `/v1/obligations/${JANUARY}`, {
      key,
      body: { set_aside: 'Twice' },
    })
    expect([status, body['reason']]).toEqual([400, 'period_already_filed'])
    await send('POST', `/v1/returns/${String(filed['id'])}/reopen`, key, { reason: 'A mistake' })
    expect((await listed(key)).obligations[0]).toMatchObject({
      id: JANUARY,
      status: 'overdue',
      set_aside: null,
    })
  })

  it('comes back if a sale that it concerns is deleted', async () => {
    const { key } = await seller()
    await send('PUT', '/v1/account', key, { taxjar_api: { enabled: true } })
    const order = {
      transaction_id: 'A1',
      transaction_date: '2023-02-10',
      to_country: 'US',
      to_zip: '78701',
      to_state: 'TX',
      amount: 100,
      shipping: 0,
      sales_tax: 6.25,
      line_items: [{ id: 1, quantity: 1, unit_price: 100, sales_tax: 6.25 }],
    }
    expect(await ask('POST', '/v2/transactions/orders', { key, body: order })).toMatchObject({ status: 201 })
    const [texas, florida] = ['obl_US-TX_2023-02', 'obl_US-FL_2023-02']
    for (const id of [texas, florida]) await put(key, id, 'Filed elsewhere')
    expect(await ask('DELETE', '/v2/transactions/orders/A1', { key })).toMatchObject({ status: 200 })
    const { obligations } = await listed(key, 'from=2023-01-01&to=2023-12-31&limit=100')
    expect(obligations.find(({ id }) => id === texas)).toMatchObject({
      status: 'overdue',
      set_aside: { reason: 'Filed elsewhere', counts: false },
    })
    expect(obligations.find(({ id }) => id === florida)).toMatchObject({ status: 'set_aside' })
  })

  it('is set aside for a quarter by its months, where the frequency changed', async () => {
    const { key } = await seller()
    for (const month of ['01', '02', '03']) await put(key, `obl_US-TX_2023-${month}`, 'Filed elsewhere')
    const { registrations } = await send('GET', '/v1/registrations', key)
    const texas = (registrations as Body[]).find((each) => each['jurisdiction_id'] === 'US-TX')
    await send('PUT', `/v1/registrations/${String(texas?.['id'])}`, key, { filing_frequency: 'quarterly' })
    const { obligations } = await listed(key, 'status=set_aside')
    expect(obligations).toMatchObject([{ id: 'obl_US-TX_2023-Q1', set_aside: null }])
  })

  it('is named by an id of its own account, with a reason', async () => {
    const { key } = await seller()
    for (const id of ['obl_US-NY_2023-01', 'obl_US-TX_2023-13', 'obl_US-TX_9999-12', 'ret_1', 'obl_US-TX_x'])
      expect((await call('PUT', `/v1/obligations/${id}`, { key, body: { set_aside: 'x' } })).status, id).toBe(
        404,
      )
    for (const body of [{}, { set_aside: '' }, { set_aside: 5 }, { set_aside: 'x'.repeat(501) }]) {
      const answer = await call('PUT', `/v1/obligations/${JANUARY}`, { key, body })
      expect([answer.status, answer.body['errors']]).toMatchObject([400, [{ path: 'set_aside' }]])
    }
    const unknown = await call('GET', '/v1/obligations?status=late', { key })
    expect([unknown.status, unknown.body['errors']]).toMatchObject([400, [{ path: 'status' }]])
  })
})

it('announces no return that is set aside', async () => {
  const { key, account_id } = await seller()
  const { obligations } = await listed(key, 'status=overdue&limit=100&offset=60')
  const last = obligations.findLast(({ id }) => id.startsWith('obl_US-TX'))
  const night = new Date(`${last?.last_date ?? ''}T00:00:00Z`)
  night.setUTCDate(night.getUTCDate() + 2)
  const announced = async () => {
    await announceReturns(env.DB, shard0, night, true)
    const { results } = await shard0.books
      .prepare(`SELECT data FROM events WHERE owner_account_id = ? AND type = 'return.overdue'`)
      .bind(account_id)
      .all<{ data: string }>()
    return results.map(({ data }) => String(JSON.parse(data).jurisdiction_id))
  }
  await put(key, last?.id ?? '', 'Filed elsewhere')
  const places = await announced()
  expect(places).toContain('US-FL')
  expect(places).not.toContain('US-TX')
  await put(key, last?.id ?? '', null)
  expect(await announced()).toContain('US-TX')
})

it('tells of earlier periods that are not filed, in the figures, in the filing and in the list', async () => {
  const { key } = await seller()
  const february = { type: 'us_state', jurisdiction_id: 'US-TX', period: '2023-02' }
  const said = 'Not filed yet: of this return 2023-01 is open. '
  const figures = await send('GET', `/v1/reports/filing?${new URLSearchParams(february).toString()}`, key)
  expect(figures['notes']).toContainEqual(expect.stringContaining(said))
  const march = await send(
    'GET',
    `/v1/reports/filing?${new URLSearchParams({ ...february, period: '2023-03' }).toString()}`,
    key,
  )
  expect(march['notes']).toContainEqual(expect.stringContaining('2023-01 and 1 later'))
  const earlierOf = async () =>
    (await listed(key, 'limit=100')).obligations
      .filter(({ id }) => /^obl_US-TX_2023-0[123]$/.test(id))
      .map((each) => [each.period, (each as Body)['earlier_unfiled']])
  expect(await earlierOf()).toEqual([
    ['2023-01', null],
    ['2023-02', '2023-01'],
    ['2023-03', '2023-01'],
  ])
  const filed = await send('POST', '/v1/returns', key, february)
  expect((filed['figures'] as Body)['notes']).toContainEqual(expect.stringContaining(said))
  await put(key, JANUARY, 'Filed elsewhere')
  expect(await earlierOf()).toEqual([['2023-03', null]])
  const last = await send('POST', '/v1/returns', key, { ...february, period: '2023-03' })
  expect((last['figures'] as { notes: string[] }).notes.join()).not.toContain('Not filed yet')
})

it('are thousands in imported books: the list and the overview stay within bounds', async () => {
  const { key, account_id } = await seller()
  await env.DB.prepare('UPDATE accounts SET created_at = ? WHERE id = ?')
    .bind('1980-01-15T00:00:00.000Z', account_id)
    .run()
  const places = ['US-GA', 'US-WA', 'US-NC', 'US-OH', 'US-MN', 'US-IN', 'US-AZ', 'US-UT', 'US-WI', 'US-KY']
  for (const jurisdiction_id of places)
    await send('POST', '/v1/registrations', key, {
      jurisdiction_id,
      filing_frequency: 'monthly',
      valid_from: '1980-01-01',
    })
  const page = await listed(key, 'status=overdue&limit=100&offset=4900')
  const { overdue } = page['counts'] as Record<string, number>
  expect(overdue).toBeGreaterThan(5_000)
  expect(page).toMatchObject({ total: overdue, has_more: true })
  expect(page.obligations).toHaveLength(100)
  const { returns } = (await send('GET', '/v1/overview', key)) as Record<string, Body>
  expect(returns).toMatchObject({ overdue, to_file_of: 300 })
  expect((returns as { first: Due[] }).first).toHaveLength(100)
})

it('are computed as a whole at most a hundred times in an overview, in its statements of D1', async () => {
  const { key, account_id } = await newAccount()
  await send('PUT', '/v1/account', key, { country: 'GB', time_zone: 'UTC' })
  await send('POST', '/v1/registrations', key, { jurisdiction_id: 'GB', valid_from: '1990-01-01' })
  const months = Array.from({ length: 140 }, (_, index) => {
    const quarter = new Date(Date.UTC(1990, index * 3, 1))
    return quarter.toISOString().slice(0, 7)
  })
  // A sale in another currency in each quarter, so that each return needs its exchange rates.
  await shard0.books
    .prepare(
      `INSERT INTO tax_totals (account_id, span, period, sold_in, jurisdiction_id, place_of_supply, scheme,
         currency, product_type, tax_rate, reason, transactions, net_amount, taxable_amount, tax_amount)
       SELECT ?1, span.value, iif(span.value = 'day', month.value || '-05', month.value), month.value, 'GB', 'GB',
         '', 'EUR', 'saas', 200000, 'standard_rated', 1, 1000, 1000, 200
       FROM json_each(?2) AS month, json_each('["day", "month"]') AS span`,
    )
    .bind(account_id, JSON.stringify(months))
    .run()
  const { returns, missing } = (await send('GET', '/v1/overview', key)) as Record<string, Body>
  expect(missing).toEqual([])
  // The quarters since the last sale need no rates, so they are added up too.
  const overdue = Number(returns?.['overdue'])
  expect(overdue).toBeGreaterThanOrEqual(140)
  expect(returns).toMatchObject({ to_file_of: overdue - 140 + 100 })
})
