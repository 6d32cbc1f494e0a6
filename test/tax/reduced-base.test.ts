import fc from 'fast-check'
import { expect, it } from 'vitest'
import { taxOfDocument, taxOfLine, type TaxableLine } from '../../src/tax/arithmetic/document-tax.ts'
import { MILLION, multiplyAndDivide } from '../../src/tax/arithmetic/rounding.ts'

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
  expect(taxOfLine(line(base, 82_500, 800_000)).map(({ tax_amount }) => tax_amount)).toEqual([tax])
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
        expect(taxOfLine(one)[0]?.tax_amount === tax).toBe(true)
        expect(taxOfDocument([one]).get(one)?.[0]?.tax_amount === tax).toBe(true)
      },
    ),
  )
})
