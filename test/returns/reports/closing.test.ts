import { describe, expect, it } from 'vitest'
import { verifyReturns } from '../../../scripts/verify/returns.ts'
import { newAccount } from '../../support/account.ts'
import { type Answer, call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { created } from '../../sales/transactions/sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

type Body = Record<string, unknown>

const done = async (answer: Promise<Answer>): Promise<Body> => {
  const { status, text, body } = await answer
  expect(status, text).toBeLessThan(300)
  return body
}
const get = (key: string, path: string) => done(call('GET', path, { key }))
const post = (key: string, path: string, body: object) => done(call('POST', path, { key, body }))
const put = (key: string, path: string, body: object) => done(call('PUT', path, { key, body }))

async function sellerIn(country: string, places: readonly string[]) {
  const account = await newAccount()
  const { key } = account
  await put(key, '/v1/account', { country, time_zone: 'UTC' })
  for (const jurisdiction_id of places)
    await post(key, '/v1/registrations', { jurisdiction_id, valid_from: '2020-01-01' })
  return account
}

const sold = (key: string, address: object, currency: string, transaction_date: string, amount = 10_000) =>
  created(key, {
    customer: { address },
    currency,
    transaction_date,
    line_items: [{ amount, product_type: 'physical_goods' }],
  })

describe('the submission of a return', () => {
  async function kept() {
    const { key, account_id } = await sellerIn('GB', ['GB'])
    await sold(key, { country: 'GB' }, 'GBP', '2026-02-01')
    const filed = await post(key, '/v1/returns', {
      type: 'uk_vat100',
      period: '2026-Q1',
      submission: { state: 'open' },
    })
    return { key, account_id, filed, path: `/v1/returns/${String(filed['id'])}` }
  }
  const obligation = async (key: string) =>
    ((await get(key, '/v1/obligations?from=2026-05-01&to=2026-05-31'))['obligations'] as Body[])[0]

  it('goes from open to paid, and the figures and the hash stay', async () => {
    const { key, account_id, filed, path } = await kept()
    expect(filed).toMatchObject({ status: 'filed', submission: { state: 'open', reviewed_at: null } })
    expect(await obligation(key)).toMatchObject({ status: 'overdue', filed: { state: 'open', day: null } })
    expect(await put(key, `${path}/submission`, { state: 'reviewed' })).toMatchObject({
      submission: { state: 'reviewed', reviewed_by: filed['filed_by'] },
    })
    expect(await obligation(key)).toMatchObject({ status: 'overdue', filed: { state: 'reviewed' } })
    const sent = { state: 'filed', number: 'A-4711', day: '2026-05-04' }
    expect(await put(key, `${path}/submission`, sent)).toMatchObject({
      submission: { ...sent, reviewed_by: filed['filed_by'], payment: null },
    })
    expect(await obligation(key)).toMatchObject({ status: 'filed', filed: { day: '2026-05-04' } })
    const paid = { ...sent, state: 'paid', paid_at: '2026-05-06', payment: 2_040, interest: 40, note: 'late' }
    const last = await put(key, `${path}/submission`, paid)
    expect(last).toMatchObject({ hash: filed['hash'], figures: filed['figures'], submission: paid })
    expect(await get(key, path)).toMatchObject({ submission: paid })
    expect(await get(key, '/v1/returns')).toMatchObject({ returns: [{ submission: paid }] })
    expect(await verifyReturns(books, account_id)).toEqual([])
  })

  it('keeps what a later request leaves out, as far as it goes with the state', async () => {
    const { key, path } = await kept()
    const sent = { state: 'filed', number: 'A-4711', day: '2026-05-04', note: 'By post' }
    await put(key, `${path}/submission`, sent)
    const paid = { state: 'paid', paid_at: '2026-05-06', payment: 2_040 }
    expect(await put(key, `${path}/submission`, paid)).toMatchObject({ submission: { ...sent, ...paid } })
    expect(await put(key, `${path}/submission`, { state: 'reviewed' })).toMatchObject({
      submission: { state: 'reviewed', number: null, day: null, payment: null, note: 'By post' },
    })
  })

  it('is written once if it is sent twice, and each change is in the audit log', async () => {
    const { key, path } = await kept()
    const body = { state: 'filed', number: 'A-4711', day: '2026-05-04' }
    const answers = await Promise.all([1, 2, 3].map(() => put(key, `${path}/submission`, body)))
    expect(new Set(answers.map((each) => (each['submission'] as Body)['updated_at'])).size).toBe(1)
    const { audit_events } = await get(
      key,
      `/v1/audit-events?resource_id=${path.slice('/v1/returns/'.length)}`,
    )
    expect(audit_events).toMatchObject([
      { action: 'return.submission_kept', changed: expect.arrayContaining(['state', 'number', 'day']) },
      { action: 'return.filed' },
    ])
  })

  it.each([
    [{ state: 'filed' }, 'day'],
    [{ state: 'filed', day: '2026-03-30' }, 'day'],
    [{ state: 'filed', day: '2999-01-01' }, 'day'],
    [{ state: 'filed', day: '2026-05-04', payment: 1 }, 'payment'],
    [{ state: 'reviewed', number: 'A' }, 'number'],
    [{ state: 'paid', day: '2026-05-04', paid_at: '2026-05-06' }, 'payment'],
    [{ state: 'paid', day: '2026-05-04', payment: 1 }, 'paid_at'],
    [{ state: 'sent' }, 'state'],
  ])('refuses %o', async (body, path_of_error) => {
    const { key, path } = await kept()
    const answer = await call('PUT', `${path}/submission`, { key, body })
    expect(answer.body).toMatchObject({ reason: 'invalid_request', errors: [{ path: path_of_error }] })
  })

  it('is not for another account', async () => {
    const { path } = await kept()
    const { key } = await newAccount()
    const answer = await call('PUT', `${path}/submission`, { key, body: { state: 'reviewed' } })
    expect(answer.status).toBe(404)
  })

  it('is `filed` without more for a return that was kept without it', async () => {
    const { key } = await sellerIn('GB', ['GB'])
    expect(await post(key, '/v1/returns', { type: 'uk_vat100', period: '2026-Q1' })).toMatchObject({
      submission: { state: 'filed', day: null },
    })
    expect(await obligation(key)).toMatchObject({ status: 'filed', filed: { state: 'filed', day: null } })
  })
})

describe('boxes that sales do not determine', () => {
  const boxesOf = ({ boxes }: Body) =>
    Object.fromEntries((boxes as Record<string, string>[]).map(({ box, amount }) => [box, amount]))

  it('are given, complete the return, and are kept with it', async () => {
    const { key, account_id } = await sellerIn('GB', ['GB'])
    await sold(key, { country: 'GB' }, 'GBP', '2026-02-01')
    const given = { 2: 0, 4: 12_345, 7: 100_099, 9: 0 }
    const open = await get(
      key,
      '/v1/reports/filing?type=uk_vat100&period=2026-Q1&boxes=2:0,4:12345,7:100099,9:0',
    )
    expect(boxesOf(open)).toMatchObject({ 1: 2_000, 2: 0, 3: 2_000, 4: 12_345, 5: -10_345, 7: 100_099 })
    const filed = await post(key, '/v1/returns', {
      type: 'uk_vat100',
      period: '2026-Q1',
      inputs: { boxes: given },
    })
    const figures = filed['figures'] as Body
    expect(figures).toMatchObject({ inputs: { boxes: given } })
    expect(boxesOf(figures)).toEqual(boxesOf(open))
    expect(figures['boxes']).toContainEqual(expect.objectContaining({ box: '7', form_amount: 1_000 }))
    const file = `/v1/returns/${String(filed['id'])}/file?format=hmrc_mtd_json&period_key=18A1&finalised=true`
    expect(await get(key, file)).toMatchObject({ netVatDue: 103.45, totalValuePurchasesExVAT: 1_000 })
    const other = await call('GET', `${file}&box_4=1`, { key })
    expect(other.body).toMatchObject({ reason: 'file_incomplete', errors: [{ path: 'box_4' }] })
    const { results } = await books
      .prepare('SELECT inputs FROM returns WHERE account_id = ?')
      .bind(account_id)
      .all<{ inputs: string }>()
    expect(JSON.parse(results[0]?.inputs ?? '')).toMatchObject({ boxes: given })
    expect(await verifyReturns(books, account_id)).toEqual([])
  })

  it.each([
    ['au_bas', 'AU', 'AUD', { '1B': 400, G11: 4_400 }, { '1A': 1_000, '1B': 400, G10: null }],
    ['ca_gst34', 'CA', 'CAD', { 106: 200 }, { 105: 500, 108: 200, 109: 300 }],
    ['nz_gst101a', 'NZ', 'NZD', { 11: 2_300, 13: 10 }, { 10: 1_500, 12: 300, 14: 310, 15: 1_190 }],
  ])('complete %s', async (type, country, currency, boxes, expected) => {
    const { key } = await sellerIn(country, [country])
    await sold(key, { country, ...(country === 'CA' && { region: 'AB' }) }, currency, '2026-02-01')
    const period = '2026-01..2026-02'
    const filed = await post(key, '/v1/returns', { type, period, inputs: { boxes } })
    expect(boxesOf(filed['figures'] as Body)).toMatchObject(expected)
  })

  it.each([
    ['uk_vat100', { 1: 5 }, '1 cannot be given: give 2, 4, 7, 9'],
    ['oss_union', { 2: 5 }, 'this return has no box to give'],
  ])('are refused for other boxes of %s', async (type, boxes, message) => {
    const { key } = await sellerIn('GB', ['GB'])
    const answer = await call('POST', '/v1/returns', {
      key,
      body: { type, period: '2026-Q1', inputs: { boxes } },
    })
    expect(answer.body).toMatchObject({ reason: 'invalid_request', errors: [{ path: 'boxes', message }] })
  })
})

describe('two versions of a return', () => {
  it('are compared, in the answer of the new one and on request', async () => {
    const { key } = await sellerIn('GB', ['GB'])
    await sold(key, { country: 'GB' }, 'GBP', '2026-02-01')
    const file = (boxes: object) =>
      post(key, '/v1/returns', { type: 'uk_vat100', period: '2026-Q1', inputs: { boxes } })
    const first = await file({ 4: 100 })
    expect(first['comparison']).toBeNull()
    const path = `/v1/returns/${String(first['id'])}`
    await post(key, `${path}/reopen`, { reason: 'An invoice was missing' })
    await sold(key, { country: 'GB' }, 'GBP', '2026-03-01', 5_000)
    const second = await file({ 2: 0, 4: 300 })
    const changes = [
      { part: 'boxes', figure: '1', field: 'amount', before: 2_000, after: 3_000, difference: 1_000 },
      { part: 'boxes', figure: '2', field: 'amount', before: null, after: 0, difference: null },
      { figure: '3', before: null, after: 3_000, difference: null },
      { figure: '4', before: 100, after: 300, difference: 200 },
      { figure: '5', before: null, after: 2_700, difference: null },
      { figure: '6', before: 10_000, after: 15_000, difference: 5_000 },
      { part: 'totals', field: 'taxable_amount', difference: 5_000 },
      { part: 'totals', field: 'tax_amount', difference: 1_000 },
      { part: 'totals', field: 'tax_due', difference: 1_000 },
    ]
    const comparison = { return_id: first['id'], version: 1, changes }
    expect(second).toMatchObject({ version: 2, comparison })
    const of_second = `/v1/returns/${String(second['id'])}`
    expect(await get(key, `${of_second}?compare=1`)).toMatchObject({ comparison })
    expect(await get(key, of_second)).toMatchObject({ comparison: null })
    expect(await get(key, `${path}?compare=2`)).toMatchObject({
      comparison: {
        version: 2,
        changes: expect.arrayContaining([expect.objectContaining({ difference: -200 })]),
      },
    })
    const none = await call('GET', `${path}?compare=3`, { key })
    expect(none.body).toMatchObject({ reason: 'invalid_request', errors: [{ path: 'compare' }] })
  })
})

describe('POST /v1/returns/batch', () => {
  const STATES = ['US-TX', 'US-WA']
  const sellerInTwoStates = async () => {
    const { key } = await sellerIn('US', STATES)
    for (const region of ['TX', 'WA']) await sold(key, { country: 'US', region }, 'USD', '2026-02-01')
    return key
  }

  it('files several states at once, and again only what is left', async () => {
    const key = await sellerInTwoStates()
    const body = { type: 'us_state', period: '2026-02', jurisdiction_ids: STATES }
    await post(key, '/v1/returns', { type: 'us_state', period: '2026-02', jurisdiction_id: 'US-WA' })
    const first = await post(key, '/v1/returns/batch', {
      ...body,
      submission: { state: 'filed', day: '2026-03-20' },
    })
    expect(first['results']).toMatchObject([
      {
        jurisdiction_id: 'US-TX',
        outcome: 'filed',
        return: { row_count: 1, submission: { day: '2026-03-20' } },
        error: null,
      },
      { jurisdiction_id: 'US-WA', outcome: 'already_filed', return: { submission: { day: null } } },
    ])
    expect(await post(key, '/v1/returns/batch', body)).toMatchObject({
      results: [{ outcome: 'already_filed' }, { outcome: 'already_filed' }],
    })
    expect(await get(key, '/v1/returns')).toMatchObject({ total: 2 })
  })

  it('gives each jurisdiction its own error, and replays its answer', async () => {
    const key = await sellerInTwoStates()
    await post(key, '/v1/returns', { type: 'us_state', period: '2026-Q1', jurisdiction_id: 'US-TX' })
    const body = { type: 'us_state', period: '2026-02', jurisdiction_ids: STATES }
    const send = () =>
      call('POST', '/v1/returns/batch', { key, body, headers: { 'Idempotency-Key': 'february' } })
    const answer = await send()
    expect(answer.body['results']).toMatchObject([
      { outcome: 'failed', return: null, error: { reason: 'period_already_filed' } },
      { outcome: 'filed', error: null },
    ])
    expect((await send()).text).toBe(answer.text)
  })

  it.each([
    [{ type: 'uk_vat100', period: '2026-02', jurisdiction_ids: ['GB'] }, 'type'],
    [{ type: 'us_state', period: '2026-02', jurisdiction_ids: ['US-TX', 'US-TX'] }, 'jurisdiction_ids'],
    [{ type: 'us_state', period: '2026-02', jurisdiction_ids: [] }, 'jurisdiction_ids'],
  ])('refuses %o', async (body, path) => {
    const { key } = await newAccount()
    const answer = await call('POST', '/v1/returns/batch', { key, body })
    expect(answer.body).toMatchObject({ reason: 'invalid_request', errors: [{ path }] })
  })
})
