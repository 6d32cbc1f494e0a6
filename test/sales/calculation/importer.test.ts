import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

const DELIVERED_DUTY_PAID = {
  currency: 'EUR',
  seller: { country: 'US', registrations: ['FR'] },
  ship_from: { country: 'US' },
  importer: 'seller',
  customer: { address: { country: 'FR' } },
  line_items: [{ amount: 50_000, product_type: 'physical_goods' }],
}

it.each(['/v1/calculate', '/v1/transactions'])('%s takes who imports the goods', async (path) => {
  const { body, text } = await call('POST', path, { key, body: DELIVERED_DUTY_PAID })
  expect(body, text).toMatchObject({ tax_amount: 10_000 })
})

it('a batch of calculations takes it, and nobody else can be the importer', async () => {
  const calculations = [DELIVERED_DUTY_PAID, { ...DELIVERED_DUTY_PAID, importer: 'carrier' }]
  const { text } = await call('POST', '/v1/calculate/batch', { key, body: { calculations } })
  expect(text).toContain('"tax_amount":10000')
  expect(text).toContain('importer')
})
