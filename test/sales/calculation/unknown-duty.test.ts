import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

const seller = { country: 'US', registrations: [] }

it('an unknown duty to register is null, in a decision and in a calculation', async () => {
  const decided = await call('POST', '/v1/decision/collect', {
    key,
    body: {
      jurisdiction_id: 'ZA',
      seller,
      product_type: 'streaming',
      sales: { amount: 900_000_000, currency: 'ZAR', transaction_count: 10 },
      date: '2018-07-01',
    },
  })
  expect(decided.body, decided.text).toMatchObject({
    collect: false,
    reason: 'threshold_unknown',
    must_register: null,
    explanation: expect.stringContaining('it is unknown whether the seller must register'),
  })
  const calculated = await call('POST', '/v1/calculate', {
    key,
    body: {
      currency: 'ZAR',
      transaction_date: '2018-07-01',
      seller,
      customer: { address: { country: 'ZA' } },
      line_items: [{ amount: 10_000, product_type: 'streaming' }],
    },
  })
  expect(calculated.body['decision'], calculated.text).toEqual({
    collect: false,
    reason: 'threshold_unknown',
    must_register: null,
  })
})

it('the sales of three months are refused by name if they are no amount', async () => {
  const sales = { amount: 1, currency: 'MYR', transaction_count: 1, last_3_months: { amount: -1 } }
  const { status, text } = await call('POST', '/v1/decision/collect', {
    key,
    body: { jurisdiction_id: 'MY', seller, sales },
  })
  expect(status).toBe(400)
  expect(text).toContain('sales.last_3_months.amount')
})
