import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../transactions/sales.ts'

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
  await loadTestData()
})
afterEach(() => vi.useRealTimers())

const HOME = { country: 'US', region: 'TX' }
const TO_WASHINGTON = { country: 'US', region: 'WA' }
const stock = (from: string, to: string | null = null, region = 'WA') => ({
  country: 'US',
  region,
  kind: 'stock',
  from,
  to,
})

async function seller(...establishments: object[]): Promise<string> {
  const { key } = await newAccount()
  const { status, text } = await call('PUT', '/v1/account', { key, body: { ...HOME, establishments } })
  expect(status, text).toBe(200)
  return key
}

const sale = (amount: number, date: string) => ({
  customer: { address: TO_WASHINGTON },
  currency: 'USD',
  transaction_date: date,
  line_items: [{ amount, product_type: 'physical_goods' }],
})

type Exposure = Record<string, unknown> & { jurisdiction_id: string }
const washington = async (key: string) => {
  const { body } = await call('GET', '/v1/nexus', { key })
  return (body['jurisdictions'] as Exposure[]).find(({ jurisdiction_id }) => jurisdiction_id === 'US-WA')
}

describe('physical presence in GET /v1/nexus', () => {
  it('is nexus from its first day, without a sale and far below the threshold', async () => {
    const key = await seller(stock('2026-03-01'), { ...stock('2026-05-01'), kind: 'staff' })
    expect(await washington(key)).toMatchObject({
      status: 'below',
      nexus_kind: 'physical',
      nexus_since: '2026-03-01',
      physical_presence: [
        { kind: 'stock', from: '2026-03-01', to: null },
        { kind: 'staff', from: '2026-05-01', to: null },
      ],
      progress: { transaction_count: 0 },
      registered: false,
      notes: [expect.stringContaining('warehouse of a marketplace')],
    })
    const { nexus } = (await call('GET', '/v1/overview', { key })).body as { nexus: object }
    expect(nexus).toMatchObject({ exceeded: 1, first: [{ jurisdiction_id: 'US-WA' }] })
  })

  it('counts the tax that was not collected from the first day of presence on', async () => {
    const key = await seller(stock('2026-03-01'))
    await created(key, sale(100_000, '2026-02-28T20:00:00Z'))
    await created(key, sale(10_000, '2026-03-01T20:00:00Z'))
    expect(await washington(key)).toMatchObject({
      // 6.5 % of 100.00.
      uncollected_tax: [{ currency: 'USD', taxable_amount: 10_000, tax_amount: 650 }],
    })
  })

  it('counts the days of a seller who comes and goes all year', async () => {
    const days = ['03', '06', '09', '12', '15', '18', '21', '24', '27']
    const visits = ['2026-01', '2026-02', '2026-03', '2026-04'].flatMap((month) =>
      days.map((day) => stock(`${month}-${day}`, `${month}-${day}`)),
    )
    const key = await seller(...visits)
    await created(key, sale(10_000, '2026-01-27T20:00:00Z'))
    await created(key, sale(10_000, '2026-01-28T20:00:00Z'))
    await created(key, sale(10_000, '2026-04-03T20:00:00Z'))
    expect(await washington(key)).toMatchObject({ uncollected_tax: [{ taxable_amount: 20_000 }] })
  })

  it('counts each day once, if presence ends, begins again and the threshold is passed', async () => {
    const key = await seller(stock('2026-01-05', '2026-01-31'), stock('2026-01-20', '2026-02-28'))
    await created(key, sale(100_000, '2026-01-04T20:00:00Z'))
    await created(key, sale(10_000, '2026-01-25T20:00:00Z'))
    await created(key, sale(10_000, '2026-03-01T20:00:00Z'))
    expect(await washington(key)).toMatchObject({
      nexus_kind: null,
      nexus_since: null,
      uncollected_tax: [{ taxable_amount: 10_000 }],
      notes: [expect.stringContaining('after its presence has ended')],
    })
    await created(key, sale(10_000_000, '2026-08-14T20:00:00Z'))
    expect(await washington(key)).toMatchObject({
      nexus_kind: 'economic',
      nexus_since: '2026-08-14',
      uncollected_tax: [{ taxable_amount: 10_010_000 }],
    })
  })

  it('asks nothing of a registered seller, and nothing before its day or in a state without a tax', async () => {
    const key = await seller(
      stock('2026-03-01'),
      stock('2026-03-01', null, 'OR'),
      stock('2027-01-01', null, 'GA'),
    )
    await call('POST', '/v1/registrations', {
      key,
      body: { jurisdiction_id: 'US-WA', valid_from: '2026-03-01' },
    })
    const { body } = await call('GET', '/v1/nexus', { key })
    expect(body['jurisdictions']).toMatchObject([
      { jurisdiction_id: 'US-WA', registered: true, nexus_kind: 'physical', uncollected_tax: null },
    ])
  })
})

describe('physical presence in the decision to collect', () => {
  const decide = (key: string, more: object = {}) =>
    call('POST', '/v1/decision/collect', { key, body: { jurisdiction_id: 'US-WA', ...more } })

  it('obliges to register whatever the sales, on its days', async () => {
    const key = await seller(stock('2026-03-01', '2026-09-30'))
    const sales = { amount: 100, currency: 'USD', transaction_count: 1 }
    expect((await decide(key, { date: '2026-09-30', sales })).body).toMatchObject({
      collect: false,
      must_register: true,
      reason: 'threshold_exceeded',
      threshold: null,
      explanation: expect.stringContaining('an office, staff or stock there'),
    })
    for (const date of ['2026-02-28', '2026-10-01'])
      expect((await decide(key, { date, sales })).body).toMatchObject({
        must_register: false,
        reason: 'below_threshold',
      })
  })

  it('is told by the line of a sale', async () => {
    const { key } = await newAccount()
    const ask = async (establishments: string[]) => {
      const body = { ...sale(10_000, '2026-11-01'), seller: { ...HOME, establishments } }
      const { line_items } = (await call('POST', '/v1/calculate', { key, body })).body as {
        line_items: { reason_detail: string }[]
      }
      return line_items[0]?.reason_detail
    }
    expect(await ask(['US-WA'])).toMatch(/due from the first sale, because .* stock there/)
    expect(await ask([])).toMatch(/due once its threshold/)
  })

  it('refuses a state that does not exist', async () => {
    const key = await seller()
    const answer = await decide(key, { seller: { ...HOME, establishments: ['US-ZZ'] } })
    expect(answer.status).toBe(400)
    expect(answer.body['errors']).toMatchObject([{ path: 'seller.establishments[0]' }])
  })
})

describe('the establishments of an account', () => {
  it('take the name of a state and keep its code', async () => {
    const key = await seller(stock('2026-03-01', null, 'Washington'))
    expect((await call('GET', '/v1/account', { key })).body['establishments']).toEqual([stock('2026-03-01')])
  })

  it.each([
    ['region', { ...stock('2026-01-01'), region: 'Nowhere' }],
    ['region', { ...stock('2026-01-01'), region: 'AE' }],
    ['region', { country: 'US', kind: 'stock', from: '2026-01-01' }],
    ['kind', { country: 'US', region: 'WA', from: '2026-01-01' }],
    ['kind', { ...stock('2026-01-01'), kind: 'agent' }],
    ['kind', { country: 'FR', kind: 'stock', from: '2026-01-01' }],
    ['region', { country: 'FR', region: 'Paris', from: '2026-01-01' }],
    ['country', { country: 'CA', region: 'BC', kind: 'stock', from: '2026-01-01' }],
  ])('refuse a wrong %s by its name: %o', async (field, establishment) => {
    const { key } = await newAccount()
    const body = { ...HOME, establishments: [establishment] }
    const { status, body: answer } = await call('PUT', '/v1/account', { key, body })
    expect(status).toBe(400)
    expect(answer['errors']).toMatchObject([{ path: `establishments[0].${field}` }])
  })
})
