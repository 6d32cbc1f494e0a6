import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

const asked = (customer: object) => ({
  currency: 'EUR',
  transaction_date: '2026-11-26',
  customer: { address: { country: 'IE' }, vat_id: 'IE6388047V', ...customer },
  line_items: [{ product_type: 'saas', amount: 10_000 }],
})

const UNCONFIRMED = expect.stringMatching(
  /^The authority has not confirmed the VAT id, because .*vat_id_policy/,
)

it('says that tax is charged because no authority has confirmed the VAT id', async () => {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country: 'DE', vat_id_policy: 'validated' } })
  const { body, text } = await call('POST', '/v1/calculate', { key, body: asked({}) })
  expect(body, text).toMatchObject({ tax_amount: 1_900, customer: { vat_id_status: 'format_valid' } })
  expect(body['notes']).toContainEqual(UNCONFIRMED)
  const confirmed = await call('POST', '/v1/calculate', { key, body: asked({ vat_id_validated: true }) })
  expect(confirmed.body).toMatchObject({ tax_amount: 0, reverse_charge: true })
  expect(confirmed.body['notes']).not.toContainEqual(UNCONFIRMED)
})

it('says nothing of it where a right form is enough', async () => {
  const { key } = await newAccount()
  await call('PUT', '/v1/account', { key, body: { country: 'DE' } })
  const { body } = await call('POST', '/v1/calculate', { key, body: asked({}) })
  expect(body).toMatchObject({ tax_amount: 0, reverse_charge: true })
  expect(body['notes']).not.toContainEqual(UNCONFIRMED)
})
