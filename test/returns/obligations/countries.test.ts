import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

it('obligations have the days and the currency of a country of digital services', async () => {
  const { key } = await newAccount()
  for (const jurisdiction_id of ['KE', 'CO']) {
    const body = { jurisdiction_id, valid_from: '2026-01-01' }
    expect((await call('POST', '/v1/registrations', { key, body })).status).toBe(201)
  }
  const { status, body, text } = await call('GET', '/v1/obligations?from=2027-01-01&to=2027-01-31', { key })
  expect(status, text).toBe(200)
  expect(body['obligations']).toMatchObject([
    { jurisdiction_id: 'KE', period: '2026-12', due_date: '2027-01-20', currency: 'KES', type: 'generic' },
  ])
  expect(body['without_dates']).toMatchObject([
    {
      jurisdiction_id: 'CO',
      message:
        'The usual frequency of this place is two_monthly, and its due dates are not in the data. ' +
        'The days are set by decree for each year. It files in COP or USD',
    },
  ])
})

it('the sale of a country with a rate of several taxes keeps them, and its credit note has them', async () => {
  const { key } = await newAccount()
  const sold = {
    currency: 'GHS',
    transaction_date: '2026-06-01',
    seller: { country: 'US', registrations: ['GH'] },
    customer: { address: { country: 'GH' } },
    line_items: [{ amount: 999, product_type: 'streaming' }],
  }
  const components = [
    { name: 'VAT', rate: 0.15, tax_amount: 150 },
    { name: 'NHIL', rate: 0.025, tax_amount: 25 },
    { name: 'GETFund levy', rate: 0.025, tax_amount: 25 },
  ]
  const breakdown = [{ tax_amount: 200, components }]
  const calculated = await call('POST', '/v1/calculate', { key, body: { ...sold, einvoice: {} } })
  expect(calculated.body, calculated.text).toMatchObject({
    tax_amount: 200,
    tax_breakdown: breakdown,
    line_items: [{ tax_breakdown: breakdown, einvoice: [{ tax_amount: 200, components }] }],
  })
  const recorded = await call('POST', '/v1/transactions', { key, body: sold })
  expect(recorded.body, recorded.text).toMatchObject({ line_items: [{ tax_breakdown: breakdown }] })
  const id = String(recorded.body['id'])
  const shown = await call('GET', `/v1/transactions/${id}?einvoice=law`, { key })
  expect(shown.body, shown.text).toMatchObject({
    line_items: [{ tax_breakdown: breakdown, einvoice: [{ tax_amount: 200, components }] }],
  })
  const rates = await call('GET', '/v1/rates?jurisdiction=GH&date=2026-06-01', { key })
  expect(JSON.stringify(rates.body), rates.text).toContain('"components":[{"name":"VAT","rate":0.15}')
  const credit = await call('POST', '/v1/transactions', {
    key,
    body: {
      ...sold,
      credit_note_for: { transaction_id: id },
      line_items: [{ amount: -500, product_type: 'streaming' }],
    },
  })
  const given = credit.body['line_items'] as {
    tax_amount: number
    tax_breakdown: { components: { tax_amount: number }[] }[]
  }[]
  const [line] = given ?? []
  expect(line?.tax_amount, credit.text).toBe(-100)
  expect(line?.tax_breakdown[0]?.components.map(({ tax_amount }) => tax_amount)).toEqual([-75, -13, -12])
})

it('states sales of three months beside those of a year', async () => {
  const { key } = await newAccount()
  const decided = (more: object) =>
    call('POST', '/v1/decision/collect', {
      key,
      body: {
        jurisdiction_id: 'UG',
        seller: { country: 'US', registrations: [] },
        product_type: 'streaming',
        date: '2026-11-01',
        sales: { amount: 149_999_900, currency: 'UGX', transaction_count: 10, ...more },
      },
    })
  const open = await decided({})
  expect(open.body, open.text).toMatchObject({ must_register: false })
  expect(String(open.body['notes'])).toContain('Send them in sales.last_3_months')
  const due = await decided({ last_3_months: { amount: 37_500_001, transaction_count: 3 } })
  expect(due.body, due.text).toMatchObject({
    must_register: true,
    threshold: { scope: 'non_resident_3_months' },
  })
})
