import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { verifyReturns } from '../../../scripts/verify/returns.ts'
import { storePublishedRates } from '../../../src/tax-data/records/published-rates-store.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()

type Body = Record<string, unknown>

const ECB = 'European Central Bank, euro foreign exchange reference rates'
const HMRC = 'HM Revenue & Customs, monthly exchange rates'

/** 2026-01-31 is a Saturday, and 2026-06-30 a Tuesday. */
const ECB_DAYS = [
  { day: '2026-01-30', rates: { USD: 1_990_000 } },
  { day: '2026-02-02', rates: { USD: 1_250_000, JPY: 160_000_000 } },
  { day: '2026-06-30', rates: { USD: 1_600_000 } },
  { day: '2026-09-30', rates: { USD: 1_280_000 } },
]
const HMRC_MONTHS = [
  { day: '2026-07-01', rates: { USD: 1_250_000, EUR: 1_100_000 } },
  { day: '2026-08-01', rates: { USD: 1_600_000, EUR: 1_200_000 } },
]

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM published_rates').run()
  const hashed = (days: typeof ECB_DAYS | typeof HMRC_MONTHS) =>
    days.map((each) => ({ ...each, document_hash: 'x' }))
  await env.DB.batch([
    ...storePublishedRates(env.DB, 'ecb', hashed(ECB_DAYS), new Date()),
    ...storePublishedRates(env.DB, 'hmrc', hashed(HMRC_MONTHS), new Date()),
  ])
})

const get = async (key: string, path: string): Promise<Body> => {
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const file = (key: string, query: string) => get(key, `/v1/reports/filing?${query}`)

async function seller(country: string, ...registrations: string[]) {
  const account = await newAccount()
  const { key } = account
  await call('PUT', '/v1/account', { key, body: { country, time_zone: 'UTC' } })
  for (const id of registrations) {
    const scheme = id.startsWith('oss') || id === 'ioss'
    const body = { ...(scheme ? { scheme: id } : { jurisdiction_id: id }), valid_from: '2020-01-01' }
    expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
  }
  return account
}

const sale = (country: string, transaction_date: string, currency: string, amount = 10_000) => ({
  customer: { address: { country } },
  currency,
  transaction_date,
  line_items: [{ amount, product_type: 'saas' }],
})

it('converts a one-stop shop return by the rate of its last day, and names it', async () => {
  const { key } = await seller('DE', 'DE', 'oss_union')
  await created(key, sale('FR', '2026-07-03', 'USD'))
  expect(await file(key, 'type=oss_union&period=2026-Q3')).toMatchObject({
    supplies: [{ currency: 'EUR', taxable_amount: 7_813, tax_amount: 1_563 }],
    exchange_rates: [{ currency: 'USD', period: '2026-Q3', rate: 1.28, source: ECB, rate_day: '2026-09-30' }],
    unconverted: [],
  })
})

it('takes the rate of the next day of publication if there is none on the last day', async () => {
  const { key } = await seller('US', 'oss_non_union')
  await created(key, sale('FR', '2026-03-05', 'USD'))
  const none = await file(key, 'type=oss_non_union&period=2026-Q1')
  expect(none).toMatchObject({ exchange_rates: [], unconverted: [{ currency: 'USD' }] })
  const { key: importer } = await seller('US', 'ioss')
  await created(importer, {
    ...sale('FR', '2026-01-05', 'USD'),
    line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
  })
  expect(await file(importer, 'type=ioss&period=2026-01')).toMatchObject({
    supplies: [{ taxable_amount: 8_000 }],
    exchange_rates: [{ period: '2026-01', rate: 1.25, rate_day: '2026-02-02' }],
  })
})

it('converts a correction by the last day of the period that it corrects', async () => {
  const { key } = await seller('DE', 'DE', 'oss_union')
  const id = await created(key, sale('FR', '2026-05-01', 'USD'))
  const body = { amount: 12_000, reason: 'returned', refunded_at: '2026-07-05' }
  expect((await call('POST', `/v1/transactions/${id}/refund`, { key, body })).status).toBe(200)
  expect(await file(key, 'type=oss_union&period=2026-Q2')).toMatchObject({
    supplies: [{ taxable_amount: 6_250, tax_amount: 1_250 }],
  })
  expect(await file(key, 'type=oss_union&period=2026-Q3')).toMatchObject({
    corrections: [{ period: '2026-Q2', taxable_amount: -6_250, tax_amount: -1_250 }],
    exchange_rates: [{ period: '2026-Q2', rate: 1.6, rate_day: '2026-06-30' }],
  })
})

it('lets the request replace a published rate', async () => {
  const { key } = await seller('DE', 'DE', 'oss_union')
  await created(key, sale('FR', '2026-07-03', 'USD'))
  expect(await file(key, 'type=oss_union&period=2026-Q3&fx_rates=USD:2')).toMatchObject({
    supplies: [{ taxable_amount: 5_000 }],
    exchange_rates: [{ rate: 2, source: 'request', rate_day: null }],
  })
})

it('links to the lines of a figure that a rate of the request converts', async () => {
  const { key } = await seller('DE', 'DE', 'oss_union')
  await created(key, sale('FR', '2026-07-03', 'AED'))
  const { supplies } = await file(key, 'type=oss_union&period=2026-Q3&fx_rates=AED:4.5')
  const [supply] = supplies as { transactions_url: string; taxable_amount: number }[]
  expect(supply).toMatchObject({ taxable_amount: 2_222 })
  const { status, body } = await call('GET', String(supply?.transactions_url), { key })
  expect(status).toBe(200)
  expect(body['lines']).toMatchObject([{ currency: 'AED', net_amount: 10_000, figure_amount: 2_000 }])
  const alone = await call('GET', '/v1/reports/lines?fx_rates=AED:4.5', { key })
  expect(alone.body).toMatchObject({ errors: [{ path: 'fx_rates' }] })
})

it('converts a British return by the rate of the month of each sale', async () => {
  const { key } = await seller('GB', 'GB')
  await created(key, sale('GB', '2026-07-03', 'USD'))
  await created(key, sale('GB', '2026-08-03', 'USD'))
  await created(key, sale('GB', '2026-08-04', 'EUR', 12_000))
  const filed = await file(key, 'type=uk_vat100&period=2026-Q3')
  expect(filed['exchange_rates']).toMatchObject([
    { currency: 'USD', period: '2026-07', rate: 1.25, source: HMRC, rate_day: '2026-07-01' },
    { currency: 'EUR', period: '2026-08', rate: 1.2, source: HMRC, rate_day: '2026-08-01' },
    { currency: 'USD', period: '2026-08', rate: 1.6, source: HMRC, rate_day: '2026-08-01' },
  ])
  // 80.00 + 62.50 + 100.00 pounds.
  expect(filed['boxes']).toMatchObject([
    { box: '1', amount: 4_850 },
    {},
    {},
    {},
    {},
    { box: '6', amount: 24_250 },
    {},
    {},
    {},
  ])
  const given = await file(key, 'type=uk_vat100&period=2026-Q3&fx_rates=2026-08:USD:2')
  expect(given['exchange_rates']).toMatchObject([
    { period: '2026-07', rate: 1.25 },
    { period: '2026-08', rate: 1.2 },
    { period: '2026-08', rate: 2, source: 'request' },
  ])
})

it('freezes the rates of a filed return', async () => {
  const { key, account_id } = await seller('GB', 'GB')
  await created(key, sale('GB', '2026-07-03', 'USD'))
  await created(key, sale('GB', '2026-08-03', 'USD'))
  const answer = await call('POST', '/v1/returns', { key, body: { type: 'uk_vat100', period: '2026-Q3' } })
  expect(answer.status, answer.text).toBe(201)
  await env.DB.prepare('DELETE FROM published_rates').run()
  const filed = await file(key, 'type=uk_vat100&period=2026-Q3')
  expect(filed).toMatchObject({ exchange_rates: [{ rate: 1.25 }, { rate: 1.6 }] })
  expect(filed['boxes']).toMatchObject([{ amount: 2_850 }, {}, {}, {}, {}, { amount: 14_250 }, {}, {}, {}])
  const { lines } = (await get(key, `/v1/returns/${String(answer.body['id'])}/rows?figure=1`)) as {
    lines: Body[]
  }
  expect(lines).toHaveLength(2)
  expect(await verifyReturns(env.DB, account_id)).toEqual([])
})
