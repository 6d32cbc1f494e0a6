import { exports } from 'cloudflare:workers'
import Papa from 'papaparse'
import { expect, it } from 'vitest'
import { created } from '../../sales/transactions/sales.ts'
import { newAccount } from '../../support/account.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

const DAYS = 'from_date=2026-07-01&to_date=2026-09-30'

it.each([
  ['transactions', DAYS, { subtotal_decimal: '19.99', taxable_decimal: '19.99', tax_decimal: '4' }],
  ['lines', DAYS, { net_decimal: '19.99', tax_decimal: '4', figure_decimal: '' }],
  ['summary', DAYS, { gross_sales_decimal: '19.99', tax_collected_decimal: '4', net_tax_decimal: '4' }],
  ['filing', 'type=oss_union&period=2026-Q3', { taxable_decimal: '19.99', tax_decimal: '4' }],
  ['oss_records', `scheme=oss_union&${DAYS}`, { taxable_decimal: '19.99', tax_decimal: '4' }],
])('shows amounts of the %s export as people read them too', async (report, query, wanted) => {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
  const body = { scheme: 'oss_union', valid_from: '2021-07-01' }
  expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
  await created(key, {
    customer: { address: { country: 'FR' } },
    currency: 'EUR',
    transaction_date: '2026-07-05',
    line_items: [{ product_type: 'saas', amount: 1_999 }],
  })
  const url = `https://service.test/v1/reports/export?report=${report}&${query}`
  const headers = { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': newAddress() }
  const text = await (await exports.default.fetch(url, { headers })).text()
  const [head = [], cells = []] = Papa.parse<string[]>(text).data
  const shown = new Map(head.map((name, index) => [name, cells[index]]))
  expect(Object.fromEntries(Object.keys(wanted).map((name) => [name, shown.get(name)])), text).toEqual(wanted)
})
