import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shareByWeight, shareExact } from '../../src/engine/arithmetic/allocation.ts'
import { type PlainLine, taxDocument } from '../../src/engine/arithmetic/document-tax.ts'
import { multiplyAndDivide } from '../../src/engine/arithmetic/rounding.ts'

const MAX = 1_000_000_000_000_000
const amount = fc.oneof(
  fc.integer({ min: -MAX, max: MAX }),
  fc.integer({ min: -200, max: 200 }),
  fc.constantFrom(0, 1, -1, 49, 50, 51, MAX, -MAX),
)
const rate = fc.oneof(
  fc.integer({ min: 0, max: 300_000 }),
  fc.constantFrom(0, 50_000, 99_750, 190_000, 255_000),
)
const line: fc.Arbitrary<PlainLine> = fc.record({
  amount: fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }),
  rates_millionths: fc.array(rate, { minLength: 1, maxLength: 3 }),
  tax_behavior: fc.constantFrom('exclusive', 'inclusive'),
})
const rounding = fc.constantFrom('line' as const, 'document' as const)
const RUNS = { numRuns: 500 }

function mirrored(lines: readonly PlainLine[]): PlainLine[] {
  return lines.map((each) => ({ ...each, amount: -each.amount }))
}

function totalTax(lines: readonly PlainLine[], how: 'line' | 'document'): number {
  return taxDocument(lines, how).lines.reduce((sum, each) => sum + each.tax, 0)
}

describe('the arithmetic', () => {
  it('rounds half away from zero, exactly, up to 1e15', () => {
    fc.assert(
      fc.property(amount, rate, (value, millionths) => {
        const exact = BigInt(value) * BigInt(millionths)
        const magnitude = exact < 0n ? -exact : exact
        const rounded = (magnitude + 500_000n) / 1_000_000n
        expect(BigInt(multiplyAndDivide(value, millionths, 1_000_000))).toBe(exact < 0n ? -rounded : rounded)
      }),
      RUNS,
    )
  })

  it('leaves none of the taxes of included prices that cancel, also beside others that do', () => {
    const taxesOf = [[50_000], [50_000, 70_000], [99_750, 50_000]]
    const priced = (rates_millionths: number[]) => (value: number) =>
      ({ amount: value, rates_millionths, tax_behavior: 'inclusive' }) as const
    const prices = fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(prices, { minLength: 2, maxLength: 3 }), (groups) => {
        const cancelling = groups.map((group) => [...group, 0 - group.reduce((a, b) => a + b, 0)])
        const lines = cancelling.flatMap((group, index) => group.map(priced(taxesOf[index] ?? [])))
        const taxed = taxDocument(lines, 'line').lines
        let from = 0
        for (const group of cancelling) {
          const own = taxed.slice(from, from + group.length)
          from += group.length
          own[0]?.components.forEach((_, index) => {
            expect(own.reduce((sum, { components }) => sum + (components[index] ?? 0), 0)).toBe(0)
          })
        }
      }),
      RUNS,
    )
  })

  it('splits a total without losing or adding a unit', () => {
    fc.assert(
      fc.property(
        amount,
        fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 12 }),
        (total, weights) => {
          expect(shareByWeight(total, weights).reduce((a, b) => a + b, 0)).toBe(total)
        },
      ),
      RUNS,
    )
  })

  it('shares an amount by weights in doubles as in exact fractions', () => {
    fc.assert(
      fc.property(
        amount,
        fc.array(fc.oneof(fc.constantFrom(0, 1, 2), fc.integer({ min: 0, max: 1_000_000 })), {
          minLength: 1,
          maxLength: 12,
        }),
        (total, weights) => {
          const sum = BigInt(weights.reduce((a, b) => a + b, 0))
          fc.pre(sum > 0n)
          const dividends = weights.map((weight) => BigInt(total) * BigInt(weight))
          const exact = dividends.map((dividend) => ({ dividend, denominator: sum }))
          expect(shareByWeight(total, weights)).toEqual(shareExact(total, exact))
        },
      ),
      RUNS,
    )
  })

  it('adds components up to the tax of their line, and net and tax to the gross price', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), rounding, (lines, how) => {
        taxDocument(lines, how).lines.forEach((taxed, index) => {
          expect(taxed.components.reduce((a, b) => a + b, 0)).toBe(taxed.tax)
          const given = lines[index]
          expect(given?.tax_behavior === 'inclusive' ? taxed.net + taxed.tax : taxed.net).toBe(given?.amount)
        })
      }),
      RUNS,
    )
  })

  it('mirrors a sale exactly in its credit', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), rounding, (lines, how) => {
        const sale = taxDocument(lines, how).lines.map((each) => each.components)
        const credit = taxDocument(mirrored(lines), how).lines.map((each) =>
          each.components.map((tax) => (tax === 0 ? 0 : -tax)),
        )
        expect(credit.map((each) => each.map((tax) => tax + 0))).toEqual(
          sale.map((each) => each.map((tax) => tax + 0)),
        )
      }),
      RUNS,
    )
  })

  it('takes the same tax out of a gross price as it adds to the net price', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX }), rate, (net, millionths) => {
        const tax = multiplyAndDivide(net, millionths, 1_000_000)
        const [taken] = taxDocument(
          [{ amount: net + tax, rates_millionths: [millionths], tax_behavior: 'inclusive' }],
          'line',
        ).lines
        expect(taken?.tax).toBe(tax)
      }),
      RUNS,
    )
  })

  it('never changes a document-rounded total when a line is split', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: MAX }),
        fc.integer({ min: 0, max: MAX }),
        rate,
        fc.constantFrom('exclusive', 'inclusive'),
        (a, b, millionths, tax_behavior) => {
          const of = (value: number): PlainLine => ({
            amount: value,
            rates_millionths: [millionths],
            tax_behavior,
          })
          expect(totalTax([of(a), of(b)], 'document')).toBe(totalTax([of(a + b)], 'document'))
        },
      ),
      RUNS,
    )
  })
})
