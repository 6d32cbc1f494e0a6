import fc from 'fast-check'
import { expect, it } from 'vitest'
import { assessSale } from '../../src/engine/answer/assess.ts'
import { PRODUCT_TYPES } from '../../src/engine/book/product-types.ts'
import * as country_alone from '../../src/engine/supply/country-alone.ts'
import type { Address } from '../../src/engine/sale/sale.ts'
import { book, saleOf } from './sale.ts'

function assessed(address: Address, product_type: string, allowed: boolean, amount = 10_000) {
  const from = { country: 'US', region: 'NY' }
  const lines = [{ amount, product_type }]
  const sale = saleOf({ from, to: address, currency: 'USD', lines, seller_registered: true })
  return assessSale({ ...sale, country_alone: allowed ? country_alone : null }, book, null)
}

it('refuses a country whose states levy the tax, unless the request allows it', () => {
  for (const country of ['US', 'CA'])
    expect(() => assessed({ country }, 'saas', false)).toThrow('is required')
})

it('has the federal tax of Canada by the rules of the product, and no tax of a province', () => {
  expect(assessed({ country: 'CA' }, 'saas', true)).toMatchObject({ jurisdiction_id: 'CA', tax_amount: 500 })
  expect(assessed({ country: 'CA' }, 'groceries', true)).toMatchObject({
    tax_amount: 0,
    lines: [{ taxability_reason: 'zero_rated' }],
  })
})

it('computes no tax in the United States, and does not say that none is due', () => {
  expect(assessed({ country: 'US' }, 'saas', true)).toMatchObject({
    jurisdiction_id: 'US',
    tax_amount: 0,
    lines: [{ taxability_reason: 'not_supported' }],
  })
  expect(country_alone.notesOnCountry(book, { country: 'US' })).toEqual([
    expect.stringMatching(/^Attention: the address names the United States alone.*It may be due/),
  ])
})

it('changes nothing where the address names more, or the country decides', () => {
  const addresses: Address[] = [
    { country: 'US', region: 'TX' },
    { country: 'US', postal_code: '78701' },
    { country: 'CA', region: 'QC' },
    { country: 'DE' },
    { country: 'IL' },
  ]
  const types = PRODUCT_TYPES.map(({ id }) => id)
  fc.assert(
    fc.property(
      fc.constantFrom(...addresses),
      fc.constantFrom(...types),
      fc.nat(1_000_000),
      (to, type, amount) => {
        expect(country_alone.notesOnCountry(book, to)).toEqual([])
        expect(outcome(to, type, true, amount)).toEqual(outcome(to, type, false, amount))
      },
    ),
  )
})

function outcome(...asked: Parameters<typeof assessed>): object {
  try {
    return assessed(...asked)
  } catch (thrown) {
    return { refused: String(thrown) }
  }
}
