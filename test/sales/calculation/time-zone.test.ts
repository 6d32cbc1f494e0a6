import { expect, it } from 'vitest'
import { dayOfRequest } from '../../../src/sales/calculation/day-of-request.ts'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

const { key } = await newAccount()
const profile = { country: 'NZ', time_zone: 'Pacific/Auckland' }
expect((await call('PUT', '/v1/account', { key, body: profile })).status).toBe(200)

const sale = (transaction_date: string | undefined) => ({
  currency: 'EUR',
  seller: { country: 'DE' },
  customer: { address: { country: 'DE' } },
  line_items: [{ amount: 10_000, product_type: 'saas' }],
  transaction_date,
})

it.each([
  // German VAT was 16 % in the second half of 2020.
  ['2020-06-30T11:59:59Z', '2020-06-30', 1_900],
  ['2020-06-30T12:00:00Z', '2020-07-01', 1_600],
  ['2020-06-30', '2020-06-30', 1_900],
])('the law of %s is that of %s for an account in Auckland', async (given, day, tax_amount) => {
  const { body } = await call('POST', '/v1/calculate', { key, body: sale(given) })
  expect(body).toMatchObject({ transaction_date: day, tax_amount })
})

it('answers rates, thresholds and decisions for the day of the account', async () => {
  const moment = encodeURIComponent('2020-06-30T12:00:00Z')
  const rates = await call('GET', `/v1/rates?jurisdiction=DE&date=${moment}`, { key })
  expect(rates.body).toMatchObject({ date: '2020-07-01', combined_rate: 0.16 })
})

it.each([
  ['2026-06-30T11:59:59Z', '2026-06-30'],
  ['2026-06-30T12:00:00Z', '2026-07-01'],
])('at %s it is %s in Auckland', (now, today) => {
  const principal = { time_zone: 'Pacific/Auckland' }
  expect(dayOfRequest({ principal, now: new Date(now) }, null)).toBe(today)
})

it('answers a moment after the end of the calendar without a fault', async () => {
  const { status } = await call('POST', '/v1/calculate', { key, body: sale('9999-12-31T23:59:59Z') })
  expect(status).toBeLessThan(500)
})
