import { describe, expect, it } from 'vitest'
import type { Customer } from '../../src/engine/sale/sale.ts'
import { assessed, type SaleInWords } from './sale.ts'

const NZ = { country: 'NZ' }
const AU = { country: 'AU' }
const business = (address: { country: string }, good: boolean): Customer => ({
  address,
  type: 'business',
  vat_id: { country: address.country, good, invalid: false },
})
const sold = (words: Partial<SaleInWords>) =>
  assessed({
    from: NZ,
    to: NZ,
    currency: 'NZD',
    registrations: ['NZ'],
    lines: [{ amount: 10_000 }],
    ...words,
  })

describe('GST of New Zealand', () => {
  it('is 15 % on what is sold within the country, and 12.5 % before 2010-10-01', () => {
    expect(sold({}).tax_amount).toBe(1_500)
    expect(sold({ day: '2010-09-30' }).tax_amount).toBe(1_250)
    expect(sold({ lines: [{ amount: 11_500, tax_behavior: 'inclusive' }] }).tax_amount).toBe(1_500)
  })

  it('taxes food, books and medicine like other goods', () => {
    const { lines } = sold({
      lines: ['groceries', 'books', 'prescription_drugs'].map((product_type) => ({
        amount: 10_000,
        product_type,
      })),
    })
    expect(lines.map(({ tax_amount }) => tax_amount)).toEqual([1_500, 1_500, 1_500])
  })

  it('does not tax an export, and tells of the tax at the destination', () => {
    const [line] = sold({ to: AU }).lines
    expect(line).toMatchObject({
      jurisdiction_id: 'AU',
      exported_from: 'NZ',
      tax_amount: 0,
      taxability_reason: 'not_collecting',
      tax_if_registered: 1_000,
    })
    expect(line?.notes.join()).toContain('zero-rated as an export')
  })
})

describe('a seller abroad', () => {
  it('charges consumers for remote services', () => {
    const answer = sold({ from: AU, lines: [{ amount: 10_000, product_type: 'saas' }] })
    expect(answer).toMatchObject({ jurisdiction_id: 'NZ', tax_amount: 1_500, decision: { collect: true } })
  })

  it('does not charge a registered business, which accounts for any tax itself', () => {
    const lines = [{ amount: 10_000, product_type: 'saas' }]
    expect(sold({ from: AU, lines, customer: business(NZ, true) })).toMatchObject({
      tax_amount: 0,
      reverse_charge: true,
    })
    expect(sold({ from: AU, lines, customer: business(NZ, false) }).tax_amount).toBe(1_500)
  })

  it('charges goods of low value: each item up to and including 1,000 NZD', () => {
    const tax = (amount: number, quantity: number) =>
      sold({ from: AU, lines: [{ amount, quantity }] }).tax_amount
    expect(tax(100_000, 1)).toBe(15_000)
    expect(tax(100_001, 1)).toBe(0)
    expect(tax(200_000, 2)).toBe(30_000)
    expect(tax(200_002, 2)).toBe(0)
  })
})
