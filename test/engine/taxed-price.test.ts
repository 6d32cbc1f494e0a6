import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MILLION, multiplyAndDivide } from '../../src/engine/arithmetic/rounding.ts'
import { assessed, book, named, type SaleInWords } from './sale.ts'

const state = (region: string) => ({ country: 'US', region })
const DE = { country: 'DE' }

const inState = (region: string, line: object): SaleInWords => ({
  from: state(region),
  to: state(region),
  currency: 'USD',
  lines: [{ amount: 10_000, ...line }],
})
const firstLine = (words: SaleInWords) => assessed(words).lines[0]

const COUPON = { discount: 2_000, funded_discount: 2_000 }

describe('a discount that a third party pays for', () => {
  it.each([
    ['NJ', 6.625, 'SSUTA, App. C'],
    ['CA', 7.25, 's. 1671.1'],
    ['NY', 4, 'TB-ST-860'],
    ['FL', 6, '12A-1.018'],
  ])('is taxed in US-%s at %d %', (region, rate, law) => {
    const line = firstLine(inState(region, COUPON))
    expect(line).toMatchObject({
      net_amount: 8_000,
      taxable_amount: 10_000,
      tax_amount: Math.round(rate * 100),
    })
    expect(line?.notes.join()).toContain(
      `${named(`US-${region}`)} taxes what a third party pays for a discount`,
    )
    expect(line?.notes.join()).toContain(law)
  })

  it.each(['TX', 'MA', 'PA', 'MO', 'CT'])('is not taxed in US-%s', (region) => {
    const line = firstLine(inState(region, COUPON))
    expect(line?.taxable_amount).toBe(8_000)
    expect(line?.notes.join()).toContain(`${named(`US-${region}`)} does not tax what a third party pays`)
  })

  it('is taxed where the law is not in the data, and the answer says so', () => {
    const line = firstLine(inState('HI', COUPON))
    expect(line?.taxable_amount).toBe(10_000)
    expect(line?.notes.join()).toContain(', so it was taxed')
  })

  it.each([
    [DE, 'EUR', 1_900, 'art. 73'],
    [{ country: 'GB' }, 'GBP', 2_000, 's. 19(2)'],
    [{ country: 'AU' }, 'AUD', 1_000, 's. 9-15(2)'],
    [{ country: 'NZ' }, 'NZD', 1_500, 's. 2(1), 10(2)'],
    [{ country: 'CA', region: 'ON' }, 'CAD', 1_300, 's. 181(2)'],
  ])('is a part of the price by VAT and GST: %j', (place, currency, tax_amount, law) => {
    const line = firstLine({ from: place, to: place, currency, lines: [{ amount: 10_000, ...COUPON }] })
    expect(line).toMatchObject({ net_amount: 8_000, tax_amount })
    expect(line?.notes.join()).toContain(law)
  })

  it('is in a price with tax: the tax is that of the whole price', () => {
    const lines = [
      { amount: 11_900, discount: 1_900, funded_discount: 1_900, tax_behavior: 'inclusive' as const },
    ]
    expect(firstLine({ from: DE, to: DE, lines })).toMatchObject({
      tax_amount: 1_900,
      taxable_amount: 10_000,
      net_amount: 8_100,
    })
  })

  it('does not bring an item under a price below which it is free', () => {
    const dress = { amount: 11_500, product_type: 'clothing' }
    const coupon = { discount: 1_000, funded_discount: 1_000 }
    expect(firstLine(inState('NY', { ...dress, ...coupon }))?.tax_amount).toBe(460)
    expect(firstLine(inState('NY', { ...dress, discount: 1_000 }))?.tax_amount).toBe(0)
  })

  it('lowers the tax as far as the seller bears a part of it', () => {
    expect(firstLine(inState('CA', { discount: 3_000, funded_discount: 1_000 }))?.taxable_amount).toBe(8_000)
  })

  it('of a credit note mirrors that of the sale', () => {
    const sold = firstLine(inState('CA', COUPON))
    const credited = firstLine(inState('CA', { ...COUPON, amount: -10_000 }))
    expect(credited?.tax_amount).toBe(-(sold?.tax_amount ?? 0))
    expect(credited?.net_amount).toBe(-8_000)
  })
})

describe('used goods in part payment', () => {
  it.each('NY TX FL VA TN WA CO GA IL MO NJ PA'.split(' '))('are not taxed in US-%s', (region) => {
    const line = firstLine(inState(region, { trade_in: 4_000 }))
    expect(line).toMatchObject({
      net_amount: 10_000,
      taxable_amount: 6_000,
      taxability_reason: 'taxable_basis_reduced',
    })
    expect(line?.notes.join()).toContain(`${named(`US-${region}`)} does not tax what a trade-in counts for`)
  })

  it.each(['CA', 'OH'])('are taxed in US-%s', (region) => {
    const line = firstLine(inState(region, { trade_in: 4_000 }))
    expect(line).toMatchObject({ taxable_amount: 10_000, taxability_reason: null })
    expect(line?.notes.join()).toContain(`${named(`US-${region}`)} taxes what a trade-in counts for`)
  })

  it('are taxed where the law is not in the data, and by VAT', () => {
    expect(firstLine(inState('AZ', { trade_in: 4_000 }))?.notes.join()).toContain(
      'The data does not say whether',
    )
    const line = firstLine({ from: DE, to: DE, lines: [{ amount: 10_000, trade_in: 4_000 }] })
    expect(line?.tax_amount).toBe(1_900)
    expect(line?.notes.join()).toContain('art. 73')
  })

  it('of a consumer are not taxed in Canada, of a business they are: ETA, s. 153(4)', () => {
    const ON = { country: 'CA', region: 'ON' }
    const words = { from: ON, to: ON, currency: 'CAD', lines: [{ amount: 10_000, trade_in: 4_000 }] }
    expect(firstLine(words)?.tax_amount).toBe(780)
    const customer = { address: ON, type: 'business' as const, vat_id: null }
    expect(firstLine({ ...words, customer })?.tax_amount).toBe(1_300)
  })

  it('never count for more than the price', () => {
    expect(() => firstLine(inState('NY', { discount: 7_000, trade_in: 4_000 }))).toThrow(
      'larger than the price',
    )
  })
})

it.each(['funded_discount', 'trade_in'])('%s is told if no tax falls on the line', (fact) => {
  const field = fact === 'trade_in' ? 'trade_in' : 'discount_funded_by'
  const { lines, notes } = assessed(inState('OR', { discount: 1_000, [fact]: 1_000 }))
  expect(lines[0]?.notes.join()).toContain(`${field} was not used, because no tax falls on the line`)
  expect(notes.join()).toContain(`${field} was not used`)
})

const regions = [...book.jurisdictions.values()].flatMap(({ id, type, parent_id }) =>
  parent_id === 'US' && type === 'state' ? id.slice(3) : [],
)

it('what is taxed lies between the price of the customer without its trade-in and the whole price', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...regions),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 0, max: 100 }),
      fc.boolean(),
      (region, amount, off, funded, used, credit) => {
        const discount = multiplyAndDivide(amount, off, 100)
        const funded_discount = multiplyAndDivide(discount, funded, 100)
        const trade_in = multiplyAndDivide(amount - discount, used, 100)
        const line = { discount, funded_discount, trade_in }
        const found = firstLine(inState(region, { ...line, amount: credit ? 0 - amount : amount }))
        const net = Math.abs(found?.net_amount ?? 0)
        const taxed = Math.abs(found?.taxable_amount ?? 0)
        expect(net).toBe(amount - discount)
        if (!found?.taxable) return
        expect(taxed).toBeGreaterThanOrEqual(net - trade_in)
        expect(taxed).toBeLessThanOrEqual(net + funded_discount)
        const tax = multiplyAndDivide(found.taxable_amount, found.rate_millionths, MILLION)
        expect(Math.abs(found.tax_amount - tax)).toBeLessThanOrEqual(found.tax_breakdown.length)
      },
    ),
  )
})
