import { describe, expect, it } from 'vitest'
import { newAccount } from '../../support/account.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'

await loadTestData()
const { key } = await newAccount()

const post = (path: string, body: object) => call('POST', path, { key, body })

describe('tax_behavior by_place', () => {
  const sale = (country: string, more: object = {}) => ({
    currency: 'EUR',
    seller: { country: 'DE', registrations: ['DE', 'oss_union', 'US-NY'] },
    customer: { address: { country, ...(country === 'US' && { region: 'NY' }) } },
    tax_behavior: 'by_place',
    line_items: [{ amount: 11_900, product_type: 'physical_goods' }],
    ...more,
  })

  it.each([
    ['DE', 'inclusive', 1_900],
    ['US', 'exclusive', 476],
  ])(
    'reads prices in %s as %s of tax, and says so on each line',
    async (country, tax_behavior, tax_amount) => {
      const { body, text } = await post('/v1/calculate', sale(country, { shipping_cost: { amount: 0 } }))
      expect(body, text).toMatchObject({
        tax_amount,
        line_items: [{ tax_behavior }],
        shipping_cost: { tax_behavior },
      })
    },
  )

  it('is a choice of a line alone, too', async () => {
    const line_items = [
      { amount: 11_900, product_type: 'physical_goods' },
      { amount: 10_000, product_type: 'physical_goods', tax_behavior: 'exclusive' },
    ]
    const { body, text } = await post('/v1/calculate', sale('DE', { line_items }))
    expect(body, text).toMatchObject({
      line_items: [{ tax_behavior: 'inclusive', tax_amount: 1_900 }, { tax_behavior: 'exclusive' }],
    })
  })

  it('reads recorded prices alike, calculated or stated', async () => {
    expect((await post('/v1/transactions', sale('DE'))).body).toMatchObject({ total: 11_900 })
    const line_items = [{ amount: 11_900, product_type: 'physical_goods', tax_amount: 1_900 }]
    const { body, text } = await post('/v1/transactions', sale('DE', { line_items }))
    expect(body, text).toMatchObject({ total: 11_900, subtotal: 10_000, tax_variance: 0 })
  })
})
