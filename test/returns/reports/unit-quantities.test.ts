import { exports } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call, newAddress } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { created } from '../../sales/transactions/sales.ts'

await loadTestData()

/** 1.5 kg, two pieces by their unit price, and three pieces by the price of the line. */
const LINES = [
  { unit_amount: 1_000, quantity: 1.5, product_type: 'physical_goods', description: 'Rope' },
  { unit_amount: 500, quantity: 2, product_type: 'physical_goods', description: 'Hooks' },
  { amount: 900, quantity: 3, product_type: 'physical_goods', description: 'Nails' },
]
const TOLD = [
  { description: 'Rope', quantity: 1, unit_quantity: 1.5 },
  { description: 'Hooks', quantity: 2, unit_quantity: 2 },
  { description: 'Nails', quantity: 3, unit_quantity: null },
]
const BACK = { entry: 'refund', quantity: null, unit_quantity: null }

it('quantities of unit prices are in lists of lines, records and SAF-T as they were sold', async () => {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country: 'DE', time_zone: 'UTC' } })
  for (const body of [{ jurisdiction_id: 'DE' }, { scheme: 'oss_union' }])
    await call('POST', '/v1/registrations', { key, body: { valid_from: '2020-01-01', ...body } })
  const id = await created(key, {
    customer: { address: { country: 'FR' } },
    currency: 'EUR',
    transaction_date: '2026-08-03',
    invoice_number: 'R-1',
    line_items: LINES,
  })
  const refund = { reason: 'Returned', refunded_at: '2026-08-04', line_items: [{ id: '' }] }
  const recorded = await call('GET', `/v1/transactions/${id}`, { key })
  const [rope] = recorded.body['line_items'] as { id: string }[]
  refund.line_items = [{ id: rope?.id ?? '' }]
  expect((await call('POST', `/v1/transactions/${id}/refund`, { key, body: refund })).status).toBe(200)

  const days = 'from_date=2026-08-01&to_date=2026-08-31'
  const listed = await call('GET', `/v1/reports/lines?${days}`, { key })
  expect(listed.body['lines'], listed.text).toMatchObject([...TOLD, BACK])
  const records = await call('GET', `/v1/reports/oss-records?scheme=oss_union&${days}`, { key })
  expect(records.body['records'], records.text).toMatchObject([...TOLD, BACK])

  const path = '/v1/reports/filing/file?type=oss_union&period=2026-Q3&format=saft_lines_csv'
  const file = await exports.default.fetch(`https://service.test${path}`, {
    headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': newAddress() },
  })
  const text = await file.text()
  expect(file.status, text).toBe(200)
  const [head = '', ...rows] = text.trim().split('\r\n')
  const column = head.replaceAll('"', '').split(',').indexOf('Quantity')
  const quantities = rows.map((row) => row.replaceAll('"', '').split(',')[column])
  expect(quantities).toEqual(['1.5', '2', '3', ''])
})
