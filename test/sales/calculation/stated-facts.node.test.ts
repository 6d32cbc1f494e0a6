import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { sellerOf } from '../../../src/parties/accounts/seller.ts'
import { askedCalculation } from '../../../src/sales/calculation/asked-calculation.ts'
import { withStatedFacts } from '../../../src/sales/calculation/stated-facts.ts'

type Body = Parameters<typeof askedCalculation>[0]
type Line = Body['line_items'][number]
type Context = Parameters<typeof withStatedFacts>[0]
type Calculation = Parameters<typeof withStatedFacts>[2]

const DAY = '2026-06-15'

function account(seller: object | null): Context {
  const principal = {
    seller,
    registrations: [],
    establishments: [],
    over_eu_threshold: true,
    small_business: false,
    global_turnover: null,
  }
  return { principal } as unknown as Context
}

/** An answer as far as its stated facts look at it. */
function answerTo({ line_items }: Body): Calculation {
  const lines = line_items.map(({ amount }) => ({ amount }))
  return { transaction_date: DAY, line_items: lines } as unknown as Calculation
}

function bodyWith(seller: Body['seller'], line_items: Line[], discount_amount = 0): Body {
  return { currency: 'EUR', seller, line_items, discount_amount }
}

const country = fc.constantFrom('DE', 'FR', 'US')
const statedSeller = fc.record(
  {
    country,
    registrations: fc.subarray(['DE']),
    over_eu_threshold: fc.boolean(),
    small_business: fc.boolean(),
  },
  { requiredKeys: ['country'] },
)
const line: fc.Arbitrary<Line> = fc.record(
  {
    amount: fc.integer({ min: 1, max: 10_000 }),
    product_type: fc.constant('saas' as const),
    discount: fc.constant(1),
    taxable: fc.boolean(),
    supply: fc.boolean(),
    live: fc.boolean(),
    business_only: fc.boolean(),
    discount_funded_by: fc.constantFrom('seller' as const, 'manufacturer' as const),
  },
  { requiredKeys: ['amount', 'product_type'] },
)

describe('the facts that an answer states', () => {
  it('are on each line that says more than its answer shows, and on no other', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), fc.nat({ max: 1 }), (lines, discount) => {
        const body = bodyWith(undefined, lines, discount)
        const found = withStatedFacts(account(null), askedCalculation(body), answerTo(body))
        const funded = lines.some(({ discount_funded_by = 'seller' }) => discount_funded_by !== 'seller')
        const apart = discount > 0 && funded
        const expected = lines.map((each) => ({
          ...(apart && { discount: each.discount ?? 0 }),
          ...(each.taxable === false && each.supply !== false && { taxable: false }),
          ...(each.live === true && { live: true }),
          ...(each.business_only === true && { business_only: true }),
        }))
        expect(found.line_items.map(({ stated = {} }) => stated)).toEqual(expected)
        expect(found.line_items.map((each) => 'stated' in each)).toEqual(
          expected.map((facts) => Object.keys(facts).length > 0),
        )
      }),
    )
  })

  it('have the seller of the request, unless the account is that seller itself', () => {
    fc.assert(
      fc.property(fc.option(country), statedSeller, (own, given) => {
        const context = account(
          own === null ? null : { country: own, region: null, city: null, postal_code: null },
        )
        const seller = { region: null, city: null, postal_code: null, ...given }
        const body = bodyWith(seller, [{ amount: 100, product_type: 'saas' }])
        const { stated } = withStatedFacts(context, askedCalculation(body), answerTo(body))
        const same =
          JSON.stringify(sellerOf(context, seller, DAY)) === JSON.stringify(sellerOf(context, undefined, DAY))
        expect(stated?.seller?.country).toBe(same ? undefined : given.country)
      }),
    )
  })

  it('compare no texts for a seller elsewhere, which each request of a platform would pay for', () => {
    const context = account({ country: 'FR', region: null, city: null, postal_code: null })
    const body = bodyWith({ country: 'DE' }, [{ amount: 100, product_type: 'saas' }])
    const asked = askedCalculation(body)
    const written = vi.spyOn(JSON, 'stringify')
    const { stated } = withStatedFacts(context, asked, answerTo(body))
    expect(written).not.toHaveBeenCalled()
    written.mockRestore()
    expect(stated?.seller?.country).toBe('DE')
  })
})
