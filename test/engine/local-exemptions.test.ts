import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLocalData } from '../../scripts/read-local-data.ts'
import { assessSale } from '../../src/engine/answer/assess.ts'
import { PRODUCT_TYPE_IDS } from '../../src/engine/book/product-types.ts'
import type { Assessment } from '../../src/engine/found/assessment.ts'
import { openLocalBook } from '../../src/engine/regimes/us-local/local-book.ts'
import { placeOfJurisdiction } from '../../src/engine/supply/place.ts'
import { treatProduct } from '../../src/engine/book/product-rules.ts'
import { book, saleOf, type SaleInWords } from './sale.ts'

/** What a state exempts may be taxed by its places: the answer has their tax, or says that it lacks it. */

const local = openLocalBook(readLocalData('test'))
const DAY = '2026-11-23'

const STATES = book.facts.jurisdictions
  .filter(({ id }) => local.state(id.slice(3))?.law.coverage === 'local' && id.startsWith('US-'))
  .map(({ id }) => id.slice(3))

type City = [state: string, postal_code: string, city: string]

function sold([region, postal_code, city]: City, product_type: string, more: Partial<SaleInWords> = {}) {
  const to = { country: 'US', region, ...(postal_code && { postal_code }), ...(city && { city }) }
  const lines = [{ amount: 100_000, product_type }]
  const words = { from: { country: 'US', region: 'DE' }, seller_registered: true, supply_address: to }
  return assessSale(saleOf({ ...words, to, currency: 'USD', day: DAY, lines, ...more }), book, local)
}

const notesOf = ({ lines }: Assessment) => lines.flatMap(({ notes }) => notes).join('\n')

/** The rule of a state for a product, of its sales tax. */
function treatedIn(state: string, product_type: string) {
  const taxes = placeOfJurisdiction(book, `US-${state}`)?.taxes.filter(({ on_top }) => on_top !== true) ?? []
  return treatProduct(book, taxes, product_type, false, DAY)[0] ?? null
}

describe('what a state does not tax', () => {
  it('is told as untaxed by its places only if that is in the data, in each state and for each type', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATES), fc.constantFrom(...PRODUCT_TYPE_IDS), (state, type) => {
        const treatment = treatedIn(state, type)
        fc.pre(treatment !== null && !treatment.taxed && treatment.standard?.rate_millionths !== 0)
        const answer = sold([state, '', ''], type)
        if (answer.lines[0]?.taxability_reason === 'not_subject_to_tax') return
        const silent = !/local tax/i.test(notesOf(answer)) && answer.tax_amount === 0
        if (silent) expect(treatment?.rule?.applies_to, `${state} ${type}`).toBe('state_and_local')
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    [['AL', '35203', 'Birmingham'], 'diapers'],
    [['CO', '80301', 'Boulder'], 'sanitary_products'],
    [['AZ', '85001', 'Phoenix'], 'candy'],
    [['LA', '70801', 'Baton Rouge'], 'candy'],
    [['SC', '29401', 'Charleston'], 'soft_drinks'],
    [['LA', '70801', 'Baton Rouge'], 'prescription_drugs'],
  ] as [City, string][])('%s: the doubt about the local tax on %s is told', (city, type) => {
    const answer = sold(city, type)
    expect(notesOf(answer)).toMatch(/local tax/i)
    if (answer.tax_amount === 0) expect(notesOf(answer)).not.toContain('but for those on all sales')
  })

  it.each([
    [['LA', '70801', 'Baton Rouge'], 'diapers'],
    [['TX', '78701', 'Austin'], 'prescription_drugs'],
    [['AZ', '85001', 'Phoenix'], 'air_transport'],
  ] as [City, string][])('%s: nothing is in doubt for %s, which places do not tax either', (city, type) => {
    const answer = sold(city, type)
    expect(answer.tax_amount).toBe(0)
    expect(notesOf(answer)).not.toMatch(/local tax/i)
  })
})

describe('a product that a law counts among groceries', () => {
  const rules = book.facts.product_rules.filter(
    ({ as, effective_to }) => as === 'groceries' && (effective_to === null || effective_to >= DAY),
  )

  it.each([
    ['GA', '30303', 'Atlanta'],
    ['GA', '31401', 'Savannah'],
    ['KS', '67202', 'Wichita'],
    ['TN', '38103', 'Memphis'],
    ['OK', '73102', 'Oklahoma City'],
    ['AL', '35203', 'Birmingham'],
    ['MO', '64106', 'Kansas City'],
    ['LA', '70801', 'Baton Rouge'],
  ] as City[])('%s %s %s: bears the local tax of groceries', (...city) => {
    const types = rules.filter(({ jurisdiction_id }) => jurisdiction_id === `US-${city[0]}`)
    expect(types).not.toEqual([])
    const localOf = ({ tax_breakdown }: Assessment) =>
      tax_breakdown.filter(({ jurisdiction_id }) => jurisdiction_id !== `US-${city[0]}`)
    const groceries = localOf(sold(city, 'groceries'))
    expect(groceries).not.toEqual([])
    for (const { product_type } of types) expect(localOf(sold(city, product_type))).toEqual(groceries)
  })
})

describe('the limit of a sales tax holiday in Texas', () => {
  const TX: City = ['TX', '', '']
  const holiday = (amount: number, delivery: number, quantity = 1) =>
    sold(TX, 'school_supplies', {
      day: '2026-08-08',
      lines: [{ amount, quantity, product_type: 'school_supplies' }],
      shipping: { amount: delivery },
    })

  it('is compared with the price and its delivery (34 TAC 3.365)', () => {
    expect(holiday(9_900, 99).tax_amount).toBe(0)
    expect(holiday(9_900, 100).tax_amount).toBe(625)
    expect(holiday(9_500, 1_000).tax_amount).toBe(657)
    expect(holiday(9_500, 1_000).notes.join('\n')).toContain('contains its share of the delivery')
    expect(holiday(19_800, 199, 2).tax_amount).toBe(0)
    expect(holiday(19_800, 200, 2).tax_amount).toBe(1_251)
  })

  it('is passed exactly if the price and the share of the delivery reach it', () => {
    const money = fc.integer({ min: 1, max: 20_000 })
    fc.assert(
      fc.property(money, money, fc.integer({ min: 0, max: 5_000 }), (first, second, delivery) => {
        const lines = [first, second].map((amount) => ({ amount, product_type: 'school_supplies' }))
        const answer = sold(TX, 'school_supplies', {
          day: '2026-08-08',
          lines,
          shipping: { amount: delivery },
        })
        const all = BigInt(first + second)
        answer.lines.slice(0, 2).forEach((line, index) => {
          const price = BigInt(index === 0 ? first : second)
          const taxed = price * all + BigInt(delivery) * price >= 10_000n * all
          expect(line.taxability_reason === 'product_exempt').toBe(!taxed)
        })
      }),
    )
  })
})
