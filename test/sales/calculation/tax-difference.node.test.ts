import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assessSale } from '../../../src/engine/answer/assess.ts'
import { compareTax } from '../../../src/sales/calculation/tax-difference.ts'
import { book, saleOf, type SaleInWords } from '../../engine/sale.ts'

const DE = { country: 'DE' }
const FR = { country: 'FR' }
const MA = { country: 'US', region: 'MA' }

const GOVERNMENT = {
  id: null,
  jurisdiction_id: 'DE',
  exemption_type: 'government' as const,
  valid_from: '2026-06-15',
  valid_to: '2026-06-15',
}

function compared(words: SaleInWords, tax_amount: number, lines: number[] | null = null) {
  const sale = saleOf(words)
  return compareTax(sale, book, null, assessSale(sale, book), { tax_amount, lines })
}

const taxOf = (words: SaleInWords) => assessSale(saleOf(words), book).tax_amount

describe('the likely reason of another tax', () => {
  const german = { from: DE, to: DE, registrations: ['DE'] }
  const one = { ...german, lines: [{ amount: 10_000 }] }
  const three = { ...german, lines: [{ amount: 3 }, { amount: 3 }, { amount: 3 }] }
  const french = { from: DE, to: FR, registrations: ['DE'], lines: [{ amount: 10_000 }] }
  const exempt = {
    ...one,
    exemption: { jurisdiction_id: 'DE', exemption_type: 'government' as const },
  }
  const stated = { ...german, lines: [{ amount: 10_000, exemptions: [GOVERNMENT] }] }
  const NY = { country: 'US', region: 'NY' }
  const traded = {
    from: NY,
    to: NY,
    currency: 'USD',
    registrations: ['US-NY'],
    lines: [{ amount: 10_000, trade_in: 4_000 }],
  }
  const american = { from: MA, to: MA, currency: 'USD', registrations: ['US-MA'] }

  it.each<[string, SaleInWords, number, string]>([
    ['the same tax', one, 1_900, 'equal'],
    ['one unit more', one, 1_901, 'rounding'],
    ['the sum of unrounded taxes', three, 2, 'rounding'],
    ['tax taken out of the price', one, 1_597, 'price_includes_tax'],
    ['no tax at all', one, 0, 'registration'],
    ['a customer without the exemption', exempt, 1_900, 'exemption'],
    [
      'tax on shipping',
      { ...american, lines: [{ amount: 10_000 }], shipping: { amount: 1_000 } },
      688,
      'shipping',
    ],
    [
      'tax before the discount',
      { ...german, lines: [{ amount: 10_000, discount: 1_000 }] },
      1_900,
      'discount',
    ],
    [
      'a discount that nobody pays the seller for',
      { ...german, lines: [{ amount: 10_000, discount: 1_000, funded_discount: 1_000 }] },
      1_710,
      'discount',
    ],
    ['a trade-in that is taxed', traded, 400, 'discount'],
    ['a line without the exemption that it states', stated, 1_900, 'exemption'],
    [
      'the general rate for books',
      { ...german, lines: [{ amount: 10_000, product_type: 'books' }] },
      1_900,
      'product_rule',
    ],
    ['the rate before 2021', { ...one, day: '2021-01-01' }, 1_600, 'earlier_rate'],
    ['the tax of the other state', french, 2_000, 'place_of_supply'],
    [
      'the tax of the seller’s state',
      { ...french, registrations: ['DE', 'oss_union'] },
      1_900,
      'place_of_supply',
    ],
    ['a figure from nowhere', one, 1_234, 'unexplained'],
  ])('is found for %s', (_, sale, tax, reason) => {
    expect(compared(sale, tax)).toMatchObject({ reason, difference: taxOf(sale) - tax })
  })

  it('is a sentence about the one change', () => {
    expect(compared(french, 2_000).detail).toBe(
      'The figures agree if distance sales are taxed at the place of the customer',
    )
  })

  it('is found for each line', () => {
    const sale = { ...german, lines: [{ amount: 10_000 }, { amount: 10_000, product_type: 'books' }] }
    const { reason, lines } = compared(sale, 3_800, [1_900, 1_900])
    expect(reason).toBe('product_rule')
    expect(lines?.map((line) => [line.reason, line.difference])).toEqual([
      ['equal', 0],
      ['product_rule', -1_200],
    ])
  })

  it('is honest: the other tax follows from the supposed change, whatever the figures', () => {
    const amount = fc.integer({ min: -100_000, max: 100_000 })
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 5 }), amount, (amounts, other) => {
        const sale = { ...german, lines: amounts.map((each) => ({ amount: each })) }
        const { difference, reason } = compared(sale, other)
        expect(difference).toBe(taxOf(sale) - other)
        expect(reason === 'equal').toBe(difference === 0)
        if (reason === 'rounding') expect(Math.abs(difference)).toBeLessThanOrEqual(amounts.length)
      }),
    )
  })

  it('is not sought in sales that the engine refuses', () => {
    const sale = {
      from: { country: 'US' },
      to: MA,
      currency: 'USD',
      registrations: ['US-MA'],
      lines: [{ amount: 10_000 }],
    }
    expect(compared(sale, 99).reason).toBe('unexplained')
  })
})
