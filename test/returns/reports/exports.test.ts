import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

type Box = { box: string; amount: number | null }

async function boxesOf(
  country: string,
  type: string,
  registrations: string[],
  to: object,
): Promise<Record<string, number | null>> {
  const { key } = await newAccount({ tier: 'enterprise' })
  await call('PUT', '/v1/account', { key, body: { country } })
  for (const jurisdiction_id of registrations) {
    const body = { jurisdiction_id, valid_from: '2020-01-01' }
    expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
  }
  for (const address of [{ country, region: 'ON' }, to]) {
    const sale = await call('POST', '/v1/transactions', {
      key,
      body: {
        currency: country === 'AU' ? 'AUD' : 'CAD',
        transaction_date: '2026-09-10T12:00:00Z',
        customer: { address: country === 'AU' && address !== to ? { country } : address },
        line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
      },
      headers: { 'Idempotency-Key': crypto.randomUUID() },
    })
    expect(sale.status, sale.text).toBe(201)
  }
  const answer = await call('GET', `/v1/reports/filing?type=${type}&period=2026-Q3`, { key })
  expect(answer.status, answer.text).toBe(200)
  return Object.fromEntries((answer.body['boxes'] as Box[]).map(({ box, amount }) => [box, amount]))
}

it.each([
  ['not registered abroad', ['AU']],
  ['registered abroad, where the sale is taxed', ['AU', 'NZ']],
])('an export is on the activity statement without GST: %s', async (_, registrations) => {
  const boxes = await boxesOf('AU', 'au_bas', registrations, { country: 'NZ' })
  expect(boxes).toMatchObject({ G1: 21_000, G2: 10_000, G3: 0, '1A': 1_000 })
})

it.each([
  ['not registered abroad', ['CA']],
  ['registered abroad, where the sale is taxed', ['CA', 'GB']],
])('an export is revenue on the GST/HST return, without tax: %s', async (_, registrations) => {
  const boxes = await boxesOf('CA', 'ca_gst34', registrations, { country: 'GB' })
  expect(boxes).toMatchObject({ '101': 20_000, '103': 1_300 })
})
