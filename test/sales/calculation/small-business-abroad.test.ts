import { expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

it('a small business names the member states of its EX number', async () => {
  const sale = {
    currency: 'EUR',
    seller: { country: 'DE', registrations: ['fr-ex'], over_eu_threshold: true },
    customer: { address: { country: 'FR' } },
    line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
  }
  const { body, text } = await call('POST', '/v1/calculate', { key, body: sale })
  expect(body, text).toMatchObject({ line_items: [{ taxability_reason: 'small_business' }] })
  const wrong = { ...sale, seller: { country: 'DE', registrations: ['US-EX'] } }
  expect((await call('POST', '/v1/calculate', { key, body: wrong })).text).toContain(
    'seller.registrations[0]',
  )
})

it('an account registers its EX number like a jurisdiction', async () => {
  const own = await newAccount()
  const registration = {
    jurisdiction_id: 'FR-EX',
    registration_number: 'DE136695976EX',
    valid_from: '2025-01-01',
  }
  const made = await call('POST', '/v1/registrations', { key: own.key, body: registration })
  expect(made.status, made.text).toBe(201)
  await call('PUT', '/v1/account', { key: own.key, body: { country: 'DE' } })
  const sale = {
    currency: 'EUR',
    seller: { country: 'DE', over_eu_threshold: true },
    customer: { address: { country: 'FR' } },
    line_items: [{ amount: 10_000, product_type: 'physical_goods' }],
  }
  const { body, text } = await call('POST', '/v1/calculate', { key: own.key, body: sale })
  expect(body, text).toMatchObject({ line_items: [{ taxability_reason: 'small_business' }] })
  expect((await call('GET', '/v1/obligations', { key: own.key })).status).toBe(200)
  expect((await call('GET', '/v1/nexus', { key: own.key })).status).toBe(200)
})
