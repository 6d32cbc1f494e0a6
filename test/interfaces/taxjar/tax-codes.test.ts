import { describe, expect, it } from 'vitest'
import { CODES } from '../../../src/tax-data/product-codes/code-list.ts'
import { call } from '../../support/service.ts'
import { loadTestData } from '../../support/service-data.ts'
import { ask, newShop } from './asking.ts'

await loadTestData()

const PLACES = [
  { state: 'NY', zip: '10001', city: 'New York' },
  { state: 'TX', zip: '78701', city: 'Austin' },
  { state: 'CA', zip: '94105', city: 'San Francisco' },
  { state: 'PA', zip: '17101', city: 'Harrisburg' },
  { state: 'MN', zip: '55401', city: 'Minneapolis' },
]
const CATALOGUE = [...CODES.values()].filter(({ system, code }) => system === 'taxjar' && code !== '99999')

type TaxedLine = { tax_collectable: number }
type OwnLine = { product_type: string; tax_amount: number }

const shop = await newShop({
  taxjar: { accept_state_only: true },
  registrations: PLACES.map(({ state }) => `US-${state}`),
})
const headersOf = (text: string | null) => (text === null ? [] : text.split(', '))

/** The codes of an order with their tax in cents, and those that the headers name. Twenty fit a header. */
async function askTaxes({ state, zip, city }: (typeof PLACES)[number], codes: readonly string[]) {
  const line_items = codes.map((product_tax_code, id) => ({
    id,
    quantity: 1,
    unit_price: 100,
    product_tax_code,
  }))
  const to = { to_country: 'US', to_state: state, to_zip: zip, to_city: city }
  const { key } = shop
  const said = await ask('POST', '/v2/taxes', { key, body: { ...to, shipping: 0, line_items } })
  expect(said.status, said.text).toBe(200)
  const { breakdown } = said.body['tax'] as { breakdown: { line_items: TaxedLine[] } }
  return {
    taxes: breakdown.line_items.map(({ tax_collectable }) => Math.round(tax_collectable * 100)),
    unknown: headersOf(said.headers.get('X-Unknown-Tax-Code')),
    uncertain: headersOf(said.headers.get('X-Uncertain-Tax-Code')),
  }
}

describe('a catalogue of all 846 codes of TaxJar', () => {
  it.each(PLACES)('is taxed in $state by the rule of each type, and no code in silence', async (place) => {
    expect(CATALOGUE.length).toBe(846)
    const types = [...new Set(CATALOGUE.flatMap(({ product_type }) => product_type ?? []))]
    const asked = await call('POST', '/v1/calculate', {
      key: shop.owner,
      body: {
        currency: 'USD',
        rounding: 'document',
        customer: {
          address: { country: 'US', region: place.state, postal_code: place.zip, city: place.city },
        },
        line_items: types.map((product_type) => ({ amount: 10_000, product_type })),
        // Meals that are delivered are taxed where they go, as those of the order.
        shipping_cost: { amount: 0 },
      },
    })
    expect(asked.status, asked.text).toBe(200)
    const lines = asked.body['line_items'] as OwnLine[]
    const taxOf = new Map(lines.map(({ product_type, tax_amount }) => [product_type, tax_amount]))
    let told = 0
    for (let first = 0; first < CATALOGUE.length; first += 20) {
      const part = CATALOGUE.slice(first, first + 20)
      const said = await askTaxes(
        place,
        part.map(({ code }) => code),
      )
      part.forEach(({ code, product_type, certainty }, index) => {
        const tax = said.taxes[index] ?? Number.NaN
        const expected = certainty === 'not_taxable' ? 0 : taxOf.get(product_type ?? 'physical_goods')
        // The tax of the whole order is rounded once, so a line may differ by a cent.
        expect(Math.abs(tax - (expected ?? Number.NaN)), `${code} ${product_type}`).toBeLessThanOrEqual(1)
        expect(said.unknown.includes(code), code).toBe(certainty === 'none')
        expect(said.uncertain.includes(code), code).toBe(certainty === 'broader')
        if (certainty === 'none') told += 1
      })
    }
    expect(told).toBe(CATALOGUE.filter(({ certainty }) => certainty === 'none').length)
  })
})

it('says how many of the codes are mapped', () => {
  const count = (...certainties: string[]) =>
    CATALOGUE.filter(({ certainty }) => certainties.includes(certainty)).length
  expect(count('exact', 'near')).toBe(660)
  expect(count('broader')).toBe(72)
  expect(count('not_taxable')).toBe(1)
  expect(count('none')).toBe(113)
})

it('names at most 20 unknown codes in its header, and only in ASCII', async () => {
  const [place] = PLACES
  if (place === undefined) throw new Error('There is a place')
  const codes = Array.from({ length: 25 }, (_, index) => `x${index}`)
  const { unknown } = await askTaxes(place, codes)
  expect(unknown).toHaveLength(21)
  expect(unknown.at(-1)).toBe('and 5 more')
  expect((await askTaxes(place, ['Käse, alt'])).unknown).toEqual(['K?se??alt'])
})

it('tells the codes of recorded orders, and refuses them with the words of TaxJar if asked to', async () => {
  const order = {
    transaction_date: '2026-05-14',
    to_country: 'US',
    to_state: 'PA',
    to_zip: '17101',
    amount: 106,
    shipping: 0,
    sales_tax: 6,
    line_items: [{ unit_price: 106, product_tax_code: '53102800A0000', sales_tax: 6 }],
  }
  const post = (transaction_id: string) =>
    ask('POST', '/v2/transactions/orders', { key: shop.key, body: { ...order, transaction_id } })
  const made = await post('told-1')
  expect(made.status, made.text).toBe(201)
  expect(made.headers.get('X-Unknown-Tax-Code')).toBe('53102800A0000')
  await call('PUT', '/v1/account', { key: shop.owner, body: { unknown_codes: 'refuse' } })
  const refused = await post('told-2')
  expect(refused.status).toBe(400)
  expect(refused.body['detail']).toBe('line_items include invalid tax codes: 53102800A0000')
})

it('lists all codes that have a type', async () => {
  const { key } = await newShop()
  const { body } = await ask('GET', '/v2/categories', { key })
  expect(body['categories']).toHaveLength(732)
})
