import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { throughDoor } from '../../../src/platform/database/doors.ts'
import { verifyReturns } from '../../../scripts/verify/returns.ts'
import { storePublishedRates } from '../../../src/tax-data/records/published-rates-store.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { keepAccountsIn } from '../../support/shards.ts'
import { created } from '../../sales/transactions/sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

type Body = Record<string, unknown>

const ECB = 'European Central Bank, euro foreign exchange reference rates'
const BANK_OF_CANADA = 'Bank of Canada, daily exchange rates'

/** 2026-07-03 is a Friday, and 2026-07-06 a Monday. */
const ECB_DAYS = [
  { day: '2026-07-02', rates: { USD: 1_000_000, AUD: 1_500_000, NZD: 2_000_000 } },
  { day: '2026-07-03', rates: { USD: 1_200_000, AUD: 1_800_000, NZD: 1_800_000 } },
  { day: '2026-07-06', rates: { USD: 1_100_000, AUD: 2_200_000, JPY: 160_000_000 } },
]
const BOC_DAYS = [
  { day: '2026-07-02', rates: { USD: 1_250_000, JPY: 9_000 } },
  { day: '2026-07-03', rates: { USD: 1_343_500, JPY: 9_157 } },
]

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM published_rates').run()
  const hashed = (days: typeof ECB_DAYS | typeof BOC_DAYS) =>
    days.map((each) => ({ ...each, document_hash: 'x' }))
  await env.DB.batch([
    ...storePublishedRates(env.DB, 'ecb', hashed(ECB_DAYS), new Date()),
    ...storePublishedRates(env.DB, 'boc', hashed(BOC_DAYS), new Date()),
  ])
})

const get = async (key: string, path: string): Promise<Body> => {
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const file = (key: string, query: string) => get(key, `/v1/reports/filing?${query}`)
const amounts = (filed: Body) =>
  Object.fromEntries(
    (filed['boxes'] as { box: string; amount: number | null }[]).map(({ box, amount }) => [box, amount]),
  )

async function seller(country: string, region?: string) {
  const account = await newAccount()
  const { key } = account
  await call('PUT', '/v1/account', { key, body: { country, region, time_zone: 'UTC' } })
  const body = { jurisdiction_id: country, valid_from: '2020-01-01' }
  expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
  return account
}

const sale = (to: string, day: string, currency: string, amount = 10_000, more: object = {}) => {
  const [country, region] = to.split('-')
  return {
    customer: { address: { country, region } },
    currency,
    transaction_date: `${day}T10:00:00Z`,
    line_items: [{ amount, product_type: 'physical_goods' }],
    ...more,
  }
}

const refund = async (key: string, id: string, amount: number, day: string) => {
  const body = { amount, reason: 'returned', refunded_at: `${day}T11:00:00Z` }
  const answer = await call('POST', `/v1/transactions/${id}/refund`, { key, body })
  expect(answer.status, answer.text).toBe(200)
}

describe('an Australian statement', () => {
  it('converts each sale by the rate of its day, across the euro', async () => {
    const { key } = await seller('AU')
    await created(key, sale('AU', '2026-07-02', 'USD'))
    await created(key, sale('AU', '2026-07-06', 'USD'))
    await created(key, sale('AU', '2026-07-06', 'EUR', 500))
    await created(key, sale('AU', '2026-07-06', 'AUD', 700))
    const filed = await file(key, 'type=au_bas&period=2026-Q3')
    // 100 USD are 150 AUD on the 2nd and 200 AUD on the 6th, and 5 EUR are 11 AUD; 10 % GST.
    expect(amounts(filed)).toMatchObject({
      G1: 16_500 + 22_000 + 1_210 + 770,
      '1A': 1_500 + 2_000 + 110 + 70,
    })
    expect(filed).toMatchObject({
      exchange_rates: [],
      unconverted: [],
      daily_exchange_rates: [
        { currency: 'EUR', source: ECB, days: 1, rates: { '2026-07-06': 0.454545455 } },
        { currency: 'USD', source: ECB, days: 2, rates: { '2026-07-02': 0.666666667, '2026-07-06': 0.5 } },
      ],
    })
  })

  it('takes the last rate before a day without one', async () => {
    const { key } = await seller('AU')
    await created(key, sale('AU', '2026-07-05', 'USD'))
    await created(key, sale('AU', '2026-07-04', 'JPY'))
    const filed = await file(key, 'type=au_bas&period=2026-07')
    expect(amounts(filed)).toMatchObject({ '1A': 1_500 })
    expect(filed).toMatchObject({
      daily_exchange_rates: [{ currency: 'USD', days: 1, rates: { '2026-07-03': 0.666666667 } }],
      unconverted: [{ currency: 'JPY', taxable_amount: 10_000 }],
    })
  })

  it('converts a refund by the day of its sale, and a credit note by the day that it credits', async () => {
    const { key } = await seller('AU')
    const id = await created(key, sale('AU', '2026-07-02', 'USD'))
    const late = await created(key, sale('AU', '2026-07-03', 'USD'))
    await refund(key, id, 11_000, '2026-07-06')
    await created(
      key,
      sale('AU', '2026-07-06', 'USD', -10_000, { credit_note_for: { transaction_id: late } }),
    )
    const filed = await file(key, 'type=au_bas&period=2026-07')
    expect(amounts(filed)).toMatchObject({ G1: 0, '1A': 0 })
    // Not the rate of the 6th.
    expect(filed).toMatchObject({
      daily_exchange_rates: [{ rates: { '2026-07-02': 0.666666667, '2026-07-03': 0.666666667 }, days: 2 }],
    })
  })

  it('takes a rate of the request for a day, a month or the whole period', async () => {
    const { key } = await seller('AU')
    await created(key, sale('AU', '2026-07-02', 'USD'))
    await created(key, sale('AU', '2026-07-06', 'USD'))
    const oneDay = await file(key, 'type=au_bas&period=2026-Q3&fx_rates=2026-07-02:USD:2')
    expect(amounts(oneDay)).toMatchObject({ '1A': 500 + 2_000 })
    expect(oneDay).toMatchObject({
      exchange_rates: [{ currency: 'USD', period: '2026-07-02', rate: 2, source: 'request' }],
      daily_exchange_rates: [{ rates: { '2026-07-06': 0.5 } }],
    })
    for (const named of ['2026-07:', '2026-Q3:', '']) {
      const all = await file(key, `type=au_bas&period=2026-Q3&fx_rates=${named}USD:2`)
      expect(amounts(all)).toMatchObject({ '1A': 1_000 })
      expect(all).toMatchObject({ exchange_rates: [{ rate: 2 }], daily_exchange_rates: [] })
    }
  })

  it('lists the lines of a figure, whose amounts convert to it', async () => {
    const { key } = await seller('AU')
    const id = await created(key, sale('AU', '2026-07-02', 'USD', 10_001))
    await created(key, sale('AU', '2026-07-06', 'USD', 333))
    await refund(key, id, 3_333, '2026-07-06')
    const filed = await file(key, 'type=au_bas&period=2026-07')
    const box = (filed['boxes'] as { box: string; amount: number; transactions_url: string }[]).find(
      (each) => each.box === '1A',
    )
    const { lines } = (await get(key, box?.transactions_url ?? '')) as { lines: Record<string, number>[] }
    expect(lines).toHaveLength(3)
    const [first = 0, second = 0, third = 0] = lines.map((line) => line['figure_amount'])
    const back = lines.map((line) => line['entry']).indexOf('refund' as never)
    expect(back).toBeGreaterThan(0)
    // The refund belongs to the rate of the first day.
    const given = [first, second, third][back] ?? 0
    const other = [second, third][back === 1 ? 1 : 0] ?? 0
    expect(box?.amount).toBe(Math.round(first * 1.5) - Math.round(-given * 1.5) + Math.round(other * 2))
  })
})

describe('a filed statement', () => {
  it('keeps the rates of its days, and a late sale enters the next one by its own day', async () => {
    const { key, account_id } = await seller('AU')
    await created(key, sale('AU', '2026-07-02', 'USD'))
    await created(key, sale('AU', '2026-07-06', 'USD'))
    const answer = await call('POST', '/v1/returns', { key, body: { type: 'au_bas', period: '2026-07' } })
    expect(answer.status, answer.text).toBe(201)
    await created(key, sale('AU', '2026-07-06', 'USD', 1_000))
    const next = await file(key, 'type=au_bas&period=2026-08')
    expect(next).toMatchObject({
      corrections: [{ period: '2026-07', taxable_amount: 2_000, tax_amount: 200 }],
      totals: { tax_amount: 0, tax_due: 200 },
      daily_exchange_rates: [{ days: 1, rates: { '2026-07-06': 0.5 } }],
    })
    await env.DB.prepare('DELETE FROM published_rates').run()
    const filed = await file(key, 'type=au_bas&period=2026-07')
    expect(amounts(filed)).toMatchObject({ '1A': 3_500 })
    expect(filed).toMatchObject({ daily_exchange_rates: [{ currency: 'USD', days: 2 }] })
    const path = `/v1/returns/${String(answer.body['id'])}/rows?figure=1A`
    expect(((await get(key, path)) as { lines: Body[] }).lines).toHaveLength(2)
    expect(await verifyReturns(books, account_id)).toEqual([])
  })

  it('of an earlier release, which converted by a rate of the request, stays whole', async () => {
    const { key, account_id } = await seller('AU')
    await created(key, sale('AU', '2026-07-02', 'USD'))
    await created(key, sale('AU', '2026-07-06', 'USD'))
    const body = { type: 'au_bas', period: '2026-07', fx_rates: 'USD:0.5' }
    const answer = await call('POST', '/v1/returns', { key, body })
    expect(answer.status, answer.text).toBe(201)
    // Earlier releases kept one sum for the month.
    const [kept] = (
      await books
        .prepare('SELECT sums FROM returns WHERE account_id = ?')
        .bind(account_id)
        .all<{ sums: string }>()
    ).results
    const days = JSON.parse(kept?.sums ?? '[]') as Record<string, number>[]
    expect(days).toHaveLength(2)
    const { sold_on: _, ...whole } = { ...days[0] }
    for (const name of Object.keys(whole))
      if (typeof whole[name] === 'number' && name !== 'tax_rate') whole[name] += Number(days[1]?.[name])
    const update = books.prepare('UPDATE returns SET sums = ? WHERE account_id = ?')
    await books.batch(
      throughDoor(books, account_id, 'test', [update.bind(JSON.stringify([whole]), account_id)]),
    )
    expect(await file(key, 'type=au_bas&period=2026-08')).toMatchObject({ nil_return: true, corrections: [] })
    await created(key, sale('AU', '2026-07-06', 'USD', 1_000))
    // A late entry has the rate with which the return of its days was filed.
    expect(await file(key, 'type=au_bas&period=2026-08')).toMatchObject({
      corrections: [{ taxable_amount: 2_000 }],
      unconverted: [],
    })
    expect(await file(key, 'type=au_bas&period=2026-08&fx_rates=2026-07:USD:0.5')).toMatchObject({
      corrections: [{ taxable_amount: 2_000 }],
    })
  })
})

describe('returns of other countries', () => {
  it('converts a Canadian return by the rates of the Bank of Canada', async () => {
    const { key } = await seller('CA', 'ON')
    await created(key, sale('CA-ON', '2026-07-02', 'USD'))
    await created(key, sale('CA-ON', '2026-07-04', 'USD'))
    await created(key, sale('CA-ON', '2026-07-04', 'JPY'))
    const filed = await file(key, 'type=ca_gst34&period=2026-07')
    // 13 % HST: 13.00 USD at 1.25 and at 1.3435, and 1,300 JPY at 0.009157.
    expect(amounts(filed)).toMatchObject({ 101: 12_500 + 13_435 + 9_157, 103: 1_625 + 1_747 + 1_190 })
    expect(filed).toMatchObject({
      daily_exchange_rates: [
        { currency: 'JPY', source: BANK_OF_CANADA, rates: { '2026-07-03': 109.206072 } },
        { currency: 'USD', rates: { '2026-07-02': 0.8, '2026-07-03': 0.744324525 } },
      ],
    })
  })

  it('converts a return of New Zealand by the day', async () => {
    const { key } = await seller('NZ')
    await created(key, sale('NZ', '2026-07-02', 'USD'))
    await created(key, sale('NZ', '2026-07-03', 'USD'))
    const filed = await file(key, 'type=nz_gst101a&period=2026-07')
    // 115 USD with GST are 230 NZD on the 2nd, and 172.50 NZD on the 3rd.
    expect(amounts(filed)).toMatchObject({ 5: 23_000 + 17_250 })
  })

  it('still needs a rate of the request for a domestic return of the Union', async () => {
    const { key } = await seller('DE')
    await created(key, sale('DE', '2026-07-02', 'USD'))
    expect(await file(key, 'type=eu_domestic&jurisdiction_id=DE&period=2026-07')).toMatchObject({
      unconverted: [{ currency: 'USD' }],
      daily_exchange_rates: [],
    })
  })
})
