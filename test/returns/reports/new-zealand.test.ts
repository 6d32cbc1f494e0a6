import { expect, it } from 'vitest'
import { nzGst101a } from '../../../src/returns/forms/nz-gst101a.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()

type Box = { box: string; amount: number | null; note: string | null; transactions_url: string | null }

/** An account that is established and registered in New Zealand. */
async function newSeller(): Promise<string> {
  const { key } = await newAccount()
  expect((await call('PUT', '/v1/account', { key, body: { country: 'NZ' } })).status).toBe(200)
  const registration = { jurisdiction_id: 'NZ', valid_from: '2020-01-01' }
  expect((await call('POST', '/v1/registrations', { key, body: registration })).status).toBe(201)
  return key
}

const sale = (country: string, amount: number) => ({
  customer: { address: { country } },
  currency: 'NZD',
  transaction_date: '2026-09-14',
  line_items: [{ amount, product_type: 'physical_goods' }],
})

async function boxesOf(key: string): Promise<Record<string, Box>> {
  const answer = await call('GET', '/v1/reports/filing?type=nz_gst101a&period=2026-09', { key })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toMatchObject({ currency: 'NZD', nil_return: false })
  return Object.fromEntries((answer.body['boxes'] as Box[]).map((box) => [box.box, box]))
}

it('fills in the GST return: sales with GST and exports; boxes for purchases are null', async () => {
  const key = await newSeller()
  await created(key, sale('NZ', 200_000))
  await created(key, sale('AU', 50_000))
  const boxes = await boxesOf(key)
  expect(Object.entries(boxes).map(([box, { amount }]) => [box, amount])).toEqual([
    ['5', 280_000],
    ['6', 50_000],
    ['7', 230_000],
    ['8', 30_000],
    ['9', null],
    ['10', 30_000],
    ['11', null],
    ['12', null],
    ['13', null],
    ['14', null],
    ['15', null],
  ])
  for (const { amount, note } of Object.values(boxes)) expect(amount !== null || note !== null).toBe(true)
  const needed = ['12', '14', '15'].map((box) => boxes[box]?.note)
  expect(needed).toEqual(['Needs box 11', 'Needs box 11', 'Needs box 14'])
  const behind = await call('GET', String(boxes['5']?.transactions_url), { key })
  expect(behind.body['lines']).toHaveLength(2)
})

it('notes the GST of the invoices if it differs from three twenty-thirds of the sales', async () => {
  const key = await newSeller()
  for (let count = 0; count < 4; count += 1) await created(key, sale('NZ', 3))
  const boxes = await boxesOf(key)
  expect(boxes['8']).toMatchObject({ amount: 2, note: expect.stringContaining('0') })
})

it('lessens box 5 by credit notes, and says where box 13 takes them instead', async () => {
  const key = await newSeller()
  const id = await created(key, { ...sale('NZ', 20_000), transaction_date: '2026-08-14' })
  const body = { amount: 11_500, reason: 'returned', refunded_at: '2026-09-20T10:00:00Z' }
  expect((await call('POST', `/v1/transactions/${id}/refund`, { key, body })).status).toBe(200)
  const boxes = await boxesOf(key)
  expect([boxes['5'], boxes['8'], boxes['13']]).toMatchObject([
    { amount: -11_500 },
    { amount: -1_500 },
    { amount: null },
  ])
  const { body: filed } = await call('GET', '/v1/reports/filing?type=nz_gst101a&period=2026-09', { key })
  expect(filed['notes']).toContainEqual(expect.stringContaining('box 13'))
})

it('decides for a seller abroad by its sales into New Zealand', async () => {
  const { key } = await newAccount()
  const asked = {
    jurisdiction_id: 'NZ',
    seller: { country: 'AU', registrations: [] },
    customer: { address: { country: 'NZ' }, type: 'individual' },
    product_type: 'saas',
    sales: { amount: 6_000_001, currency: 'NZD', transaction_count: 10 },
  }
  const over = await call('POST', '/v1/decision/collect', { key, body: asked })
  expect(over.body).toMatchObject({ collect: false, reason: 'threshold_exceeded', must_register: true })
  const sales = { ...asked.sales, amount: 1_000_000 }
  const under = await call('POST', '/v1/decision/collect', { key, body: { ...asked, sales } })
  expect(under.body).toMatchObject({ collect: false, reason: 'below_threshold', must_register: false })
})

it('refuses a quarter', async () => {
  const key = await newSeller()
  const answer = await call('GET', '/v1/reports/filing?type=nz_gst101a&period=2026-Q3', { key })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('must be a month')
})

it('takes the tax fraction from the rate of the period', () => {
  const scope = {
    period: { name: '2010-09', kind: 'month', from: '2010-09-01', to: '2010-09-30' } as const,
    jurisdiction_id: null,
    boxes: new Map(),
    seller: { country: 'NZ', registrations: ['NZ'] },
    rateTypeOf: () => null,
  }
  const namesAt = (rate: number) =>
    nzGst101a.fill([], { ...scope, standardRateOf: () => rate }).boxes.map(({ name }) => name)
  expect(namesAt(150_000)).toContain('Box 7 multiplied by 3 and divided by 23')
  expect(namesAt(125_000)).toContain('Box 7 multiplied by 1 and divided by 9')
})
