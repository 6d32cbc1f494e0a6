import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()

const { key } = await newAccount({ tier: 'enterprise' })
const CART = {
  currency: 'USD',
  customer: { address: { country: 'CA' } },
  seller_registered: true,
  line_items: [{ product_type: 'saas', amount: 10_000 }],
}
const calculate = (more: object) => call('POST', '/v1/calculate', { key, body: { ...CART, ...more } })

describe('an address that names a country alone', () => {
  it('is refused, also by the policy `strict`, and another policy is no value', async () => {
    for (const more of [{}, { place_policy: 'strict' }, { place_policy: null }])
      expect((await calculate(more)).text).toContain('region_required')
    expect(await calculate({ place_policy: 'guess' })).toMatchObject({ status: 400 })
  })

  it('is answered by the policy `approximate` with a note, and recorded as it was quoted', async () => {
    const quote = await calculate({ place_policy: 'approximate' })
    expect(quote.body, quote.text).toMatchObject({
      jurisdiction_id: 'CA',
      tax_amount: 500,
      stated: { place_policy: 'approximate' },
      notes: expect.arrayContaining([expect.stringContaining('names Canada alone')]),
    })
    const sale = await call('POST', '/v1/transactions', {
      key,
      body: { calculation: quote.body, customer: CART.customer },
    })
    expect(sale.body, sale.text).toMatchObject({ jurisdiction_id: 'CA', tax_amount: 500, tax_variance: 0 })
    const { seller_registered: _, ...cart } = CART
    expect((await call('POST', '/v1/transactions', { key, body: cart })).text).toContain('region_required')
  })

  it('has no such note if the address names the province', async () => {
    const customer = { address: { country: 'CA', region: 'ON' } }
    const answer = await calculate({ customer, place_policy: 'approximate' })
    expect(answer.body).toMatchObject({ jurisdiction_id: 'CA-ON', tax_amount: 1_300 })
    expect(answer.text).not.toContain('Attention')
  })
})
