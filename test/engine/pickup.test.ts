import { describe, expect, it } from 'vitest'
import { assessSale } from '../../src/engine/answer/assess.ts'
import { readLocalData } from '../../scripts/read-local-data.ts'
import { eu } from '../../src/engine/regimes/eu.ts'
import { openLocalBook } from '../../src/engine/regimes/us-local/local-book.ts'
import { assessed, book, saleOf, type SaleInWords } from './sale.ts'

const local = openLocalBook(readLocalData('test'))
const inStates = (words: SaleInWords) => assessSale(saleOf({ currency: 'USD', ...words }), book, local)

const GOODS = [{ amount: 10_000 }]
const BOSTON = { country: 'US', region: 'MA', postal_code: '02108', city: 'Boston' }

/** A sale of goods for 100.00 that the customer fetches. */
const fetched = (words: Omit<SaleInWords, 'lines' | 'delivery'> & Partial<SaleInWords>) =>
  assessed({ lines: GOODS, delivery: 'pickup', ...words })

describe('goods that the customer fetches', () => {
  it.each([
    ['a German shop, a consumer of France', 'DE', ['DE', 'oss_union'], { country: 'FR' }, 'DE', 1900],
    ['a German shop, a consumer of Switzerland', 'DE', ['DE'], { country: 'CH' }, 'DE', 1900],
    ['a British shop, a consumer of Germany', 'GB', ['GB'], { country: 'DE' }, 'GB', 2000],
    ['a Swiss shop, a consumer of Germany', 'CH', ['CH'], { country: 'DE' }, 'CH', 810],
    ['a Norwegian shop, a consumer of Sweden', 'NO', ['NO'], { country: 'SE' }, 'NO', 2500],
    ['a Japanese shop, a consumer of Australia', 'JP', ['JP'], { country: 'AU' }, 'JP', 1000],
    ['an Australian shop, a consumer of New Zealand', 'AU', ['AU'], { country: 'NZ' }, 'AU', 1000],
    ['a shop of Singapore, a consumer of Malaysia', 'SG', ['SG'], { country: 'MY' }, 'SG', 900],
  ])('bear the tax of the counter: %s', (_, country, registrations, to, place, tax) => {
    const { tax_amount, jurisdiction_id, lines, notes } = fetched({ from: { country }, registrations, to })
    expect([jurisdiction_id, tax_amount, lines[0]?.taxability_reason]).toEqual([place, tax, null])
    expect(notes.join()).not.toMatch(/not used|export|border/)
  })

  it('bear the tax of the province', () => {
    const sale = { from: { country: 'CA', region: 'ON' }, registrations: ['CA'], currency: 'CAD' }
    expect(fetched({ ...sale, to: { country: 'CA', region: 'QC' } })).toMatchObject({
      jurisdiction_id: 'CA-ON',
      tax_amount: 1300,
    })
  })

  it('bear the local taxes of the counter', () => {
    const from = { country: 'US', region: 'CA', postal_code: '94105', city: 'San Francisco' }
    const to = { country: 'US', region: 'CA', postal_code: '90401', city: 'Santa Monica' }
    const sale = { from, to, registrations: ['US-CA'], lines: GOODS, delivery: 'pickup' as const }
    expect(inStates(sale).tax_amount).toBe(863)
    const ship_from = { country: 'US', region: 'NY', postal_code: '10001', city: 'New York' }
    expect(inStates({ ...sale, registrations: ['US-CA', 'US-NY'], ship_from })).toMatchObject({
      jurisdiction_id: 'US-NY',
      coverage: 'local',
      tax_amount: 888,
    })
  })

  it('bear tax in the state of the counter, whatever the state of the customer', () => {
    const to = { country: 'US', region: 'NH', postal_code: '03060', city: 'Nashua' }
    const sale = { from: BOSTON, to, registrations: ['US-MA'], lines: GOODS, delivery: 'pickup' as const }
    expect(inStates(sale)).toMatchObject({ jurisdiction_id: 'US-MA', tax_amount: 625 })
  })

  it('cite the law on goods that nobody transports', () => {
    const { trace } = fetched({
      from: { country: 'DE' },
      registrations: ['DE'],
      to: { country: 'FR' },
      explain: true,
    })
    expect(trace).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ step: 'where', rule: 'counter', outcome: 'DE' }),
        expect.objectContaining({ step: 'place_of_supply', basis: 'Directive 2006/112/EC, art. 31' }),
      ]),
    )
  })

  // Art. 138 frees goods that are dispatched or transported to another member state.
  it('are no supply to another member state, although the business has an id of it', () => {
    const customer = {
      address: { country: 'AT' },
      type: 'business' as const,
      vat_id: { country: 'AT', good: true, invalid: false },
    }
    const from = { country: 'DE' }
    const sale = { from, registrations: ['DE'], to: customer.address, customer }
    expect(fetched(sale)).toMatchObject({ reverse_charge: false, tax_amount: 1900 })
    expect(assessed({ ...sale, lines: GOODS }).tax_amount).toBe(0)
  })

  // Art. 59c counts distance sales and electronic services alone.
  it('count as no distance sale of the one-stop shop', () => {
    const { seller, customer } = saleOf({ from: { country: 'DE' }, to: { country: 'FR' }, lines: GOODS })
    const line = { place_of_supply: 'DE', product_type: 'physical_goods', bears_tax: true }
    const home = { ...line, origin: 'DE', low_value: false }
    expect(eu.schemeOf({ ...home, fetched: true }, seller, customer)).toBe('')
    expect(eu.schemeOf({ ...home, fetched: false }, seller, customer)).toBe('below_eu_threshold')
  })

  it('leave the services of the same sale at their own place', () => {
    const { lines } = fetched({
      from: { country: 'DE' },
      registrations: ['DE', 'oss_union'],
      to: { country: 'FR' },
      lines: [{ amount: 10_000 }, { amount: 10_000, product_type: 'ebooks' }],
    })
    expect(lines.map(({ jurisdiction_id }) => jurisdiction_id)).toEqual(['DE', 'FR'])
  })

  it('take their postage, the parts of a bundle and a meal with them', () => {
    const { lines, shipping } = fetched({
      from: { country: 'DE' },
      registrations: ['DE', 'oss_union'],
      to: { country: 'FR' },
      lines: [
        { amount: 10_000 },
        { amount: 1_000, product_type: 'prepared_food' },
        {
          amount: 1_000,
          bundle: [
            { product_type: 'physical_goods', share_millionths: 500_000 },
            { product_type: 'books', share_millionths: 500_000 },
          ],
        },
      ],
      shipping: { amount: 500 },
    })
    expect([...lines, shipping].map((line) => line?.jurisdiction_id)).toEqual(['DE', 'DE', 'DE', 'DE'])
  })

  it('may be fetched from a stock in another state, where the seller needs a registration', () => {
    const sale = { from: { country: 'DE' }, ship_from: { country: 'PL' }, to: { country: 'DE' } }
    const { jurisdiction_id, decision } = fetched({ ...sale, registrations: ['DE', 'oss_union'] })
    expect(jurisdiction_id).toBe('PL')
    expect(decision).toMatchObject({ collect: false, must_register: true })
  })

  it('need the region of the counter, where the region decides the tax', () => {
    const sale = { from: { country: 'US' }, registrations: ['US-MA'], to: BOSTON }
    expect(() => fetched(sale)).toThrow('give ship_from with its region')
  })

  it('bear no fee for a delivery', () => {
    const from = { country: 'US', region: 'MN', postal_code: '55401', city: 'Minneapolis' }
    const sale = { from, to: from, registrations: ['US-MN', 'us_mn_rdf'], lines: [{ amount: 20_000 }] }
    expect(inStates({ ...sale, delivery: 'pickup' }).fees).toEqual([])
  })
})

describe('a pickup without goods', () => {
  it('changes nothing, and a note says so', () => {
    const sale = { from: { country: 'DE' }, registrations: ['DE', 'oss_union'], to: { country: 'FR' } }
    const lines = [{ amount: 10_000, product_type: 'saas' }]
    const { tax_amount, notes } = assessed({ ...sale, lines, delivery: 'pickup' })
    expect(tax_amount).toBe(2000)
    expect(notes).toEqual([expect.stringContaining('delivery was not used, because no line is goods')])
  })

  it('changes nothing if nobody knows where the goods are', () => {
    const { jurisdiction_id, notes } = fetched({ from: null, registrations: null, to: { country: 'FR' } })
    expect(jurisdiction_id).toBe('FR')
    expect(notes.join()).toContain('delivery was not used')
  })
})

describe('a meal that is delivered', () => {
  it('bears the local taxes of the customer, not those of the seller', () => {
    const from = { country: 'US', region: 'NY', postal_code: '10001', city: 'New York' }
    const to = { country: 'US', region: 'NY', postal_code: '12207', city: 'Albany' }
    const lines = [{ amount: 10_000, product_type: 'prepared_food' }]
    const { lines: taxed } = inStates({ from, to, registrations: ['US-NY'], lines, shipping: { amount: 0 } })
    expect(taxed[0]?.tax_amount).toBe(800)
  })
})
