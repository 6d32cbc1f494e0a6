import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MILLION } from '../../src/engine/arithmetic/rounding.ts'
import { linesWithin } from '../../src/engine/sale/lines.ts'
import { PRODUCT_TYPES } from '../../src/engine/book/product-types.ts'
import type { Address, BundledProduct } from '../../src/engine/sale/sale.ts'
import { assessed, saleOf, type SaleInWords } from './sale.ts'

const state = (region: string) => ({ country: 'US', region })

/** `groceries 0.6, physical_goods 0.4` as the engine takes it. */
function bundleOf(words: string): BundledProduct[] {
  return words.split(', ').map((part) => {
    const [product_type = '', share] = part.split(' ')
    return { product_type, share_millionths: Math.round(Number(share) * MILLION) }
  })
}

function soldAt(place: Address, currency: string, bundle: string, rest: Partial<SaleInWords> = {}) {
  const products = bundleOf(bundle)
  const line = { amount: 10_000, product_type: products[0]?.product_type ?? '', bundle: products }
  const answer = assessed({ from: place, to: place, currency, lines: [line], explain: true, ...rest })
  return { ...answer, line: answer.lines[0], said: answer.lines[0]?.notes.join('\n') ?? '' }
}

const soldIn = (region: string, bundle: string, rest: Partial<SaleInWords> = {}) =>
  soldAt(state(region), 'USD', bundle, rest)

describe('a bundle by VAT and GST', () => {
  it.each([
    [{ country: 'DE' }, 'EUR', 6_000 * 0.07 + 4_000 * 0.19, 'C-349/96'],
    [{ country: 'GB' }, 'GBP', 4_000 * 0.2, 's. 19(4)'],
    [{ country: 'AU' }, 'AUD', 4_000 * 0.1, 's. 9-80'],
    [{ country: 'CA', region: 'ON' }, 'CAD', 4_000 * 0.13, 's. 153(2)'],
    [{ country: 'CA', region: 'QC' }, 'CAD', 4_000 * 0.05 + 4_000 * 0.09975, 'Québec sales tax, s. 53'],
  ])('is split by its shares: %j', (place, currency, tax, law) => {
    const { line, said } = soldAt(place, currency, 'basic_food 0.6, physical_goods 0.4')
    expect(line?.tax_amount).toBe(tax)
    expect(said).toContain('taxes each product of the bundle on its share of the price')
    expect(said).toContain(law)
  })

  it('bears each rate on its share, also in a price with tax', () => {
    const { line } = soldAt({ country: 'DE' }, 'EUR', 'books 0.5, physical_goods 0.5', {
      lines: [
        {
          amount: 20_000,
          product_type: 'books',
          tax_behavior: 'inclusive',
          bundle: bundleOf('books 0.5, physical_goods 0.5'),
        },
      ],
    })
    expect(line?.tax_breakdown.map((entry) => [entry.rate_millionths, entry.tax_amount])).toEqual([
      [70_000, 654],
      [190_000, 1_597],
    ])
    expect(line?.net_amount).toBe(20_000 - 654 - 1_597)
  })

  it('tells that the own tax of a province may follow another law', () => {
    const { line, said } = soldAt({ country: 'CA', region: 'SK' }, 'CAD', 'groceries 0.6, physical_goods 0.4')
    expect(line).toMatchObject({ tax_amount: 440, rule: 'uncertain' })
    expect(said).toContain('The data does not say whether each tax of Saskatchewan follows that')
  })

  it('is one part if its products are taxed alike: the tax is rounded once', () => {
    const { line, said } = soldAt({ country: 'DE' }, 'EUR', 'physical_goods 0.5, clothing 0.5', {
      lines: [{ amount: 5, product_type: 'clothing', bundle: bundleOf('physical_goods 0.5, clothing 0.5') }],
    })
    expect(line).toMatchObject({ tax_amount: 1, taxable_amount: 5 })
    expect(said).toContain('bundle was not used, because its products are taxed alike')
  })
})

describe('a bundle in a state of the Streamlined Sales Tax', () => {
  it.each([
    // Food: free while the taxable goods are no more than half of the price.
    ['groceries 0.5, physical_goods 0.5', 0, 'no more than 50 %'],
    ['groceries 0.499999, physical_goods 0.500001', 650, 'as its product with the most tax, physical goods'],
    ['prescription_drugs 0.6, physical_goods 0.4', 0, 'no more than 50 %'],
    // Others: free while the taxable products are no more than a tenth.
    ['professional_services 0.9, physical_goods 0.1', 0, 'no more than 10 %'],
    ['professional_services 0.89, physical_goods 0.11', 650, 'as its product with the most tax'],
    // Food with a service is no bundle of goods.
    ['groceries 0.5, professional_services 0.3, physical_goods 0.2', 650, 'the most tax, physical goods'],
  ])('is %s: %d', (bundle, tax_amount, said) => {
    const sold = soldIn('WA', bundle)
    expect(sold.line).toMatchObject({ tax_amount, taxable_amount: tax_amount === 0 ? 0 : 10_000 })
    expect(sold.said).toContain(said)
    expect(sold.said).toContain('RCW 82.08.190')
  })

  it('gives the reason of a free one', () => {
    const { line } = soldIn('WA', 'groceries 0.6, physical_goods 0.4')
    expect(line).toMatchObject({ taxability_reason: 'product_exempt', rule: 'specific' })
    expect(line?.reason_detail).toContain('the taxable products of the bundle are no more than 50 %')
  })

  it('is not taxed later what is free now', () => {
    const abroad = { from: state('NY'), registrations: [] }
    const { line } = soldIn('WA', 'groceries 0.6, physical_goods 0.4', abroad)
    expect(line).toMatchObject({ taxability_reason: 'not_collecting', tax_if_registered: 0 })
    expect(soldIn('WA', 'groceries 0.4, physical_goods 0.6', abroad).line?.tax_if_registered).toBe(650)
  })
})

describe('a bundle in another state', () => {
  it.each([
    ['NY', 'groceries 0.95, physical_goods 0.05', 400, 'specific', '527.1(b)'],
    // The regulation is about goods.
    ['NY', 'professional_services 0.95, physical_goods 0.05', 400, 'uncertain', 'The data does not say how'],
    ['MA', 'groceries 0.900001, physical_goods 0.099999', 0, 'specific', 'Directive 92-1'],
    ['MA', 'groceries 0.9, physical_goods 0.1', 625, 'specific', 'Directive 92-1'],
    ['CA', 'groceries 0.9, physical_goods 0.1', 0, 'specific', '1602(b)'],
    ['CA', 'groceries 0.8, physical_goods 0.2', 145, 'specific', '1602(b)'],
    ['TX', 'groceries 0.99, physical_goods 0.01', 625, 'uncertain', 'Texas taxes a bundle of these'],
  ])('US-%s, %s: %d, %s', (region, bundle, tax_amount, rule, law) => {
    const { line, said } = soldIn(region, bundle)
    expect(line).toMatchObject({ tax_amount, rule })
    expect(said).toContain(law)
  })

  it('takes the highest rate, and says what was looked at', () => {
    const { line, trace } = soldIn('UT', 'physical_goods 0.2, groceries 0.8')
    expect(line?.tax_breakdown).toHaveLength(1)
    const steps = trace?.map(({ step, rule, outcome }) => `${step}: ${rule}: ${outcome}`).join('\n')
    expect(steps).toMatch(/product_rule: groceries: .*\n.*/)
    expect(steps).toContain(
      'bundle: physical_goods 20 %, groceries 80 % for one price: whole, as physical_goods',
    )
  })

  it('shares its shipping as the law taxes it', () => {
    const shipping = { amount: 1_000 }
    const free = soldIn('WA', 'groceries 0.6, physical_goods 0.4', { shipping })
    expect(free.tax_amount).toBe(0)
    const whole = soldIn('NY', 'groceries 0.6, physical_goods 0.4', { shipping })
    expect(whole.shipping).toMatchObject({ taxable_amount: 1_000, tax_amount: 40 })
    const split = soldAt({ country: 'DE' }, 'EUR', 'books 0.6, physical_goods 0.4', { shipping })
    expect(split.shipping?.tax_amount).toBe(42 + 76)
  })

  it('is split if its products are supplied in several ways, and says that lines are better', () => {
    const sold = soldAt({ country: 'DE' }, 'EUR', 'ebooks 0.5, physical_goods 0.5', {
      from: { country: 'FR' },
      registrations: ['DE'],
      customer: {
        address: { country: 'DE' },
        type: 'business',
        vat_id: { country: 'DE', good: true, invalid: false },
      },
    })
    expect(sold.said).toContain('supplied in several ways')
    expect(sold.line).toMatchObject({ tax_amount: 0, rule: 'uncertain' })
  })
})

describe('the facts of a line with a bundle', () => {
  it('lower or raise the price of each product, as the law of the place says', () => {
    const bundle = bundleOf('groceries 0.4, physical_goods 0.6')
    const coupon = {
      amount: 10_000,
      product_type: 'groceries',
      bundle,
      discount: 1_000,
      funded_discount: 1_000,
    }
    const nj = soldIn('NJ', 'groceries 0.4, physical_goods 0.6', { lines: [coupon] })
    expect(nj.line).toMatchObject({ net_amount: 9_000, taxable_amount: 10_000 })
    expect(nj.said).toContain('New Jersey taxes what a third party pays for a discount')
    const traded = { amount: 10_000, product_type: 'groceries', bundle, trade_in: 1_000 }
    const wa = soldIn('WA', 'groceries 0.4, physical_goods 0.6', { lines: [traded] })
    expect(wa.line).toMatchObject({ net_amount: 10_000, taxable_amount: 9_000 })
  })

  it('count with the goods of a consignment', () => {
    const from = { country: 'US', region: 'TX' }
    const to = { country: 'GB' }
    const bundle = bundleOf('ebooks 0.5, physical_goods 0.5')
    const sold = (amount: number) =>
      assessed({ from, to, currency: 'GBP', lines: [{ amount, product_type: 'ebooks', bundle }] }).lines[0]
    expect(sold(20_000)?.tax_if_registered).toBe(2_000)
    expect(sold(40_000)?.notes.join()).toContain('supplied in several ways')
  })

  it('is unused on a line that the request marks as not taxable', () => {
    const bundle = bundleOf('books 0.6, physical_goods 0.4')
    const lines = [{ amount: 10_000, product_type: 'books', bundle, taxable: false }]
    const { line, said } = soldAt({ country: 'DE' }, 'EUR', 'books 0.6, physical_goods 0.4', { lines })
    expect(line?.tax_amount).toBe(0)
    expect(said).toContain('bundle was not used, because no tax falls on the line')
  })
})

const TYPES = PRODUCT_TYPES.filter(({ kind }) => kind !== 'shipping').map(({ id }) => id)

/** Two to ten different products with random shares that add up to a million. */
const bundle = fc
  .record({
    types: fc.shuffledSubarray(TYPES, { minLength: 2, maxLength: 10 }),
    cuts: fc.array(fc.integer({ min: 1, max: MILLION - 1 }), { minLength: 9, maxLength: 9 }),
  })
  .map(({ types, cuts }) => {
    const bounds = [...new Set(cuts)].toSorted((a, b) => a - b).slice(0, types.length - 1)
    return [...bounds, MILLION].map((bound, index) => ({
      product_type: types[index] ?? '',
      share_millionths: bound - (bounds[index - 1] ?? 0),
    }))
  })

const line = fc
  .record({
    amount: fc.oneof(fc.integer({ min: -50_000, max: 50_000 }), fc.constantFrom(0, 1, -1, 1_000_000_000_000)),
    bundle,
    quantity: fc.integer({ min: 1, max: 5 }),
    tax_behavior: fc.constantFrom('exclusive' as const, 'inclusive' as const),
    discounted: fc.constantFrom(0, 0, 0.3, 1),
    funded: fc.boolean(),
    traded: fc.constantFrom(0, 0, 0.5, 1),
  })
  .map(({ discounted, funded, traded, ...each }) => {
    const discount = Math.floor(Math.abs(each.amount) * discounted)
    return {
      ...each,
      product_type: each.bundle[0]?.product_type ?? '',
      discount,
      funded_discount: funded ? discount : 0,
      trade_in: Math.floor((Math.abs(each.amount) - discount) * traded),
    }
  })

const PLACES = [
  ...['DE', 'FR', 'IE', 'GB', 'AU', 'NZ', 'AX'].map((country) => ({ country })),
  ...['NY', 'MA', 'TX', 'CA', 'WA', 'NJ', 'NE', 'LA', 'TN', 'HI'].map(state),
  ...['ON', 'BC', 'QC', 'SK'].map((region) => ({ country: 'CA', region })),
]

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

describe('any bundle', () => {
  it('has lines within it that add up to its amount, discount and trade-in', () => {
    fc.assert(
      fc.property(line, (words) => {
        const given = saleOf({ from: null, to: { country: 'DE' }, lines: [words] }).lines
        for (const whole of given) {
          const within = linesWithin(whole)
          for (const field of ['amount', 'discount', 'funded_discount', 'trade_in'] as const)
            expect(sum(within.map((each) => each[field]))).toBe(whole[field])
          for (const { amount, discount, funded_discount, trade_in } of within) {
            expect(discount + trade_in).toBeLessThanOrEqual(Math.abs(amount))
            expect(funded_discount).toBeLessThanOrEqual(discount)
            expect(Math.min(discount, funded_discount, trade_in)).toBeGreaterThanOrEqual(0)
          }
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('has taxes that add up, in every law and rounding', () => {
    const sold = fc.record({
      from: fc.option(fc.constantFrom(...PLACES)),
      to: fc.constantFrom(...PLACES),
      lines: fc.array(line, { minLength: 1, maxLength: 3 }),
      shipping: fc.option(fc.record({ amount: fc.integer({ min: 0, max: 5_000 }) }), { nil: undefined }),
      rounding: fc.constantFrom('line' as const, 'document' as const),
      registrations: fc.option(fc.subarray(['DE', 'GB', 'AU', 'NZ', 'US-NY', 'US-WA', 'US-CA', 'CA'])),
    })
    fc.assert(
      fc.property(sold, ({ shipping, ...words }) => {
        const answer = assessed({ ...words, ...(shipping !== undefined && { shipping }) })
        const lines = answer.shipping === null ? answer.lines : [...answer.lines, answer.shipping]
        expect(sum(lines.map(({ tax_amount }) => tax_amount))).toBe(answer.tax_amount)
        expect(sum(lines.map(({ net_amount }) => net_amount))).toBe(answer.subtotal)
        for (const each of lines)
          expect(sum(each.tax_breakdown.map(({ tax_amount }) => tax_amount))).toBe(each.tax_amount)
        words.lines.forEach((given, index) => {
          const price = given.amount < 0 ? given.amount + given.discount : given.amount - given.discount
          const { net_amount, tax_amount, notes } = answer.lines[index] ?? { notes: [] }
          expect(
            given.tax_behavior === 'inclusive' ? (net_amount ?? 0) + (tax_amount ?? 0) : net_amount,
          ).toBe(price)
          expect(notes.some((note) => note.includes('bundle'))).toBe(true)
        })
      }),
      { numRuns: 2_000 },
    )
  })
})
