import { keepAccountsIn } from '../../support/shards.ts'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { moveDays } from '../../../src/sales/transactions/sums/move-days.ts'
import { verifyTotals } from '../../../scripts/verify/totals.ts'
import { newAccount } from '../../support/account.ts'
import { type Answer, call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { create, created } from '../../sales/transactions/sales.ts'

const { books } = keepAccountsIn(1)

await loadTestData()

type Body = Record<string, unknown>
type Line = { id: string; entry: string; transaction_id: string; figure_amount: number } & Record<
  string,
  number
>

const get = async (key: string, path: string): Promise<Body> => {
  const answer = await call('GET', path, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const file = (key: string, query: string) => get(key, `/v1/reports/filing?${query}`)

async function seller(profile: object, ...registrations: string[]) {
  const account = await newAccount()
  const { key } = account
  expect((await call('PUT', '/v1/account', { key, body: { time_zone: 'UTC', ...profile } })).status).toBe(200)
  for (const id of registrations) {
    const scheme = id.startsWith('oss') || id === 'ioss'
    const body = { ...(scheme ? { scheme: id } : { jurisdiction_id: id }), valid_from: '2020-01-01' }
    expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
  }
  return account
}

const to = (country: string, region?: string) => ({ customer: { address: { country, region } } })
const sale = (country: string, date: string, amount: number, product_type: string, more: object = {}) => ({
  ...to(country),
  currency: 'EUR',
  transaction_date: date,
  line_items: [{ amount, product_type }],
  ...more,
})

const refund = (key: string, id: string, body: object): Promise<Answer> =>
  call('POST', `/v1/transactions/${id}/refund`, { key, body: { reason: 'returned', ...body } })

async function linesOf(key: string, url: string): Promise<Line[]> {
  const lines: Line[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await get(key, `${url}&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
    lines.push(...(page['lines'] as Line[]))
    cursor = page['next_cursor'] as string | null
  }
  return lines
}

const amounts = (filed: Body) =>
  Object.fromEntries(
    (filed['boxes'] as { box: string; amount: number | null }[]).map(({ box, amount }) => [box, amount]),
  )

describe('a sale through the one-stop shop', () => {
  it('is declared even if its tax is rounded to 0', async () => {
    const { key } = await seller({ country: 'DE' }, 'DE', 'oss_union')
    await created(key, sale('FR', '2026-05-05', 2, 'physical_goods'))
    await created(key, sale('FR', '2026-05-06', 1_000, 'physical_goods'))
    const { supplies } = await file(key, 'type=oss_union&period=2026-Q2')
    expect(supplies).toMatchObject([{ jurisdiction_id: 'FR', taxable_amount: 1_002, tax_amount: 200 }])
  })
})

describe('a refund of named lines', () => {
  const cart = sale('FR', '2026-08-03', 0, '', {
    line_items: [
      { amount: 10_000, product_type: 'physical_goods', quantity: 4 },
      { amount: 2_000, product_type: 'books' },
    ],
  })
  const recorded = async (key: string, body: object) => {
    const { body: sold } = await create(key, body)
    return { id: String(sold['id']), lines: sold['line_items'] as { id: string }[] }
  }

  it('gives back the tax of that line, and leaves the other rate of the return alone', async () => {
    const { key, account_id } = await seller({ country: 'DE' }, 'DE', 'oss_union')
    const { id, lines } = await recorded(key, cart)
    const answer = await refund(key, id, {
      line_items: [{ id: lines[1]?.id }],
      refunded_at: '2026-09-01',
      external_id: 'credit-1',
      credit_note_number: 'CN-1',
    })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body['refund']).toMatchObject({
      amount: 2_110,
      tax_amount: 110,
      refunded_at: '2026-09-01T00:00:00.000Z',
      external_id: 'credit-1',
      credit_note_number: 'CN-1',
      line_items: [{ id: lines[1]?.id, net_amount: 2_000, tax_amount: 110 }],
    })
    const filed = await file(key, 'type=oss_union&period=2026-Q3')
    expect(filed['supplies']).toMatchObject([
      { rate: 0.055, taxable_amount: 0, tax_amount: 0 },
      { rate: 0.2, taxable_amount: 10_000, tax_amount: 2_000 },
    ])
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('takes articles, amounts and the rest, in any order, and ends at the cent', async () => {
    const { key, account_id } = await seller({ country: 'DE' }, 'DE', 'oss_union')
    const { id, lines } = await recorded(key, cart)
    const goods = lines[0]?.id
    const refunded_at = '2026-08-05'
    expect(
      (await refund(key, id, { line_items: [{ id: goods, quantity: 1 }], refunded_at })).body['refund'],
    ).toMatchObject({ amount: 3_000, tax_amount: 500 })
    expect((await refund(key, id, { amount: 1_111, refunded_at })).status).toBe(200)
    const over = await refund(key, id, { line_items: [{ id: goods, amount: 9_001 }] })
    expect(over.body).toMatchObject({ reason: 'refund_exceeds_remaining' })
    expect((await refund(key, id, { line_items: [{ id: goods, quantity: 4 }] })).status).toBe(400)
    const rest = await refund(key, id, { line_items: lines.map((line) => ({ id: line.id })), refunded_at })
    expect(rest.body).toMatchObject({ amount_refunded: 14_110, tax_refunded: 2_110 })
    expect(await verifyTotals(books, account_id)).toEqual([])
    const filed = await file(key, 'type=generic&period=2026')
    for (const supply of filed['supplies'] as Body[])
      expect(supply).toMatchObject({ gross_sales: 0, taxable_amount: 0, tax_amount: 0 })
  })

  it('gives back the shipping', async () => {
    const { key } = await seller({ country: 'DE' }, 'DE', 'oss_union')
    const { id } = await recorded(key, {
      ...cart,
      line_items: [...cart.line_items, { amount: 600, product_type: 'shipping' }],
    })
    const answer = await refund(key, id, { shipping: true })
    expect(answer.body['refund']).toMatchObject({ amount: 705 + 1, tax_amount: 106 })
  })

  it.each([
    ['nothing', {}, 'amount'],
    ['a line of another sale', { line_items: [{ id: 'li_1' }] }, 'line_items[0].id'],
    ['amount and quantity', { line_items: [{ id: 'x', amount: 1, quantity: 1 }] }, 'line_items[0]'],
    ['a day after now', { amount: 1, refunded_at: '2099-01-01' }, 'refunded_at'],
    ['a day before the sale', { amount: 1, refunded_at: '2026-08-02' }, 'refunded_at'],
    ['shipping that there is not', { shipping: true }, 'shipping'],
  ])('refuses %s, and changes nothing', async (_, body, path) => {
    const { key } = await seller({ country: 'DE' }, 'DE', 'oss_union')
    const { id } = await recorded(key, cart)
    const answer = await refund(key, id, body)
    expect([400, 404]).toContain(answer.status)
    expect(answer.body['errors']).toContainEqual({ path, message: expect.any(String) })
    expect((await get(key, `/v1/transactions/${id}`))['amount_refunded']).toBe(0)
  })

  it('refuses an external id that another refund has', async () => {
    const { key } = await seller({ country: 'DE' }, 'DE', 'oss_union')
    const { id } = await recorded(key, cart)
    expect((await refund(key, id, { amount: 1, external_id: 'c' })).status).toBe(200)
    expect((await refund(key, id, { amount: 1, external_id: 'c' })).body['reason']).toBe('external_id_taken')
  })
})

describe('rates in a return', () => {
  it('declares postage of a mixed cart by the rates in force', async () => {
    const { key } = await seller({ country: 'DE' }, 'DE', 'oss_union')
    await created(key, {
      ...sale('FR', '2026-08-03', 0, ''),
      line_items: [
        { amount: 9_000, product_type: 'physical_goods' },
        { amount: 1_000, product_type: 'books' },
        { amount: 700, product_type: 'shipping' },
      ],
    })
    expect((await file(key, 'type=oss_union&period=2026-Q3'))['supplies']).toMatchObject([
      { rate: 0.055, rate_type: 'reduced', taxable_amount: 1_070, tax_amount: 59 },
      { rate: 0.2, rate_type: 'standard', taxable_amount: 9_630, tax_amount: 1_926 },
    ])
  })

  it('takes the rate in force of an invoice that states its tax alone', async () => {
    const { key } = await seller({ country: 'DE' }, 'DE', 'oss_union')
    for (const [amount, tax_amount] of [
      [999, 200],
      [333, 67],
      [1_001, 200],
    ])
      await created(key, {
        ...sale('FR', '2026-08-03', 0, ''),
        line_items: [{ amount, tax_amount, product_type: 'physical_goods' }],
      })
    const filed = await file(key, 'type=oss_union&period=2026-Q3')
    expect(filed['supplies']).toMatchObject([{ rate: 0.2, taxable_amount: 2_333, tax_amount: 467 }])
  })

  it('names a rate that is not in force', async () => {
    const { key } = await seller({ country: 'DE' }, 'DE', 'oss_union')
    await created(key, {
      ...sale('FR', '2026-08-03', 0, ''),
      line_items: [{ amount: 10_000, tax_amount: 1_234, product_type: 'physical_goods' }],
    })
    const filed = await file(key, 'type=oss_union&period=2026-Q3')
    expect(filed['supplies']).toMatchObject([{ rate: 0.1234, rate_type: null }])
    expect(String(filed['notes'])).toContain('France goods 12.34 %')
  })
})

it('au_bas has exports at G2, and not at G3', async () => {
  const { key } = await seller({ country: 'AU', time_zone: 'Australia/Sydney' }, 'AU')
  const aud = { currency: 'AUD' }
  await created(key, sale('AU', '2026-05-01', 10_050, 'saas', aud))
  await created(key, sale('AU', '2026-05-01', 3_000, 'groceries', aud))
  await created(key, sale('NZ', '2026-05-02', 20_000, 'physical_goods', aud))
  const filed = await file(key, 'type=au_bas&period=2026-Q2')
  const purchases = { G10: null, G11: null, '1B': null }
  expect(amounts(filed)).toEqual({ G1: 34_055, G2: 20_000, G3: 3_000, '1A': 1_005, ...purchases })
  expect(filed['boxes']).toMatchObject([
    { form_amount: 340 },
    { form_amount: 200 },
    { form_amount: 30 },
    { form_amount: null },
    { form_amount: null },
    { form_amount: 10 },
    { form_amount: null },
  ])
  expect(filed['totals']).toMatchObject({ tax_amount: 1_005, tax_due: 1_005 })
})

it('au_bas leaves out sales that a platform makes (GST Act s. 84-60)', async () => {
  const { key } = await seller({ country: 'US', region: 'OR' }, 'AU')
  const aud = { currency: 'AUD', marketplace: { role: 'facilitated' } }
  const id = await created(key, sale('AU', '2026-05-01', 5_000, 'physical_goods', aud))
  const recorded = await get(key, `/v1/transactions/${id}`)
  expect(recorded['line_items']).toMatchObject([{ taxability_reason: 'marketplace_collects' }])
  const filed = await file(key, 'type=au_bas&period=2026-Q2')
  const purchases = { G10: null, G11: null, '1B': null }
  expect(amounts(filed)).toEqual({ G1: 0, G2: 0, G3: 0, '1A': 0, ...purchases })
})

it('au_bas lessens 1A by refunds, and says where a decreasing adjustment goes instead', async () => {
  const { key } = await seller({ country: 'AU' }, 'AU')
  const id = await created(key, sale('AU', '2026-02-01', 10_000, 'physical_goods', { currency: 'AUD' }))
  await refund(key, id, { amount: 1_100, refunded_at: '2026-05-01T10:00:00Z' })
  const filed = await file(key, 'type=au_bas&period=2026-Q2')
  expect(amounts(filed)).toMatchObject({ G1: -1_100, '1A': -100, '1B': null })
  expect(filed['notes']).toContainEqual(expect.stringContaining('decreasing adjustments at G18 and 1B'))
})

it('us_state names what marketplaces collect apart from other exemptions', async () => {
  const { key } = await seller({ country: 'US', region: 'PA' }, 'US-PA')
  const there = { currency: 'USD', customer: { address: { country: 'US', region: 'PA' } } }
  const facilitated = { ...there, marketplace: { role: 'facilitated' } }
  await created(key, sale('US', '2026-05-01', 5_000, 'physical_goods', facilitated))
  await created(key, sale('US', '2026-05-02', 700, 'groceries', there))
  const { supplies } = await file(key, 'type=us_state&period=2026-Q2&jurisdiction_id=US-PA')
  expect(supplies).toMatchObject([
    { gross_sales: 5_700, taxable_amount: 0, exempt_by_reason: { marketplace: 5_000, food: 700, other: 0 } },
  ])
})

describe('the time zone of the account', () => {
  const sydney = { country: 'AU', time_zone: 'Australia/Sydney' }
  const aud = { currency: 'AUD' }

  it('decides the day of sales and refunds, and of every report', async () => {
    const { key, account_id } = await seller(sydney, 'AU')
    const id = await created(key, sale('AU', '2026-06-30T22:00:00Z', 10_000, 'saas', aud))
    await created(key, sale('AU', '2026-06-30', 1_000, 'saas', aud))
    await refund(key, id, { amount: 1_100, refunded_at: '2026-09-30T15:00:00Z' })
    expect(amounts(await file(key, 'type=au_bas&period=2026-Q2'))).toMatchObject({ '1A': 100 })
    expect(amounts(await file(key, 'type=au_bas&period=2026-Q3'))).toMatchObject({ '1A': 1_000 })
    expect(amounts(await file(key, 'type=au_bas&period=2026-Q4'))).toMatchObject({ '1A': -100 })
    const listed = await get(key, '/v1/transactions?from_date=2026-07-01&to_date=2026-07-01')
    expect(listed['transactions']).toMatchObject([{ id, transaction_date: '2026-06-30T22:00:00.000Z' }])
    expect(listed['total']).toBe(1)
    expect(
      (await get(key, '/v1/reports/transactions?from_date=2026-07-01&to_date=2026-07-01'))['transactions'],
    ).toMatchObject([{ id }])
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('comes from the country and region if they have one', async () => {
    const zoneOf = async (body: object) => {
      const { key } = await newAccount()
      return (await call('PUT', '/v1/account', { key, body })).body['time_zone']
    }
    expect(await zoneOf({ country: 'DE' })).toBe('Europe/Berlin')
    expect(await zoneOf({ country: 'US', region: 'NY' })).toBe('America/New_York')
    expect(await zoneOf({ country: 'AU' })).toBe('UTC')
    const { key } = await newAccount()
    const answer = await call('PUT', '/v1/account', { key, body: { time_zone: 'Mars/Olympus' } })
    expect(answer.body['errors']).toMatchObject([{ path: 'time_zone' }])
  })

  it('moves recorded sales to its days when it changes', async () => {
    const { key, account_id } = await seller({ country: 'AU' }, 'AU')
    const id = await created(key, sale('AU', '2026-06-30T22:00:00Z', 10_000, 'saas', aud))
    await created(key, sale('AU', '2026-06-15', 5_000, 'saas', { ...aud, status: 'pending' }))
    await refund(key, id, { amount: 1_100, refunded_at: '2026-09-30T22:00:00Z' })
    const { body } = await call('PUT', '/v1/account', { key, body: sydney })
    expect(body).toMatchObject({ time_zone: 'Australia/Sydney', days_moving: true })
    await moveDays(env.DB, books, new Date(Date.now() + 60_000))
    expect((await get(key, '/v1/account'))['days_moving']).toBe(true)
    for (let tick = 0; tick < 2; tick += 1) await moveDays(env.DB, books, new Date(Date.now() + 600_000))
    expect((await get(key, '/v1/account'))['days_moving']).toBe(false)
    expect(await verifyTotals(books, account_id)).toEqual([])
    expect(amounts(await file(key, 'type=au_bas&period=2026-Q2'))).toMatchObject({ '1A': 0 })
    expect(amounts(await file(key, 'type=au_bas&period=2026-Q3'))).toMatchObject({ '1A': 1_000 })
    expect(amounts(await file(key, 'type=au_bas&period=2026-Q4'))).toMatchObject({ '1A': -100 })
  })
})

it('converts a correction by the rate of its own period', async () => {
  const { key } = await seller({ country: 'DE' }, 'DE', 'oss_union')
  const id = await created(key, sale('FR', '2026-05-01', 10_000, 'saas', { currency: 'USD' }))
  await refund(key, id, { amount: 12_000, refunded_at: '2026-07-05' })
  const first = await file(key, 'type=oss_union&period=2026-Q2&fx_rates=USD:1.25')
  expect(first['supplies']).toMatchObject([{ taxable_amount: 8_000, tax_amount: 1_600 }])
  const without = await file(key, 'type=oss_union&period=2026-Q3&fx_rates=USD:1')
  expect(without).toMatchObject({
    corrections: [],
    unconverted: [{ currency: 'USD', message: expect.stringContaining('fx_rates=2026-Q2:USD:') }],
  })
  const filed = await file(key, 'type=oss_union&period=2026-Q3&fx_rates=USD:1,2026-Q2:USD:1.25')
  expect(filed).toMatchObject({
    corrections: [{ period: '2026-Q2', taxable_amount: -8_000, tax_amount: -1_600 }],
    exchange_rates: [{ currency: 'USD', period: '2026-Q2', rate: 1.25, source: 'request' }],
    unconverted: [],
  })
})

describe('credit notes', () => {
  it('correct the period of the sale that they name', async () => {
    const { key, account_id } = await seller({ country: 'DE' }, 'DE', 'oss_union')
    await created(key, sale('PT', '2026-02-03', 10_000, 'saas', { external_id: 'order-1' }))
    const credit = (credit_note_for: object) =>
      created(key, sale('PT', '2026-07-03', -1_000, 'saas', { credit_note_for }))
    await credit({ external_id: 'order-1' })
    await credit({ date: '2025-12-31' })
    const filed = await file(key, 'type=oss_union&period=2026-Q3')
    expect(filed['supplies']).toEqual([])
    expect(filed['corrections']).toMatchObject([
      { jurisdiction_id: 'PT', period: '2025-Q4', taxable_amount: -1_000, tax_amount: -230 },
      { jurisdiction_id: 'PT', period: '2026-Q1', taxable_amount: -1_000, tax_amount: -230 },
    ])
    expect(await verifyTotals(books, account_id)).toEqual([])
  })

  it('without a name are a negative supply, which the return names', async () => {
    const { key } = await seller({ country: 'DE' }, 'DE', 'oss_union')
    await created(key, sale('PT', '2026-07-03', -1_000, 'saas'))
    expect(String((await file(key, 'type=oss_union&period=2026-Q3'))['notes'])).toContain(
      'Negative supplies: Portugal services 23 %',
    )
  })

  it.each([
    ['a sale that is not there', { credit_note_for: { external_id: 'none' } }, 'credit_note_for'],
    ['two names', { credit_note_for: { external_id: 'a', date: '2026-01-01' } }, 'credit_note_for'],
    [
      'a positive total',
      { credit_note_for: { date: '2026-01-01' }, line_items: [{ amount: 1, product_type: 'saas' }] },
      'credit_note_for',
    ],
  ])('refuses %s', async (_, more, path) => {
    const { key } = await seller({ country: 'DE' }, 'DE', 'oss_union')
    const answer = await create(key, sale('PT', '2026-07-03', -1_000, 'saas', more))
    expect(answer.body['errors']).toContainEqual({ path, message: expect.any(String) })
  })
})

it('sets corrections apart that come more than three years after their return was due', async () => {
  const { key } = await seller({ country: 'DE' }, 'DE', 'oss_union')
  for (const [date, amount] of [
    ['2022-02-03', 10_000],
    ['2024-02-03', 20_000],
  ] as const) {
    const id = await created(key, sale('FR', date, amount, 'saas'))
    await refund(key, id, { amount: 1_200, refunded_at: '2025-05-05' })
  }
  const filed = await file(key, 'type=oss_union&period=2025-Q2')
  expect(filed).toMatchObject({
    corrections: [{ period: '2024-Q1', tax_amount: -200 }],
    expired_corrections: [{ period: '2022-Q1', tax_amount: -200 }],
    totals: { corrections_tax_amount: -200 },
  })
})

it('ca_gst34 deducts refunds of earlier sales on line 107', async () => {
  const { key } = await seller({ country: 'CA', region: 'ON' }, 'CA')
  const cad = { currency: 'CAD', ...to('CA', 'ON') }
  const id = await created(key, sale('CA', '2026-02-01', 10_000, 'physical_goods', cad))
  await created(key, sale('CA', '2026-05-01', 20_000, 'physical_goods', cad))
  await refund(key, id, { amount: 1_130, refunded_at: '2026-05-05' })
  const filed = await file(key, 'type=ca_gst34&period=2026-Q2')
  expect(amounts(filed)).toMatchObject({ 101: 20_000, 103: 2_600, 104: 0, 105: 2_600, 107: 130 })
  expect(filed['totals']).toMatchObject({ tax_amount: 2_600, tax_due: 2_470 })
})

it('us_state names the exemption of a customer who bought before the seller was registered', async () => {
  const { key } = await seller({ country: 'US', region: 'CA' }, 'US-CA')
  const resold = { exemption_type: 'resale', certificate_number: 'KS-1', jurisdictions: ['US-KS'] }
  const product = { amount: 3_000, product_type: 'physical_goods', exemption: resold }
  const body = { ...sale('US', '2026-05-01', 0, '', to('US', 'KS')), currency: 'USD', line_items: [product] }
  await created(key, body)
  const registration = { jurisdiction_id: 'US-KS', valid_from: '2026-01-01' }
  await call('POST', '/v1/registrations', { key, body: registration })
  const filed = await file(key, 'type=us_state&period=2026-05&jurisdiction_id=US-KS')
  expect(filed['supplies']).toMatchObject([
    { gross_sales: 3_000, exempt_sales: 3_000, exempt_by_reason: { resale: 3_000, other: 0 } },
  ])
})

it('us_state asks for no rate of sales in states without a registration', async () => {
  const { key } = await seller({ country: 'US', region: 'CA' }, 'US-CA')
  for (const region of ['WA', 'CA'])
    await created(key, sale('US', '2026-05-01', 700, 'physical_goods', to('US', region)))
  const { unconverted } = await file(key, 'type=us_state&period=2026-05')
  expect(unconverted).toMatchObject([{ currency: 'EUR', net_amount: 700 }])
})

it('us_state leaves out states without a registration, and names exempt sales by reason', async () => {
  const { key } = await seller({ country: 'US', region: 'CA' }, 'US-CA')
  const usd = (region: string) => ({ currency: 'USD', ...to('US', region) })
  await created(key, sale('US', '2026-05-01', 10_000, 'physical_goods', usd('CA')))
  await created(key, sale('US', '2026-05-01', 1_000, 'groceries', usd('CA')))
  await created(key, sale('US', '2026-05-01', 600, 'basic_food', usd('CA')))
  await created(key, sale('US', '2026-05-01', 400, 'baby_food', usd('CA')))
  await created(key, sale('US', '2026-05-01', 50_000, 'physical_goods', usd('WA')))
  const filed = await file(key, 'type=us_state&period=2026-05')
  expect(filed['supplies']).toMatchObject([
    {
      jurisdiction_id: 'US-CA',
      gross_sales: 12_000,
      exempt_sales: 2_000,
      uncollected_sales: 0,
      exempt_by_reason: { food: 2_000, resale: 0, other: 0 },
    },
  ])
  expect(String(filed['notes'])).toContain('US-WA')
  expect((await file(key, 'type=us_state&period=2026-05&jurisdiction_id=US-NY'))['supplies']).toEqual([])
  const { rows } = (await get(key, '/v1/reports/summary?from_date=2026-05-01&to_date=2026-05-31')) as {
    rows: Body[]
  }
  expect(rows.find((row) => row['jurisdiction_id'] === 'US-WA')).toMatchObject({
    exempt_sales: 0,
    uncollected_sales: 50_000,
  })
})

it('retail thresholds leave out sales for resale and count sales to governments', async () => {
  const { key } = await newAccount()
  const certificate = async (exemption_type: string) => {
    const customer = await call('POST', '/v1/customers', {
      key,
      body: { name: exemption_type, address: { country: 'US', region: 'TN', postal_code: '37201' } },
    })
    const path = `/v1/customers/${String(customer.body['id'])}/exemptions`
    const body = {
      jurisdiction_id: 'US-TN',
      exemption_type,
      certificate_number: '1',
      valid_from: '2020-01-01',
    }
    const held = await call('POST', path, { key, body })
    await call('PUT', `${path}/${String(held.body['id'])}`, { key, body: { status: 'verified' } })
    return String(customer.body['id'])
  }
  const sell = async (amount: number, customer: object) =>
    created(key, {
      currency: 'USD',
      line_items: [{ amount, product_type: 'physical_goods' }],
      seller: { country: 'US', region: 'CA', registrations: ['US-CA'] },
      ...customer,
    })
  await sell(8_000_000, to('US', 'TN'))
  await sell(5_000_000, { customer_id: await certificate('resale') })
  await sell(1_000_000, { customer_id: await certificate('government') })
  const nexus = (await get(key, '/v1/nexus'))['jurisdictions'] as Body[]
  expect(nexus.find((row) => row['jurisdiction_id'] === 'US-TN')).toMatchObject({
    status: 'approaching',
    progress: { amount: 9_000_000 },
  })
})

it('shows one row for the distance sales of the Union, by the threshold of the seller’s state', async () => {
  const { key } = await seller({ country: 'DE' }, 'DE')
  const today = new Date().toISOString().slice(0, 10)
  for (const country of ['IT', 'FR', 'AT']) await created(key, sale(country, today, 10_000, 'saas'))
  const rows = ((await get(key, '/v1/nexus'))['jurisdictions'] as Body[]).filter(
    (row) => row['jurisdiction_id'] === 'EU',
  )
  expect(rows).toMatchObject([{ threshold: { jurisdiction_id: 'DE' }, progress: { amount: 30_000 } }])
})

it('lists unconverted sales only if the form counts them', async () => {
  const { key } = await seller({ country: 'DE' }, 'DE')
  await created(
    key,
    sale('US', '2026-05-01', 10_000, 'physical_goods', { currency: 'USD', ...to('US', 'NY') }),
  )
  expect(await file(key, 'type=uk_vat100&period=2026-Q2')).toMatchObject({
    unconverted: [],
    nil_return: true,
  })
})

it('is no nil return before the end of its period', async () => {
  const { key } = await newAccount()
  expect(await file(key, 'type=oss_union&period=2099-Q1')).toMatchObject({
    period_ended: false,
    nil_return: false,
  })
})

it('counts UK quarters by stagger group, and years by the fiscal year', async () => {
  const filing = { uk_stagger: 2, fiscal_year_start: 7 }
  const { key } = await seller({ country: 'GB', filing }, 'GB')
  const days = async (query: string) => {
    const filed = await file(key, query)
    return [filed['from_date'], filed['to_date']]
  }
  expect(await days('type=uk_vat100&period=2026-Q1')).toEqual(['2026-02-01', '2026-04-30'])
  expect(await days('type=uk_vat100&period=2026-Q4')).toEqual(['2026-11-01', '2027-01-31'])
  expect(await days('type=generic&period=2026')).toEqual(['2025-07-01', '2026-06-30'])
  expect(await days('type=generic&period=2026-02..2026-05')).toEqual(['2026-02-01', '2026-05-31'])
  expect(await days('type=au_bas&period=2026-Q1')).toEqual(['2026-01-01', '2026-03-31'])
})

/** Every figure of every form: the lines of its link add up to it. */
describe('each figure is the sum of the lines of its link', () => {
  const FORMS: [string, string, object, string[], object[]][] = [
    [
      'oss_union',
      '2026-Q3',
      { country: 'DE' },
      ['DE', 'oss_union'],
      [to('FR'), to('IT'), to('DE'), to('AT')],
    ],
    ['uk_vat100', '2026-Q3', { country: 'GB' }, ['GB'], [to('GB'), to('IM'), to('US', 'NY'), to('DE')]],
    [
      'us_state',
      '2026-Q3',
      { country: 'US', region: 'CA' },
      ['US-CA', 'US-NY'],
      [to('US', 'CA'), to('US', 'NY'), to('US', 'WA')],
    ],
    [
      'ca_gst34',
      '2026-Q3',
      { country: 'CA', region: 'ON' },
      ['CA', 'CA-QC', 'CA-BC'],
      [to('CA', 'ON'), to('CA', 'QC'), to('CA', 'BC'), to('US', 'NY')],
    ],
    ['au_bas', '2026-Q3', { country: 'AU' }, ['AU'], [to('AU'), to('NZ')]],
    ['nz_gst101a', '2026-09', { country: 'NZ' }, ['NZ'], [to('NZ'), to('AU')]],
    ['generic', '2026-Q3', { country: 'DE' }, ['DE'], [to('DE'), to('FR'), to('US', 'NY')]],
  ]
  const currency = { uk_vat100: 'GBP', us_state: 'USD', ca_gst34: 'CAD', au_bas: 'AUD', nz_gst101a: 'NZD' }

  it.each(FORMS)('%s', async (type, period, profile, registrations, customers) => {
    const { key } = await seller(profile, ...registrations)
    const ids: string[] = []
    let dice = 7
    const roll = (most: number) => (dice = (dice * 16_807) % 2_147_483_647) % most
    for (let index = 0; index < 24; index += 1)
      ids.push(
        await created(key, {
          ...customers[index % customers.length],
          currency: Reflect.get(currency, type) ?? 'EUR',
          transaction_date: `2026-0${[4, 7, 8, 9][roll(4)]}-${10 + roll(18)}`,
          line_items: ['physical_goods', 'groceries', 'books', 'shipping']
            .slice(0, 1 + roll(4))
            .map((product_type) => ({ amount: 1_000 + roll(9_000), product_type })),
        }),
      )
    for (const id of ids.filter((_, index) => index % 3 === 0))
      await refund(key, id, { amount: 1 + roll(900), refunded_at: `2026-09-${28 + roll(3)}` })
    const filed = await file(key, `type=${type}&period=${period}`)
    type Figure = { transactions_url: string | null; amount?: number; tax_amount: number }
    const figures = ['boxes', 'supplies', 'corrections', 'jurisdiction_taxes'].flatMap(
      (name) => filed[name] as Figure[],
    )
    let followed = 0
    for (const { transactions_url, amount, tax_amount } of figures) {
      if (transactions_url === null) continue
      followed += 1
      const lines = await linesOf(key, transactions_url)
      const sum = (name: string) => lines.reduce((total, line) => total + (line[name] ?? 0), 0)
      expect([transactions_url, sum('figure_amount')]).toEqual([transactions_url, amount ?? tax_amount])
      if (amount === undefined && !transactions_url.includes('figure=tax.'))
        expect(sum('tax_amount')).toBe(tax_amount)
    }
    expect(followed).toBeGreaterThan(1)
  })
})
