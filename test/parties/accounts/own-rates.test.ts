import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

const VAT_OF_ISRAEL = { rate: 0.18, valid_from: '2025-01-01', source: 'VAT Order of 2024' }

type Answered = Awaited<ReturnType<typeof call>>

async function accountWith(rates: object[] | null, place = 'IL'): Promise<string> {
  const { key } = await newAccount({ tier: 'enterprise' })
  if (rates !== null) expect(await put(key, place, rates)).toMatchObject({ status: 200 })
  return key
}

const put = (key: string, place: string, rates: object[]): Promise<Answered> =>
  call('PUT', `/v1/account/own-rates/${place}`, { key, body: { rates } })

const SALE = {
  customer: { address: { country: 'IL' } },
  currency: 'USD',
  transaction_date: '2026-07-05',
  line_items: [{ product_type: 'streaming', amount: 10_000 }],
}

type Line = { tax_amount: number; tax_rate: number; taxability_reason: string | null; notes: string[] }
type Calculated = {
  tax_amount: number
  line_items: [Line, ...Line[]]
  shipping_cost: Line | null
  decision: object
  meta: object
  trace?: { step: string; rule: string; outcome: string; basis: string | null }[]
}

async function calculated(key: string, more: object = {}): Promise<Calculated> {
  const answer = await call('POST', '/v1/calculate', { key, body: { ...SALE, ...more } })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as Calculated
}

describe('a sale to a place without rates in the data', () => {
  it('has no tax without an own rate, and bears it with one, which each part of the answer says', async () => {
    const before = await calculated(await accountWith(null))
    expect(before).toMatchObject({ tax_amount: 0, line_items: [{ taxability_reason: 'not_supported' }] })
    const key = await accountWith([VAT_OF_ISRAEL])
    const after = await calculated(key, { explain: true })
    expect(after).toMatchObject({
      tax_amount: 1_800,
      jurisdiction_id: 'IL',
      line_items: [
        {
          tax_amount: 1_800,
          tax_rate: 0.18,
          taxability_reason: 'own_rate',
          rule: 'uncertain',
          tax_breakdown: [{ jurisdiction_id: 'IL', tax_type: 'VAT' }],
        },
      ],
      decision: { collect: true, reason: 'own_rate', must_register: false },
      meta: {
        source: 'own rate',
        source_url: null,
        last_verified_at: null,
        reviewed_on: null,
        data_freshness: 'stale',
        stale_record: 'own rate of IL',
      },
    })
    expect(after.line_items[0].notes.join()).toContain('seller’s own rate of 18 % was used')
    expect(after.trace).toContainEqual(
      expect.objectContaining({ step: 'own_rate', outcome: '18 %', basis: 'VAT Order of 2024' }),
    )
  })

  it('takes the rate of the product and of the day, and taxes shipping as its goods', async () => {
    const key = await accountWith([
      { rate: 0.17, valid_from: '2015-10-01', valid_to: '2024-12-31' },
      VAT_OF_ISRAEL,
      { product_type: 'books', rate: 0, valid_from: '2020-01-01' },
    ])
    expect(await calculated(key, { transaction_date: '2024-12-31' })).toMatchObject({ tax_amount: 1_700 })
    expect(await calculated(key, { transaction_date: '2015-09-30' })).toMatchObject({
      line_items: [{ taxability_reason: 'not_supported' }],
    })
    const mixed = await calculated(key, {
      line_items: [
        { product_type: 'books', amount: 10_000 },
        { product_type: 'physical_goods', amount: 10_000 },
      ],
      shipping_cost: { amount: 1_000 },
    })
    expect(mixed.line_items).toMatchObject([
      { tax_amount: 0, taxability_reason: 'own_rate' },
      { tax_amount: 1_800, taxability_reason: 'own_rate' },
    ])
    expect(mixed.shipping_cost).toMatchObject({ tax_amount: 90 })
    const gross = { line_items: [{ product_type: 'streaming', amount: 11_800 }], tax_behavior: 'inclusive' }
    expect(await calculated(key, gross)).toMatchObject({ tax_amount: 1_800, total: 11_800 })
  })

  it('has no own rate if a marketplace makes the sale, or the request says that it bears no tax', async () => {
    const key = await accountWith([VAT_OF_ISRAEL])
    for (const more of [
      { marketplace: { role: 'facilitated' } },
      { seller_registered: false },
      // Not the seller of the account.
      { seller: { country: 'CH' } },
    ])
      expect(await calculated(key, more), JSON.stringify(more)).toMatchObject({ tax_amount: 0 })
  })

  it('bears it too where the law of the seller calls it an export', async () => {
    const key = await accountWith(null)
    const profile = { name: 'Acme', country: 'DE', time_zone: 'UTC' }
    expect((await call('PUT', '/v1/account', { key, body: profile })).status).toBe(200)
    const goods = { line_items: [{ product_type: 'physical_goods', amount: 10_000 }], explain: true }
    expect(await calculated(key, goods)).toMatchObject({ line_items: [{ taxability_reason: 'export' }] })
    await put(key, 'IL', [VAT_OF_ISRAEL])
    const answer = await calculated(key, goods)
    expect(answer).toMatchObject({
      tax_amount: 1_800,
      jurisdiction_id: 'IL',
      line_items: [{ taxability_reason: 'own_rate' }],
    })
    expect(answer.trace?.map(({ step }) => step)).toContain('place_of_origin')
    expect(answer.line_items[0].notes.join()).toContain('are exempt as an export (Directive')
    expect(answer.line_items[0].notes.join()).not.toContain('No tax was computed')
  })

  it('leaves what is on file as it is, also in a country of which a part is', async () => {
    const key = await accountWith([{ rate: 0.09, valid_from: '2020-01-01' }], 'TW')
    const profile = { name: 'Acme', country: 'US', region: 'NY', time_zone: 'UTC' }
    expect((await call('PUT', '/v1/account', { key, body: profile })).status).toBe(200)
    const sold = (product_type: string) => ({
      customer: { address: { country: 'TW' } },
      seller_registered: true,
      line_items: [{ product_type, amount: 10_000 }],
    })
    expect(await calculated(key, sold('streaming'))).toMatchObject({
      line_items: [{ tax_rate: 0.05, taxability_reason: null }],
    })
    expect(await calculated(key, sold('professional_services'))).toMatchObject({
      line_items: [{ tax_rate: 0.09, taxability_reason: 'own_rate' }],
    })
  })
})

describe('a recorded sale with an own rate', () => {
  it('keeps it, is mirrored by its refund after the rate is gone, and is marked in the summary', async () => {
    const key = await accountWith([VAT_OF_ISRAEL])
    const sale = await call('POST', '/v1/transactions', { key, body: SALE })
    expect(sale.status, sale.text).toBe(201)
    expect(sale.body).toMatchObject({ tax_amount: 1_800, line_items: [{ taxability_reason: 'own_rate' }] })
    const germany = { ...SALE, customer: { address: { country: 'DE' } } }
    expect((await call('POST', '/v1/transactions', { key, body: germany })).status).toBe(201)
    expect((await call('DELETE', '/v1/account/own-rates/IL', { key })).status).toBe(200)
    const path = `/v1/transactions/${String(sale.body['id'])}/refund`
    const body = { amount: 5_900, reason: 'Returned', refunded_at: '2026-07-06T12:00:00Z' }
    const refund = await call('POST', path, { key, body })
    expect(refund.status, refund.text).toBe(200)
    expect(refund.body).toMatchObject({ tax_refunded: 900 })
    const report = '/v1/reports/summary?from_date=2026-07-01&to_date=2026-07-31'
    const summary = await call('GET', report, { key })
    expect(summary.body['rows']).toMatchObject([
      { jurisdiction_id: 'DE' },
      { jurisdiction_id: 'IL', tax_collected: 1_800, tax_refunded: 900, own_rate: true },
    ])
    expect((summary.body['rows'] as object[])[0]).not.toHaveProperty('own_rate')
    const csv = await exports.default.fetch(
      `https://service.test${report.replace('summary', 'export')}&report=summary`,
      { headers: { Authorization: `Bearer ${key}` } },
    )
    expect((await csv.text()).split('\r\n')[0]).toContain(',own_rate')
  })

  it('is recorded from its calculation with the tax that was calculated', async () => {
    const key = await accountWith([VAT_OF_ISRAEL])
    const calculation = await calculated(key)
    const body = { calculation, customer: SALE.customer }
    const sale = await call('POST', '/v1/transactions', { key, body })
    expect(sale.status, sale.text).toBe(201)
    expect(sale.body).toMatchObject({
      jurisdiction_id: 'IL',
      tax_amount: 1_800,
      tax_variance: 0,
      line_items: [{ taxability_reason: 'own_rate' }],
    })
  })
})

describe('the own rates of an account', () => {
  it('are listed, read, replaced as a whole and deleted, in the order of the places', async () => {
    const key = await accountWith([VAT_OF_ISRAEL])
    expect((await put(key, 'br', [{ rate: 0.17, valid_from: '2020-01-01' }])).body).toMatchObject({
      jurisdiction_id: 'BR',
      jurisdiction_name: 'Brazil',
      rates: [{ product_type: null, tax_type: 'VAT', rate: 0.17, valid_to: null, source: null }],
    })
    const list = (query = '') => call('GET', `/v1/account/own-rates${query}`, { key })
    expect((await list('?limit=1')).body).toMatchObject({
      own_rates: [{ jurisdiction_id: 'BR' }],
      total: 2,
      has_more: true,
    })
    await put(key, 'IL', [{ rate: 0.17, valid_from: '2020-01-01', valid_to: '2024-12-31' }])
    expect((await call('GET', '/v1/account/own-rates/IL', { key })).body['rates']).toHaveLength(1)
    expect((await call('DELETE', '/v1/account/own-rates/BR', { key })).body).toMatchObject({ id: 'BR' })
    expect((await call('DELETE', '/v1/account/own-rates/BR', { key })).status).toBe(404)
    expect((await list()).body).toMatchObject({ total: 1 })
    const events = (await call('GET', '/v1/audit-events', { key })).body['audit_events'] as {
      action: string
    }[]
    expect(events.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['own_rates.replaced', 'own_rates.deleted']),
    )
  })

  it('are seen and used by no other account, and a repeated request is answered once', async () => {
    const key = await accountWith([VAT_OF_ISRAEL])
    const stranger = await accountWith(null)
    expect((await call('GET', '/v1/account/own-rates/IL', { key: stranger })).status).toBe(404)
    expect((await call('DELETE', '/v1/account/own-rates/IL', { key: stranger })).status).toBe(404)
    expect((await calculated(stranger)).tax_amount).toBe(0)
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const send = (rate: number) =>
      call('PUT', '/v1/account/own-rates/IL', {
        key,
        headers,
        body: { rates: [{ rate, valid_from: '2026-01-01' }] },
      })
    expect((await send(0.2)).text).toBe((await send(0.2)).text)
    expect((await send(0.3)).text).toContain('idempotency_key_reused')
  })

  it('are refused for a place whose tax is on file, and for rates that are not possible', async () => {
    const key = await accountWith(null)
    const one = { rate: 0.1, valid_from: '2026-01-01' }
    const refusals: [string, object[], string][] = [
      ['DE', [one], 'id'],
      ['US-CA', [one], 'id'],
      ['ZZ', [one], 'id'],
      ['IL', [], 'rates'],
      ['IL', [{ ...one, rate: 1.5 }], 'rates[0].rate'],
      ['IL', [{ ...one, valid_to: '2025-12-31' }], 'rates[0].valid_to'],
      ['IL', [{ ...one, product_type: 'cheese' }], 'rates[0].product_type'],
      ['IL', [one, { ...one, valid_from: '2027-01-01' }], 'rates[1].valid_from'],
      ['IL', Array.from({ length: 21 }, () => one), 'rates'],
    ]
    for (const [place, rates, field] of refusals) {
      const answer = await put(key, place, rates)
      expect(answer.status, answer.text).toBe(400)
      expect(answer.text).toContain(`"${field}"`)
    }
    const places = ['BR', 'AR', 'CN', 'TH', 'IL', 'EG']
    const twenty = Array.from({ length: 20 }, (_, index) => ({
      rate: 0.1,
      valid_from: `${2000 + index}-01-01`,
      valid_to: `${2000 + index}-12-31`,
    }))
    const answers = []
    for (const place of places) answers.push((await put(key, place, twenty)).status)
    expect(answers).toEqual([200, 200, 200, 200, 200, 400])
  })
})

describe('an own rate in place of one of the data', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const UNTIL = inDays(60)
  const replace = (key: string, place: string, rates: object[], more: object = {}) =>
    call('PUT', `/v1/account/own-rates/${place}`, {
      key,
      body: { replaces: true, until: UNTIL, rates, ...more },
    })
  const EBOOKS = { product_type: 'ebooks', rate: 0.08, valid_from: '2026-01-01', source: 'Circular 800' }
  const sold = (country: string, product_type: string, more: object = {}) => ({
    customer: { address: { country } },
    seller_registered: true,
    line_items: [{ product_type, amount: 10_000 }],
    ...more,
  })

  it('is used for its product until its end, with a loud note, and is listed and in need of attention', async () => {
    const key = await accountWith(null)
    const before = await calculated(key, sold('LU', 'ebooks'))
    expect((await replace(key, 'LU', [EBOOKS])).body).toMatchObject({
      jurisdiction_id: 'LU',
      replaces: true,
      until: UNTIL,
      rates: [{ rate: 0.08, tax_type: 'VAT', valid_to: UNTIL }],
    })
    const after = await calculated(key, sold('LU', 'ebooks', { explain: true }))
    expect(after).toMatchObject({
      tax_amount: 800,
      line_items: [{ tax_rate: 0.08, taxability_reason: 'own_rate', rule: 'uncertain' }],
      meta: { source: 'own rate', data_freshness: 'stale' },
    })
    const [note = ''] = after.line_items[0].notes
    expect(note).toMatch(
      /^Attention: the seller’s own rate of 8 % replaces the rate of \d+ % that the data has/,
    )
    expect(note).toContain(`until ${UNTIL}, by Circular 800`)
    expect(after.trace).toContainEqual(expect.objectContaining({ step: 'own_rate', outcome: '8 %' }))
    for (const other of [sold('LU', 'saas'), sold('LU', 'ebooks', { transaction_date: '2025-12-31' })])
      expect((await calculated(key, other)).line_items[0].taxability_reason).not.toBe('own_rate')
    const later = await calculated(key, sold('LU', 'ebooks', { transaction_date: inDays(61) }))
    expect(later.tax_amount).toBe(before.tax_amount)
    const account = await call('GET', '/v1/account', { key })
    expect(account.body['attention']).toContainEqual(
      expect.objectContaining({ reason: 'own_rate_replaces', resource_id: 'LU' }),
    )
    expect((await call('GET', '/v1/account/own-rates', { key })).body).toMatchObject({
      own_rates: [{ jurisdiction_id: 'LU', replaces: true, until: UNTIL }],
    })
    const { audit_events } = (await call('GET', '/v1/audit-events', { key })).body
    expect(audit_events).toContainEqual(
      expect.objectContaining({ action: 'own_rates.replaced', changed: ['rates', 'until'] }),
    )
  })

  it('leaves the rest to the law of the place: registrations, reverse charge, the other tax of a province', async () => {
    const key = await accountWith(null)
    expect((await replace(key, 'DE', [{ rate: 0.2, valid_from: '2026-01-01' }])).status).toBe(200)
    expect(await calculated(key, sold('DE', 'saas'))).toMatchObject({ tax_amount: 2_000 })
    expect(await calculated(key, sold('DE', 'saas', { seller_registered: false }))).toMatchObject({
      tax_amount: 0,
      line_items: [{ taxability_reason: 'not_collecting' }],
    })
    const business = { address: { country: 'DE' }, type: 'business', vat_id: 'DE811569869' }
    const b2b = { customer: business, seller: { country: 'FR' } }
    expect(await calculated(key, sold('DE', 'saas', b2b))).toMatchObject({
      tax_amount: 0,
      line_items: [{ taxability_reason: 'reverse_charge' }],
    })
    expect((await replace(key, 'CA-QC', [{ rate: 0.1, valid_from: '2026-01-01' }])).body).toMatchObject({
      rates: [{ tax_type: 'QST' }],
    })
    const quebec = { customer: { address: { country: 'CA', region: 'QC' } } }
    expect(await calculated(key, sold('CA', 'saas', quebec))).toMatchObject({
      tax_amount: 1_500,
      line_items: [
        {
          tax_breakdown: [
            { tax_type: 'GST', tax_amount: 500 },
            { tax_type: 'QST', tax_amount: 1_000 },
          ],
        },
      ],
    })
  })

  it('of zero frees the product, and is told too', async () => {
    const key = await accountWith(null)
    expect((await replace(key, 'DE', [{ rate: 0, valid_from: '2026-01-01' }])).status).toBe(200)
    expect(await calculated(key, sold('DE', 'saas'))).toMatchObject({
      tax_amount: 0,
      line_items: [{ taxability_reason: 'own_rate' }],
    })
  })

  it('is recorded with its sale, refunded as it was, and is on the return of the place', async () => {
    const key = await accountWith(null)
    await replace(key, 'LU', [EBOOKS])
    const body = { ...SALE, ...sold('LU', 'ebooks') }
    const sale = await call('POST', '/v1/transactions', { key, body })
    expect(sale.body, sale.text).toMatchObject({ tax_amount: 800 })
    await call('DELETE', '/v1/account/own-rates/LU', { key })
    const path = `/v1/transactions/${String(sale.body['id'])}/refund`
    const refund = { amount: 5_400, reason: 'Returned', refunded_at: '2026-07-06T12:00:00Z' }
    expect((await call('POST', path, { key, body: refund })).body).toMatchObject({ tax_refunded: 400 })
    const report = '/v1/reports/summary?from_date=2026-07-01&to_date=2026-07-31'
    expect((await call('GET', report, { key })).body['rows']).toMatchObject([
      { jurisdiction_id: 'LU', tax_collected: 800, own_rate: true },
    ])
  })

  it('is refused without an end within 90 days, and where there is nothing to replace', async () => {
    const key = await accountWith(null)
    const one = { rate: 0.1, valid_from: '2026-01-01' }
    const refusals: [string, object, string][] = [
      ['DE', { until: undefined }, 'until'],
      ['DE', { until: inDays(91) }, 'until'],
      ['DE', { until: inDays(-2) }, 'until'],
      ['DE', { replaces: false, until: undefined }, 'id'],
      ['DE', { rates: [{ ...one, valid_to: inDays(61) }] }, 'rates[0].valid_to'],
      ['DE', { rates: [{ ...one, valid_from: inDays(61) }] }, 'rates[0].valid_to'],
      ['DE', { rates: [{ ...one, tax_type: 'GST' }] }, 'rates[0].tax_type'],
      ['US', {}, 'replaces'],
      ['IL', {}, 'replaces'],
      ['IL', { replaces: undefined }, 'until'],
    ]
    for (const [place, more, field] of refusals) {
      const answer = await replace(key, place, [one], more)
      expect(answer.status, answer.text).toBe(400)
      expect(answer.text).toContain(`"${field}"`)
    }
    expect((await call('GET', '/v1/account/own-rates', { key })).body).toMatchObject({ total: 0 })
    expect((await replace(key, 'DE', [one], { until: inDays(90) })).status).toBe(200)
  })
})
