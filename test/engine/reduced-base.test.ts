import fc from 'fast-check'
import { expect, it } from 'vitest'
import { taxOfDocument, taxOfLine, type TaxableLine } from '../../src/engine/arithmetic/document-tax.ts'
import { MILLION, multiplyAndDivide } from '../../src/engine/arithmetic/rounding.ts'
import { assessed } from './sale.ts'

const line = (base: number, rate_millionths: number, fraction_millionths: number): TaxableLine => ({
  base,
  tax_behavior: 'exclusive',
  components: [{ key: 'tax', rate_millionths, fraction_millionths, compound: false, stack: null }],
})

/** Texas taxes 80 % of data processing (Tax Code s. 151.351). */
it.each([
  [10_129, 668],
  [14_871, 982],
  [-10_129, -668],
])('of %i cents in Texas, the tax is that of the rounded 80 %: %i', (base, tax) => {
  expect(taxOfLine(line(base, 82_500, 800_000))).toEqual([tax])
})

it('can be computed again from the base and the rate that a line shows', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.integer({ min: 0, max: 300_000 }),
      fc.integer({ min: 1, max: MILLION }),
      (base, rate, fraction) => {
        const one = line(base, rate, fraction)
        const shown = multiplyAndDivide(base, fraction, MILLION)
        const tax = multiplyAndDivide(shown, rate, MILLION)
        expect(taxOfLine(one)[0] === tax).toBe(true)
        expect(taxOfDocument([one]).get(one)?.[0] === tax).toBe(true)
      },
    ),
  )
})

/** A line of Texan software at a price with the state's tax in it: 6.25 % of 80 %. */
function withTax(amount: number) {
  const place = { country: 'US', region: 'TX', postal_code: '78701' }
  const line = { amount, product_type: 'saas', tax_behavior: 'inclusive' as const }
  const [found] = assessed({ from: place, to: place, currency: 'USD', lines: [line] }).lines
  if (found === undefined) throw new Error('a line is assessed')
  return found
}

it.each([1, -1])('of a price with tax, the tax that is shown is that of the shown base: sign %i', (sign) => {
  let moved = 0
  for (let amount = 1; amount <= 20_000; amount += 1) {
    const { net_amount, taxable_amount, tax_amount } = withTax(sign * amount)
    expect(multiplyAndDivide(taxable_amount, 62_500, MILLION)).toBe(tax_amount)
    expect(tax_amount).toBe(multiplyAndDivide(sign * amount, 50_000, 1_050_000))
    expect(net_amount + tax_amount).toBe(sign * amount)
    const part = multiplyAndDivide(net_amount, 800_000, MILLION)
    expect(Math.abs(taxable_amount - part)).toBeLessThanOrEqual(1)
    if (taxable_amount !== part) moved += 1
  }
  expect(moved).toBeGreaterThan(0)
})
