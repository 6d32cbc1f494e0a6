import { exports } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'

// The Worker has read its tables of regions by now. It is loaded again with the country in them.
vi.resetModules()
await import('../../support/country-law.ts')
const { loadCountry } = await import('../../support/country-data.ts')
const { REVIEWED_ON } = await import('../../../src/tax-data/records/review-day.ts')
const { newAccount } = await import('../../support/account.ts')
const { call } = await import('../../support/service.ts')
const { created } = await import('../../sales/transactions/sales.ts')

await loadCountry()
const { key } = await newAccount()

const NOT_COLLECTED = `no source is collected, reviewed on ${REVIEWED_ON}`

const sale = (words: Record<string, unknown>) => ({
  seller: { country: 'AU', registrations: ['NR'] },
  customer: { address: { country: 'NR' }, type: 'individual' },
  currency: 'AUD',
  line_items: [{ amount: 10_000, product_type: 'saas' }],
  ...words,
})

async function calculated(words: Record<string, unknown>) {
  const answer = await call('POST', '/v1/calculate', { key, body: sale(words) })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

describe('a country without a collector and a form', () => {
  it('has its rates by law region and by jurisdiction', async () => {
    for (const query of ['region=NR', 'jurisdiction=NR']) {
      const { status, body } = await call('GET', `/v1/rates?${query}`, { key })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        total: 1,
        rates: [{ jurisdiction_id: 'NR', tax_type: 'GST', rate: 0.09 }],
      })
    }
    expect((await call('GET', '/v1/rates?region=US-TAX', { key })).body['total']).toBeGreaterThan(0)
    expect((await call('GET', '/v1/rates?region=FX-ECB', { key })).status).toBe(400)
  })

  it('has its law, which is a value of nationalGst', async () => {
    expect(await calculated({})).toMatchObject({ jurisdiction_id: 'NR', tax_amount: 900 })
    const goods = (amount: number) => calculated({ line_items: [{ amount, product_type: 'physical_goods' }] })
    expect(await goods(40_000)).toMatchObject({ tax_amount: 3_600 })
    expect(await goods(40_001)).toMatchObject({ tax_amount: 0 })
    const early = { line_items: [{ amount: 10_000, product_type: 'professional_services' }] }
    expect(await calculated({ ...early, transaction_date: '2022-12-31' })).toMatchObject({ tax_amount: 0 })
    expect(await calculated({ ...early, transaction_date: '2023-01-01' })).toMatchObject({ tax_amount: 900 })
  })

  it('never has fresh data: an answer says that no source is collected', async () => {
    expect((await calculated({}))['meta']).toMatchObject({
      data_freshness: 'not_collected',
      last_verified_at: '2026-11-18T00:00:00.000Z',
    })
    const { body } = await call('GET', '/v1/thresholds?region=NR', { key })
    expect(body).toMatchObject({ total: 1, meta: { data_freshness: 'not_collected' } })
  })

  it('says in its status that no source is collected, and when it was reviewed', async () => {
    const status = await call('GET', '/v1/status')
    expect(status.body).toMatchObject({ status: 'unknown' })
    expect(status.body['kept_by_hand']).toContainEqual({ region: 'NR', reviewed_on: REVIEWED_ON })
    const unread = { region: 'NR', status: 'not_collected', note: NOT_COLLECTED, last_successful_fetch: null }
    const synced = await call('GET', '/v1/metadata/sync-status', { key })
    const schedule = { cadence_days: null, freshness_window_days: null, next_run_at: null, last_run: null }
    expect(synced.body['regions']).toContainEqual(expect.objectContaining({ ...unread, ...schedule }))
  })

  it('has a row on the page of the status, with its review and without a run', async () => {
    const page = await exports.default.fetch('https://service.test/status')
    const text = await page.text()
    const [, table = ''] = /<h2>Kept by hand<\/h2>([^]*?)<\/table>/.exec(text) ?? []
    expect(table).toMatch(
      /Nauru<\/th><td role="cell" class="number"[^>]*>2<\/td><td[^>]*>[^<]* \(\d+ \w{3} 20\d\d\)<\/td>/,
    )
    expect(text).not.toContain('region-NR')
  })

  it('cannot be synchronised', async () => {
    const { status } = await call('POST', '/v1/metadata/sync', { key, body: { region: 'NR' } })
    expect(status).toBe(400)
  })

  it('has its sales in the generic return, and no form of its own', async () => {
    const registration = { jurisdiction_id: 'NR', valid_from: '2020-01-01' }
    expect((await call('POST', '/v1/registrations', { key, body: registration })).status).toBe(201)
    await created(key, sale({ transaction_date: '2026-09-14' }))
    const generic = await call('GET', '/v1/reports/filing?type=generic&period=2026-09', { key })
    expect(generic.body).toMatchObject({
      supplies: [{ jurisdiction_id: 'NR', gross_sales: 10_000, tax_amount: 900 }],
    })
    const own = await call('GET', '/v1/reports/filing?type=nr_gst&period=2026-09', { key })
    expect(own.status).toBe(400)
  })
})

describe('a threshold that also counts the worldwide turnover', () => {
  const asked = async (amount: number, global?: number, currency = 'AUD') => {
    const global_turnover = global === undefined ? undefined : { amount: global, currency }
    const { status, body, text } = await call('POST', '/v1/decision/collect', {
      key,
      body: {
        jurisdiction_id: 'NR',
        seller: { country: 'DE', registrations: [], global_turnover },
        product_type: 'saas',
        sales: { amount, currency: 'AUD', transaction_count: 10 },
      },
    })
    expect(status, text).toBe(200)
    return body
  }

  it('is passed by the sales into the place together with that turnover', async () => {
    const both = await asked(10_000_001, 100_000_001)
    expect(both).toMatchObject({ reason: 'threshold_exceeded', must_register: true, notes: [] })
    expect(await asked(10_000_001, 70_000_000, 'EUR')).toMatchObject({ must_register: true })
    expect(await asked(10_000_001, 100_000_000)).toMatchObject({ must_register: false, notes: [] })
    expect(await asked(10_000_000, 900_000_000)).toMatchObject({ must_register: false, notes: [] })
    // The sales into the place are a part of the turnover, so they can pass both tests.
    expect(await asked(100_000_001)).toMatchObject({ must_register: true, notes: [] })
  })

  it('leaves a doubt that is told while that turnover is unknown', async () => {
    const doubtful = await asked(10_000_001)
    expect(doubtful).toMatchObject({
      reason: 'below_threshold',
      must_register: false,
      progress: { ratio: null },
      threshold: { worldwide_amount: 100_000_000 },
      explanation: expect.stringContaining('worldwide turnover of A$1,000,000.00'),
      notes: [expect.stringContaining('Send it in seller.global_turnover')],
    })
    expect(await asked(10_000_000)).toMatchObject({ must_register: false, notes: [] })
  })

  it('is told with both tests in a calculation', async () => {
    const { line_items } = await calculated({ seller: { country: 'DE', registrations: [] } })
    expect(JSON.stringify(line_items)).toContain(
      'due once its threshold of A$100,000.00 and worldwide turnover of A$1,000,000.00 is passed',
    )
  })

  it('is compared with recorded sales, with a note', async () => {
    const account = await newAccount()
    const recorded = sale({
      seller: { country: 'DE', registrations: [] },
      line_items: [{ amount: 10_000_001, product_type: 'saas' }],
    })
    await created(account.key, recorded)
    const { body } = await call('GET', '/v1/nexus', { key: account.key })
    expect(body['jurisdictions']).toContainEqual(
      expect.objectContaining({
        jurisdiction_id: 'NR',
        status: 'depends_on_turnover',
        notes: [expect.stringContaining('worldwide turnover')],
      }),
    )
  })
})
