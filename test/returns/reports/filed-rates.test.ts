import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()

type Body = Record<string, unknown>

async function seller(country: string, registration: object) {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country, time_zone: 'UTC' } })
  await call('POST', '/v1/registrations', { key, body: { ...registration, valid_from: '2020-01-01' } })
  return key
}

const sale = (country: string, transaction_date: string, amount: number) => ({
  customer: { address: { country } },
  currency: 'USD',
  transaction_date,
  line_items: [{ amount, product_type: 'saas' }],
})

async function refund(key: string, id: string, amount: number, refunded_at: string): Promise<void> {
  const body = { amount, refunded_at, reason: 'returned' }
  expect((await call('POST', `/v1/transactions/${id}/refund`, { key, body })).status).toBe(200)
}

async function fileReturn(key: string, body: object): Promise<Body> {
  const answer = await call('POST', '/v1/returns', { key, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const filing = async (key: string, query: string) =>
  (await call('GET', `/v1/reports/filing?${query}`, { key })).body

describe('what is given back after its return was filed', () => {
  it('has the rate with which the sale was declared (2006/112/EC art. 369h)', async () => {
    const key = await seller('DE', { scheme: 'oss_union' })
    const id = await created(key, sale('FR', '2026-02-03', 100_000))
    const first = await fileReturn(key, {
      type: 'oss_union',
      period: '2026-Q1',
      fx_rates: 'USD:1.25',
    })
    expect(first['figures']).toMatchObject({ totals: { tax_amount: 16_000 } })
    await refund(key, id, 120_000, '2026-05-05')
    const second = await filing(key, 'type=oss_union&period=2026-Q2')
    expect(second).toMatchObject({
      corrections: [{ period: '2026-Q1', taxable_amount: -80_000, tax_amount: -16_000 }],
      exchange_rates: [{ currency: 'USD', period: '2026-Q1', rate: 1.25, source: 'filed_return' }],
      unconverted: [],
    })
    const asked = await filing(key, 'type=oss_union&period=2026-Q2&fx_rates=2026-Q1:USD:1')
    expect(asked).toMatchObject({ corrections: [{ tax_amount: -20_000 }] })
    const filed = await fileReturn(key, { type: 'oss_union', period: '2026-Q2' })
    const [correction] = (filed['figures'] as Body)['corrections'] as Body[]
    const lines = await call('GET', String(correction?.['transactions_url']), { key })
    expect(lines.body['lines']).toHaveLength(1)
  })

  it('has it in a form that takes only rates of the request, too', async () => {
    const key = await seller('DE', { jurisdiction_id: 'DE' })
    const id = await created(key, sale('DE', '2026-02-03', 100_000))
    const of = { type: 'eu_domestic', jurisdiction_id: 'DE' }
    await fileReturn(key, { ...of, period: '2026-02', fx_rates: 'USD:1.25' })
    await refund(key, id, 119_000, '2026-03-05')
    await created(key, sale('DE', '2026-03-06', 100_000))
    const march = await fileReturn(key, { ...of, period: '2026-03', fx_rates: 'USD:1' })
    // 190.00 at 1 less 190.00 at 1.25.
    expect(march['figures']).toMatchObject({ totals: { tax_amount: 19_000 - 15_200 } })
    const { boxes } = march['figures'] as { boxes: { box: string; transactions_url: string }[] }
    const url = boxes.find(({ box }) => box === '81')?.transactions_url ?? ''
    expect((await call('GET', url, { key })).body['lines']).toHaveLength(2)
  })
})
