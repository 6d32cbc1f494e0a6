import { describe, expect, it } from 'vitest'
import type { TraceStep } from '../../src/engine/found/assessment.ts'
import { isVoucher, PRODUCT_TYPES } from '../../src/engine/book/product-types.ts'
import { assessed, type SaleInWords } from './sale.ts'

/** Goods, groceries, a service and an event of a Texan seller in New York, with shipping. */
const CART: SaleInWords = {
  from: { country: 'US', region: 'TX' },
  registrations: ['US-NY'],
  to: { country: 'US', region: 'NY' },
  currency: 'USD',
  lines: [
    { amount: 1999 },
    { amount: 999, product_type: 'groceries' },
    { amount: 5000, product_type: 'professional_services' },
    { amount: 2500 },
  ],
  shipping: { amount: 500 },
  explain: true,
}

function traceOf(words: SaleInWords): readonly TraceStep[] {
  return assessed({ ...words, explain: true }).trace ?? []
}

describe('the trace', () => {
  it('names the line of each step but the first, and each line has its own steps', () => {
    const [first, ...others] = traceOf(CART)
    expect(first).toMatchObject({ step: 'where', line: null, outcome: 'US-NY' })
    expect(others.every(({ line }) => line !== null)).toBe(true)
    // Shipping is the line after the last.
    for (const line of [0, 1, 2, 3, 4]) {
      const steps = others.filter((each) => each.line === line).map(({ step }) => step)
      expect(steps[0], `line ${line}`).toBe('place_of_supply')
      expect(steps.at(-1), `line ${line}`).toBe('tax')
      expect(steps, `line ${line}`).toContain('product_rule')
    }
  })

  it('says of two lines with one product the same', () => {
    const of = (line: number) =>
      traceOf(CART)
        .filter((each) => each.line === line && each.step !== 'tax')
        .map((each) => ({ ...each, line: null }))
    expect(of(3)).toEqual(of(0))
  })

  it('names the product, the tax and the place of a rule, and its source', () => {
    const rule = traceOf(CART).find(({ step, line }) => step === 'product_rule' && line === 1)
    expect(rule?.rule).toBe('groceries: SALES_TAX US-NY, rule of US-NY')
    expect(rule?.outcome).toBe('exempt')
    expect(rule?.basis).toMatch(/\(https:\/\/.+\/.+\)$/)
  })

  it.each(['US-NY', 'CA-QC', 'DE', 'FR', 'GB', 'AU', 'NZ'])('cites a source for each rule in %s', (id) => {
    const [country = id, region = null] = id.split('-')
    for (const { id: product_type } of PRODUCT_TYPES) {
      // The sale of a voucher is no supply, so no rule for products is asked.
      if (isVoucher(product_type)) continue
      const steps = traceOf({
        from: { country, region },
        registrations: [country, id],
        to: { country, region },
        lines: [{ amount: 1000, product_type }],
        supply_address: { country, region },
      }).filter(({ step }) => step === 'product_rule')
      expect(steps.length, product_type).toBeGreaterThan(0)
      for (const { basis } of steps) {
        expect(basis, product_type).toMatch(/\S/)
        expect(basis, product_type).not.toMatch(/\(https?:\/\/[^/]+\/?\)|\/tedb\/\)/)
      }
    }
  })

  it('says of a rule that nobody saw that it is not verified yet, and cites no home page for it', () => {
    const seminar = { from: { country: 'DE' }, to: { country: 'DE' }, lines: [{ amount: 1000 }] }
    const cited = (product_type: string) =>
      traceOf({ ...seminar, lines: [{ amount: 1000, product_type }] }).find(
        ({ step }) => step === 'product_rule',
      )?.basis
    expect(cited('soft_drinks')).toBe('Rule not verified yet')
  })

  it('says that a place has no rule for a product, with the source of the rate', () => {
    const words = { from: { country: 'DE' }, to: { country: 'DE' }, lines: [{ amount: 1000 }] }
    const steps = PRODUCT_TYPES.flatMap(({ id: product_type }) =>
      traceOf({ ...words, lines: [{ amount: 1000, product_type }] }),
    )
    const defaults = steps.filter(({ rule }) => rule.includes('no rule of DE for it'))
    expect(defaults.length).toBeGreaterThan(0)
    for (const { basis } of defaults) expect(basis).toMatch(/\S/)
  })

  it('has the comparison with a limit and the law of the origin at their line', () => {
    const trace = traceOf({
      from: { country: 'US', region: 'TX' },
      registrations: ['ioss'],
      to: { country: 'FR' },
      lines: [{ amount: 1000, product_type: 'saas' }, { amount: 10_000 }],
    })
    expect(trace.filter(({ step }) => step === 'consignment_value')).toEqual([
      { step: 'consignment_value', line: 1, rule: 'limit of EU', outcome: 'within', basis: null },
    ])
  })

  it('is left out if the request does not ask for it', () => {
    expect(assessed({ ...CART, explain: false }).trace).toBeNull()
  })
})

it('frees a small business at home of a sale for which the marketplace is not liable', () => {
  const sale = assessed({
    from: { country: 'GB' },
    to: { country: 'GB' },
    currency: 'GBP',
    marketplace: 'facilitated',
    small_business: true,
    lines: [{ amount: 1000 }],
  })
  expect(sale.lines[0]).toMatchObject({ tax_amount: 0, taxability_reason: 'small_business' })
  expect(sale.decision.reason).toBe('small_business')
})
