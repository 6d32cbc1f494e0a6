import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assessSale } from '../../src/engine/answer/assess.ts'
import type { AssessedLine, Assessment } from '../../src/engine/found/assessment.ts'
import { PRODUCT_TYPES, supplyKind } from '../../src/engine/book/product-types.ts'
import { at } from '../../src/engine/ground/invariant.ts'
import { Refusal } from '../../src/engine/ground/refusal.ts'
import type { Sale } from '../../src/engine/sale/sale.ts'
import { book, saleOf } from './sale.ts'

const PLACES = [
  ...['DE', 'FR', 'GR', 'IE', 'GB', 'AU', 'JP', 'RE', 'AX', 'GG', 'MC'].map((country) => ({ country })),
  { country: 'GB', postal_code: 'BT1 1AA' },
  { country: 'ES', postal_code: '38001' },
  { country: 'AT', postal_code: '6691' },
  ...['NY', 'MA', 'TX', 'CA', 'IL', 'OR'].map((region) => ({ country: 'US', region })),
  ...['ON', 'BC', 'QC', 'AB'].map((region) => ({ country: 'CA', region })),
]
const REGISTRATIONS = [
  'oss_union',
  'oss_non_union',
  'ioss',
  'DE',
  'FR',
  'GB',
  'AU',
  'US-NY',
  'US-MA',
  'US-CA',
  'CA',
  'CA-BC',
  'CA-QC',
]

const place = fc.constantFrom(...PLACES)
const price = fc.oneof(fc.integer({ min: 0, max: 50_000 }), fc.constantFrom(0, 1, 1_000_000_000_000))
const BASKET = [
  { product_type: 'groceries', share_millionths: 600_000 },
  { product_type: 'clothing', share_millionths: 333_333 },
  { product_type: 'ebooks', share_millionths: 66_667 },
]
const line = fc
  .record({
    amount: price,
    product_type: fc.constantFrom(...PRODUCT_TYPES.map(({ id }) => id)),
    quantity: fc.integer({ min: 1, max: 5 }),
    tax_behavior: fc.constantFrom('exclusive' as const, 'inclusive' as const),
    taxable: fc.boolean(),
    discounted: fc.constantFrom(0, 0, 0.1, 1),
    funded: fc.boolean(),
    traded: fc.constantFrom(0, 0, 0.5, 1),
    bundle: fc.constantFrom([], [], BASKET),
  })
  .map(({ discounted, funded, traded, ...each }) => {
    const discount = Math.floor(each.amount * discounted)
    const trade_in = Math.floor((each.amount - discount) * traded)
    // Shipping is no part of a bundle: requests with one are refused.
    const bundle = supplyKind(each.product_type) === 'shipping' ? [] : each.bundle
    return { ...each, bundle, discount, funded_discount: funded ? discount : 0, trade_in }
  })

const sale: fc.Arbitrary<Sale> = fc
  .record({
    from: fc.option(place),
    to: place,
    registrations: fc.option(fc.subarray(REGISTRATIONS)),
    over_eu_threshold: fc.boolean(),
    lines: fc.array(line, { minLength: 1, maxLength: 5 }),
    shipping: fc.option(line, { nil: undefined }),
    rounding: fc.constantFrom('line' as const, 'document' as const),
  })
  .map(({ shipping, ...words }) =>
    saleOf({ ...words, ...(shipping !== undefined && { shipping: { ...shipping, bundle: [] } }) }),
  )

const RUNS = { numRuns: 2_000 }

/** The assessment; null if the request has to be corrected. Any error but a Refusal fails the test. */
function answer(given: Sale): Assessment | null {
  try {
    return assessSale(given, book)
  } catch (thrown) {
    if (thrown instanceof Refusal) return null
    throw thrown
  }
}

function linesOf({ lines, shipping }: Assessment): AssessedLine[] {
  return shipping === null ? lines : [...lines, shipping]
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0)
}

describe('any sale', () => {
  it('has parts that add up to its totals', () => {
    fc.assert(
      fc.property(sale, (given) => {
        const found = answer(given)
        if (found === null) return
        const lines = linesOf(found)
        expect(sum(lines.map((each) => each.tax_amount))).toBe(found.tax_amount)
        expect(sum(lines.map((each) => each.net_amount))).toBe(found.subtotal)
        expect(found.subtotal + found.tax_amount).toBe(found.total)
        expect(sum(found.tax_breakdown.map((entry) => entry.tax_amount))).toBe(found.tax_amount)
        for (const each of lines)
          expect(sum(each.tax_breakdown.map((entry) => entry.tax_amount))).toBe(each.tax_amount)
      }),
      RUNS,
    )
  })

  it('gives a reason for every line without tax', () => {
    fc.assert(
      fc.property(sale, (given) => {
        for (const each of linesOf(answer(given) ?? { ...EMPTY }))
          if (each.tax_amount === 0) expect(each.reason_detail).toBeTruthy()
      }),
      RUNS,
    )
  })

  it('is mirrored by its credit', () => {
    fc.assert(
      fc.property(sale, (given) => {
        const credit = answer({
          ...given,
          lines: given.lines.map((each) => ({ ...each, amount: -each.amount })),
          shipping: given.shipping === null ? null : { ...given.shipping, amount: -given.shipping.amount },
        })
        const found = answer(given)
        expect(credit === null ? null : 0 - credit.tax_amount).toBe(found?.tax_amount ?? null)
      }),
      RUNS,
    )
  })

  it('has the same tax_if_registered as the tax of a registered seller', () => {
    fc.assert(
      fc.property(sale, (given) => {
        const exclusive = {
          ...given,
          rounding: 'line' as const,
          lines: given.lines.map((each) => ({ ...each, tax_behavior: 'exclusive' as const })),
        }
        const found = answer({ ...exclusive, shipping: null, seller_registered: false })
        const registered = answer({ ...exclusive, shipping: null, seller_registered: true })
        // A registration changes the place of some supplies, and shipping follows its goods there.
        const moved = (index: number) =>
          registered?.lines[index]?.jurisdiction_id !== found?.lines[index]?.jurisdiction_id
        const anyMoved = found?.lines.some((_, index) => moved(index))
        found?.lines.forEach((each, index) => {
          if (each.taxability_reason !== 'not_collecting' || moved(index)) return
          if (anyMoved && supplyKind(at(exclusive.lines, index).product_type) === 'shipping') return
          expect(each.tax_if_registered).toBe(registered?.lines[index]?.tax_amount)
        })
      }),
      RUNS,
    )
  })
})

const EMPTY = { lines: [], shipping: null } as unknown as Assessment
