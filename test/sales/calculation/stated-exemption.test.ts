import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

const EXEMPTION = {
  exemption_type: 'government',
  certificate_number: 'G-17',
  jurisdictions: ['us-tx', 'US-FL'],
}
const SALE = {
  currency: 'USD',
  seller: { country: 'US', region: 'NY', registrations: ['US-TX'] },
  customer: { address: { country: 'US', region: 'TX' } },
  line_items: [
    { amount: 10_000, product_type: 'physical_goods', exemption: EXEMPTION },
    { amount: 10_000, product_type: 'physical_goods' },
  ],
}
const STATED = { ...EXEMPTION, jurisdictions: ['US-TX', 'US-FL'] }

it('a guest states an exemption, and the answer repeats it on its line', async () => {
  const { body, text } = await call('POST', '/v1/calculate', { key, body: SALE })
  expect(body, text).toMatchObject({
    tax_amount: 625,
    exemption: { id: null, jurisdiction_id: 'US-TX', exemption_type: 'government' },
    line_items: [{ tax_amount: 0, taxability_reason: 'customer_exempt', exemption: STATED }, {}],
  })
  expect((body['line_items'] as object[])[1]).not.toHaveProperty('exemption')
})

it('a recorded sale keeps it as it was stated, and its refund gives back no tax', async () => {
  const { body: sale, text } = await call('POST', '/v1/transactions', { key, body: SALE })
  const lines = sale['line_items'] as { id: string }[]
  expect(sale, text).toMatchObject({
    tax_amount: 625,
    certificates: [
      {
        exemption_id: null,
        jurisdiction_id: 'US-TX',
        exemption_type: 'government',
        certificate_number: 'G-17',
        line_items: [lines[0]?.id],
      },
    ],
  })
  const path = `/v1/transactions/${String(sale['id'])}/refund`
  const refund = { reason: 'returned', line_items: [{ id: lines[0]?.id }] }
  const { body, text: said } = await call('POST', path, { key, body: refund })
  expect(body, said).toMatchObject({ refund: { amount: 10_000, tax_amount: 0 } })
})

it('a calculation that is given back keeps it', async () => {
  const { body: calculation } = await call('POST', '/v1/calculate', { key, body: SALE })
  const { seller, customer } = SALE
  const { body, text } = await call('POST', '/v1/transactions', {
    key,
    body: { seller, customer, calculation },
  })
  expect(body, text).toMatchObject({ tax_variance: 0, certificates: [{ certificate_number: 'G-17' }] })
})

it('a return of the state lists the sale as exempt by the reason that was stated', async () => {
  const own = await newAccount()
  const sale = { ...SALE, transaction_date: '2026-05-04' }
  await call('POST', '/v1/transactions', { key: own.key, body: sale })
  const query = 'type=us_state&period=2026-05&jurisdiction_id=US-TX'
  const { body, text } = await call('GET', `/v1/reports/filing?${query}`, { key: own.key })
  expect(body, text).toMatchObject({
    supplies: [{ exempt_sales: 10_000, exempt_by_reason: { government: 10_000 } }],
  })
})

it.each([
  [{ jurisdictions: ['US-XX'] }, 'line_items[0].exemption.jurisdictions[0]'],
  [{ jurisdictions: [] }, 'line_items[0].exemption.jurisdictions'],
  [{ jurisdictions: Array(101).fill('US-TX') }, 'line_items[0].exemption.jurisdictions'],
  [{ exemption_type: 'friend' }, 'line_items[0].exemption.exemption_type'],
  [{ certificate_number: '' }, 'line_items[0].exemption.certificate_number'],
])('refuses %j and names %s', async (wrong, path) => {
  for (const route of ['/v1/calculate', '/v1/transactions']) {
    const line = { amount: 100, product_type: 'physical_goods', exemption: { ...EXEMPTION, ...wrong } }
    const { status, text } = await call('POST', route, { key, body: { ...SALE, line_items: [line] } })
    expect(status, text).toBeGreaterThanOrEqual(400)
    expect(status, text).toBeLessThan(500)
    expect(text).toContain(path)
  }
})
