import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../src/engine/sale/sale.ts'
import { assessed, book, type SaleInWords } from './sale.ts'

const COUNTRIES = ['AE', 'AU', 'CH', 'DE', 'ES', 'FR', 'GB', 'IE', 'IN', 'JP', 'NO', 'NZ', 'SA', 'SG']

/** All places of which the US and Canada consist, and a country for each other law. */
const PLACES: readonly Address[] = [
  ...COUNTRIES.map((country) => ({ country })),
  ...[...book.jurisdictions.keys()].flatMap((id) => {
    const [, country = '', region = ''] = /^(US|CA)-([A-Z]{2})$/.exec(id) ?? []
    return country === '' ? [] : [{ country, region }]
  }),
]

/** Of these no law here looks at the price of one item. */
const TYPES = ['physical_goods', 'books', 'groceries', 'saas', 'prepared_food', 'prescription_drugs']

const cart = fc.record({
  place: fc.constantFrom(...PLACES),
  lines: fc.uniqueArray(
    fc.record({ product_type: fc.constantFrom(...TYPES), amount: fc.integer({ min: 1, max: 50_000 }) }),
    { minLength: 1, maxLength: 4, selector: ({ product_type }) => product_type },
  ),
  postage: fc.integer({ min: 0, max: 5_000 }),
  coupon: fc.double({ min: 0, max: 1, noNaN: true }),
  of: fc.nat(),
  at: fc.nat(),
  tax_behavior: fc.constantFrom('exclusive' as const, 'inclusive' as const),
})

const inPlace = (place: Address, more: Pick<SaleInWords, 'lines' | 'shipping' | 'rounding'>) =>
  assessed({ from: place, to: place, seller_registered: true, ...more })

describe('a coupon as a negative line', () => {
  it('leaves the same tax as a discount, on the goods and on their postage, in all places', () => {
    fc.assert(
      fc.property(cart, ({ place, lines, postage, coupon, of, at, tax_behavior }) => {
        const sold = lines.map((line) => ({ ...line, tax_behavior }))
        const chosen = sold[of % sold.length]
        if (chosen === undefined) return
        const discount = Math.floor(chosen.amount * coupon)
        const shipping = { amount: postage, tax_behavior }
        const discounted = sold.map((line) => (line === chosen ? { ...line, discount } : line))
        // Where nothing is left to weigh, the postage belongs to the first goods: a line after them.
        const index = discount === chosen.amount ? sold.length : at % (sold.length + 1)
        const credited = sold.toSpliced(index, 0, { ...chosen, amount: 0 - discount })
        const [asDiscount, asLine] = [discounted, credited].map((each) => ({
          line: inPlace(place, { lines: each, shipping, rounding: 'line' }),
          document: inPlace(place, { lines: each, shipping, rounding: 'document' }),
        }))
        const { taxable_amount, tax_amount } = asDiscount?.line.shipping ?? {}
        expect(asLine?.line.shipping).toMatchObject({ taxable_amount, tax_amount })
        expect(asLine?.document.total).toBe(asDiscount?.document.total)
        expect(asLine?.document.tax_amount).toBe(asDiscount?.document.tax_amount)
      }),
      { numRuns: 3_000 },
    )
  })

  it.each([
    ['GB', [60, -60], 40, 'books', 0],
    ['GB', [60], 40, 'books', 120],
    ['DE', [50], -30, 'books', 190],
    ['DE', [-50], 30, 'books', 70],
    ['DE', [-50], -50, 'books', 130],
  ])('%s: goods %j and %i of %s: %i of tax on the postage', (country, goods, amount, product_type, tax) => {
    const sign = goods.every((each) => each < 0) && amount < 0 ? -1 : 1
    const { shipping } = inPlace(
      { country },
      {
        lines: [...goods.map((each) => ({ amount: each * 100 })), { amount: amount * 100, product_type }],
        shipping: { amount: sign * 1_000 },
      },
    )
    expect(shipping?.tax_amount).toBe(sign * tax)
  })

  it('of goods that come back carries no postage of what goes out', () => {
    const place = { country: 'US', region: 'NE' }
    const goods = { amount: 6_000, product_type: 'physical_goods' }
    const food = { amount: -6_000, product_type: 'groceries' }
    const out = inPlace(place, { lines: [goods, food], shipping: { amount: 1_000 } })
    expect(out.shipping).toMatchObject({ taxable_amount: 1_000, tax_amount: 55 })
    for (const region of ['NE', 'NC', 'KS', 'GA', 'TX', 'NY']) {
      const back = inPlace(
        { country: 'US', region },
        {
          lines: [
            { ...goods, amount: -6_000 },
            { ...food, amount: 6_000 },
          ],
          shipping: { amount: 1_000 },
        },
      )
      const alone = inPlace(
        { country: 'US', region },
        { lines: [{ ...food, amount: 6_000 }], shipping: { amount: 1_000 } },
      )
      expect(back.shipping?.tax_amount, region).toBe(alone.shipping?.tax_amount)
    }
  })

  it('lessens no price that the law compares with a limit for one item, and the line says it', () => {
    const place = { country: 'US', region: 'NY' }
    const coat = { amount: 12_000, product_type: 'clothing' }
    const coupon = { amount: -1_500, product_type: 'clothing' }
    const { lines } = inPlace(place, { lines: [coat, coupon] })
    expect(lines[0]?.tax_amount).toBeGreaterThan(0)
    expect(lines[0]?.notes.join()).not.toContain('negative line')
    expect(lines[1]?.notes.join()).toContain('Send a coupon as the discount of its line')
    const [returned] = inPlace(place, { lines: [coupon] }).lines
    expect(returned?.notes.join()).not.toContain('negative line')
    const plain = inPlace({ country: 'US', region: 'TX' }, { lines: [coat, coupon] })
    expect(plain.lines[1]?.notes.join()).not.toContain('negative line')
  })
})

describe('the postage of a gift card', () => {
  const card = { amount: 5_000, product_type: 'gift_card' }

  it.each(['NY', 'TX', 'WA'])('alone is not taxed, as the card is no supply: %s', (region) => {
    const place = { country: 'US', region }
    const { shipping, tax_amount } = inPlace(place, { lines: [card], shipping: { amount: 500 } })
    expect(shipping).toMatchObject({ tax_amount: 0, taxability_reason: 'not_a_supply' })
    const beside = inPlace(place, {
      lines: [card, { amount: 1_000, product_type: 'saas' }],
      shipping: { amount: 500 },
    })
    expect([tax_amount, beside.shipping?.tax_amount]).toEqual([0, 0])
  })

  it('beside goods follows the goods', () => {
    const place = { country: 'GB' }
    const goods = { amount: 1_000, product_type: 'physical_goods' }
    const { shipping } = inPlace(place, { lines: [card, goods], shipping: { amount: 500 } })
    expect(shipping?.tax_amount).toBe(100)
  })
})

describe('a price with tax that a business pays without it', () => {
  it('stays the price, and a note says so', () => {
    const business = {
      address: { country: 'FR' },
      type: 'business' as const,
      vat_id: { country: 'FR', good: true, invalid: false },
    }
    const lines = [{ amount: 11_900, tax_behavior: 'inclusive' as const }]
    const asked = { from: { country: 'DE' }, to: business.address, customer: business }
    expect(assessed({ ...asked, lines })).toMatchObject({ total: 11_900, tax_amount: 0 })
    expect(assessed({ ...asked, lines }).notes.join()).toContain('Send net prices if the customer pays less')
    const net = assessed({ ...asked, lines: [{ amount: 10_000 }] })
    expect(net.notes.join()).not.toContain('Send net prices')
  })
})
