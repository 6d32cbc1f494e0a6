import { describe, expect, it } from 'vitest'
import { PRODUCT_TYPES } from '../../src/engine/book/product-types.ts'
import type { SaleLine } from '../../src/engine/sale/sale.ts'
import { assessed, type SaleInWords } from './sale.ts'

const DE = { country: 'DE' }
const TEXAS = { country: 'US', region: 'TX' }
const EXEMPTION = { id: 'exm', valid_from: '2020-01-01', valid_to: null }

/** Each field alone, with the kinds of line that use it in a sale from Texas to Germany. */
const FIELDS: readonly { name: string; fact: Partial<SaleInWords>; kinds: readonly string[] }[] = [
  { name: 'supply_address', fact: { supply_address: DE }, kinds: ['on_site', 'property', 'performed'] },
  { name: 'ship_from', fact: { ship_from: TEXAS }, kinds: ['goods'] },
  { name: 'importer', fact: { importer: 'seller' }, kinds: ['goods'] },
  // The last type of the second kind belongs to a meal.
  { name: 'delivery', fact: { delivery: 'pickup' }, kinds: ['goods', 'on_site'] },
  { name: 'local_fallback', fact: { local_fallback: 'lowest' }, kinds: [] },
  {
    name: 'exemptions of the customer',
    fact: { exemptions: [{ ...EXEMPTION, jurisdiction_id: 'US-NY', exemption_type: 'other' }] },
    kinds: [],
  },
]

/** Each field of a line alone, with what it needs to have an effect. */
const LINE_FIELDS: readonly { name: string; fact: Partial<SaleLine> }[] = [
  {
    name: 'exemption',
    fact: {
      exemptions: [
        {
          id: null,
          jurisdiction_id: 'DE',
          exemption_type: 'other',
          valid_from: '2026-06-15',
          valid_to: null,
        },
      ],
    },
  },
  { name: 'discount_funded_by', fact: { discount: 10, funded_discount: 10 } },
  { name: 'trade_in', fact: { trade_in: 10 } },
]

/** The kinds whose product bears German tax if it is sold from Texas. */
const TAXED = ['digital', 'on_site', 'property']

/** One product of each kind of line. */
const PRODUCTS = [...new Map(PRODUCT_TYPES.map((product) => [product.kind, product])).values()]

describe.each(FIELDS)('$name', ({ name, fact, kinds }) => {
  it.each(PRODUCTS)('is told if a line of $kind does not use it', ({ id, kind }) => {
    const lines = [{ amount: 100_000, product_type: id }]
    const { notes } = assessed({ from: TEXAS, to: DE, registrations: ['DE'], lines, ...fact })
    const told = notes.some((note) => note.includes(name) && note.includes('not used, because '))
    expect(told, notes.join('\n')).toBe(!kinds.includes(kind))
  })
})

it('a marketplace is told if no tax is left for it', () => {
  const customer = {
    address: DE,
    type: 'business' as const,
    vat_id: { country: 'DE', good: true, invalid: false },
  }
  const words = { from: TEXAS, to: DE, customer, lines: [{ amount: 100, product_type: 'legal_services' }] }
  expect(assessed({ ...words, marketplace: 'facilitated' }).notes.join()).toContain(
    'marketplace was not used',
  )
})

it('nothing is told of a sale without such facts', () => {
  const { notes } = assessed({ from: DE, to: DE, lines: [{ amount: 100 }] })
  expect(notes.join()).not.toContain('not used')
})

/** Products that Germany taxes at another rate than the product of their kind. */
const OTHERS = new Map([
  ['digital', 'ebooks'],
  ['on_site', 'parking'],
  ['property', 'ebooks'],
])

describe('bundle of a line', () => {
  it.each(PRODUCTS)('is told on a line of $kind that does not use it', ({ id, kind }) => {
    const bundle = [id, OTHERS.get(kind) ?? id].map((product_type) => ({
      product_type,
      share_millionths: 500_000,
    }))
    const lines = [{ amount: 100_000, product_type: id, bundle }]
    const words = { from: TEXAS, to: DE, supply_address: DE, registrations: ['DE'], lines }
    const [line] = assessed(words).lines
    const told = line?.notes.some((note) => note.startsWith('bundle was not used, because '))
    expect(told, line?.notes.join('\n')).toBe(!TAXED.includes(kind))
  })
})

describe.each(LINE_FIELDS)('$name of a line', ({ name, fact }) => {
  it.each(PRODUCTS)('is told on a line of $kind that does not use it', ({ id, kind }) => {
    const lines = [{ amount: 100_000, product_type: id, ...fact }]
    const words = { from: TEXAS, to: DE, supply_address: DE, registrations: ['DE'], lines }
    const [line] = assessed(words).lines
    const told = line?.notes.some((note) => note.startsWith(`${name} was not used, because `))
    expect(told, line?.notes.join('\n')).toBe(!TAXED.includes(kind))
  })
})
